package dev.starling.lab.comparison;

import java.util.List;

/**
 * The result of a comparison.
 *
 * @param optimum the optimum that the methods were measured against
 * @param timeLimit the idealised time after which a method was cut off
 * @param methods the result of each method, in the requested order; methods that were not started are left out
 * @param complete whether it ran to the end without being stopped
 */
public record ComparisonResult(Optimum optimum, double timeLimit, List<MethodResult> methods, boolean complete) {

    /** Copies the list. */
    public ComparisonResult {
        methods = List.copyOf(methods);
    }
}
