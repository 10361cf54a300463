package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.method.sums.Decision;
import java.util.Optional;

/**
 * What follows from the totals of a sum.
 *
 * @param order what nodes do next
 * @param tight whether rounding is bounded row by row; otherwise by the largest that a row could be
 */
record MultiplierDecision(
        int number,
        Optional<Certificate> certificate,
        boolean ended,
        SumInstructions order,
        boolean tight,
        double epochs)
        implements Decision {

    @Override
    public double[] point() {
        return order.point();
    }
}
