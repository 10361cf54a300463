package dev.starling.objective.strata;

import dev.starling.node.ExactSum;
import java.util.function.BiConsumer;

/** Sums over the strata of a node's rows, which have nothing in common but coefficients. */
final class Strata {

    private Strata() {}

    /**
     * Overwrites sums with those over all strata, which are added up exactly, so that it does not matter whether each
     * has a node to itself or all are at one.
     *
     * @param each writes the sums of a stratum
     */
    static void sum(int strata, int length, double[] sums, BiConsumer<Integer, double[]> each) {
        double[][] parts = new double[strata][length];
        for (int s = 0; s < strata; s++) {
            each.accept(s, parts[s]);
        }
        System.arraycopy(ExactSum.of(parts, 0, length), 0, sums, 0, length);
    }
}
