package dev.starling.method;

import java.util.Arrays;
import java.util.List;

/**
 * A number that a method goes by, for those who want to see it.
 *
 * @param name what it is called in JSON
 * @param symbol the letter that the paper has for it; may be empty
 * @param meaning what it is
 * @param value its value
 */
public record Constant(String name, String symbol, String meaning, double value) {

    /** A number that every node has: one constant if all nodes agree, otherwise the smallest and the largest. */
    public static List<Constant> ofNodes(String name, String symbol, String meaning, double[] values) {
        double smallest = Arrays.stream(values).min().orElse(Double.NaN);
        double largest = Arrays.stream(values).max().orElse(Double.NaN);
        return smallest == largest
                ? List.of(new Constant(name, symbol, meaning, largest))
                : List.of(
                        new Constant(name + "Min", symbol, meaning + ", smallest", smallest),
                        new Constant(name + "Max", symbol, meaning + ", largest", largest));
    }
}
