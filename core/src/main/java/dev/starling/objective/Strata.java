package dev.starling.objective;

import dev.starling.node.ExactSum;
import dev.starling.problem.LocalProblem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The strata of a node's rows: rows of different strata have nothing in common but coefficients. */
final class Strata {

    private Strata() {}

    /** Returns the stratum of each row, numbered in the order in which they first occur. */
    static int[] of(LocalProblem problem) {
        int[] strata = new int[problem.data().rows()];
        Map<Long, Integer> known = new LinkedHashMap<>();
        for (int i = 0; problem.groups().length > 0 && i < strata.length; i++) {
            strata[i] = known.computeIfAbsent(problem.groups()[i], any -> known.size());
        }
        return strata;
    }

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
