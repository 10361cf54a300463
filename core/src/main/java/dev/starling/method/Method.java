package dev.starling.method;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How the optimum is looked for. Whichever it is, the optimum and the certificate mean the same. */
public enum Method {
    /**
     * Newton wherever it can, see {@link Solver}, and ADFS elsewhere: kinks, and jumps of curvature in many features.
     */
    AUTO,

    /** Accelerated, decentralized and stochastic: nodes step through their samples and exchange vectors. */
    ADFS,

    /** A few passes over all samples, after each of which nodes sum up gradients and curvatures. */
    NEWTON;

    /** What it is called in settings. */
    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The method of a name. */
    public static Method named(String name) {
        return Arrays.stream(values())
                .filter(method -> method.lowerCase().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("method", name, names()));
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Method::lowerCase).toList();
    }
}
