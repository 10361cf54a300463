package dev.starling.lab.comparison;

import java.util.List;

/**
 * What a comparison found.
 *
 * @param optimum what the methods were measured against
 * @param timeLimit the idealised time after which a method was cut off
 * @param methods what each of them did, in the order asked for; those that were not begun are left out
 * @param complete whether nobody stopped it
 */
public record ComparisonResult(Optimum optimum, double timeLimit, List<MethodResult> methods, boolean complete) {

    /** Copies the list. */
    public ComparisonResult {
        methods = List.copyOf(methods);
    }
}
