package dev.starling.lab.comparison;

import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.method.Methods;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every method that can be compared, by name: the ADFS family of the paper, the baselines, and the other methods that
 * training uses.
 */
public final class ComparedMethods {

    private ComparedMethods() {}

    /** The names of all methods. */
    public static List<String> names() {
        return all().stream().map(Algorithm::name).toList();
    }

    /** A one-line description of the method with the given name. */
    public static String description(String name) {
        return named(name).description();
    }

    /** The names of the methods that can handle edges that change from round to round. */
    public static List<String> namesForVaryingEdges() {
        return all().stream()
                .filter(Algorithm::takesVaryingEdges)
                .map(Algorithm::name)
                .toList();
    }

    /**
     * The method with the given name, which may be followed by {@code @factor} to multiply its theory's step size by a
     * factor.
     */
    public static Algorithm named(String name) {
        return name.indexOf(TunedStep.MARK) < 0 ? Algorithm.named(name, all()) : TunedStep.named(name, all());
    }

    /** The methods of the paper, their rivals, and those of training that are not among them. */
    private static List<Algorithm> all() {
        List<Algorithm> compared = Stream.concat(Algorithms.all().stream(), Baselines.all().stream())
                .toList();
        Stream<Algorithm> trained = Methods.all().stream()
                .filter(method -> compared.stream().noneMatch(one -> one.name().equals(method.name())))
                .map(TrainingMethod::new);
        return Stream.concat(compared.stream(), trained).toList();
    }
}
