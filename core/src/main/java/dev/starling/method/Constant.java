package dev.starling.method;

import java.util.Arrays;
import java.util.List;

/**
 * A named number that describes a tuned method, for people who want to see it.
 *
 * @param name its key in JSON
 * @param symbol the paper's symbol for it; may be empty
 * @param meaning what it is
 * @param value its value
 */
public record Constant(String name, String symbol, String meaning, double value) {

    /**
     * Describes a number that every node has: as one constant if all nodes agree, otherwise as the smallest and the
     * largest.
     */
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
