package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.method.sums.Decision;
import java.util.Optional;

/**
 * What follows from the totals of a sum.
 *
 * @param instructions what nodes do next
 * @param tight whether rounding is bounded row by row instead of by the longest row
 */
record MultiplierDecision(
        int number,
        Optional<Certificate> certificate,
        boolean ended,
        SumInstructions instructions,
        boolean tight,
        double epochs)
        implements Decision {

    @Override
    public double[] point() {
        return instructions.point();
    }
}
