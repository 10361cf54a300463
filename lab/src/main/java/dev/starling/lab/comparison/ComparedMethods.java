package dev.starling.lab.comparison;

import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.method.Methods;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every method there is to compare, by name: the ADFS family as the paper has it, what it is compared with, and the
 * other methods of training.
 */
public final class ComparedMethods {

    private ComparedMethods() {}

    /** The names of all methods. */
    public static List<String> names() {
        return all().stream().map(Algorithm::name).toList();
    }

    /** What the method of a name is, in a line. */
    public static String description(String name) {
        return named(name).description();
    }

    /** The names of the methods that run on edges which change from round to round. */
    public static List<String> namesForVaryingEdges() {
        return all().stream()
                .filter(Algorithm::takesVaryingEdges)
                .map(Algorithm::name)
                .toList();
    }

    /**
     * The method of a name, which {@code @factor} may follow if its step size is to be that factor off its theory's.
     */
    static Algorithm named(String name) {
        return name.indexOf(TunedStep.MARK) < 0 ? Algorithm.named(name, all()) : TunedStep.named(name, all());
    }

    /** Those of the paper and its rivals and, of what training uses, whatever is not among them. */
    private static List<Algorithm> all() {
        List<Algorithm> compared = Stream.concat(Algorithms.all().stream(), Baselines.all().stream())
                .toList();
        Stream<Algorithm> trained = Methods.all().stream()
                .filter(method -> compared.stream().noneMatch(one -> one.name().equals(method.name())))
                .map(TrainingMethod::new);
        return Stream.concat(compared.stream(), trained).toList();
    }
}
