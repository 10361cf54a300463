package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import java.util.List;
import java.util.stream.Stream;

/** Every method there is, by the name it has on the command line: the ADFS family and what it is compared with. */
public final class Methods {

    private Methods() {}

    /** The names of all methods. */
    public static List<String> names() {
        return all().map(Algorithm::name).toList();
    }

    /** What the method of a name is, in a line. */
    public static String description(String name) {
        return switch (named(name).name()) {
            case "adfs" -> "S-ADFS, all edges in every round";
            case "ns-adfs" -> "NS-ADFS, for losses with kinks";
            case "adfs-local" -> "locally synchronous ADFS, one edge at a time";
            case "adfs-matchings" -> "ADFS on a random matching in every round";
            case "adfs-pairs" -> "ADFS on one random edge in every round";
            case "adfs-half" -> "ADFS on half of the edges in every round";
            case "msda" -> "multi-step dual accelerated method, batch";
            case "esdacd" -> "edge-synchronous dual accelerated coordinate descent, batch";
            case "dsba" -> "decentralized stochastic backward aggregation";
            case "dsba-sparse" -> "DSBA that sends the changes of samples instead of iterates";
            case "point-saga" -> "Point-SAGA on one machine that has all samples";
            case "extra" -> "EXTRA, batch gradients";
            case "nids" -> "NIDS, batch gradients";
            case "gt-saga" -> "gradient tracking with SAGA";
            case "dvr" -> "dual variance reduction";
            case "dvr-chebyshev" -> "dual variance reduction with Chebyshev gossip";
            default -> name;
        };
    }

    /** The method of a name. */
    static Algorithm named(String name) {
        return all().filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("algorithm", name, names()));
    }

    private static Stream<Algorithm> all() {
        return Stream.concat(Algorithms.all().stream(), Baselines.all().stream());
    }
}
