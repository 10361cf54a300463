package dev.starling.method.newton;

import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.List;
import java.util.Optional;

/**
 * The point where a run starts, and what is known before its first pass.
 *
 * @param point θ
 * @param totals the totals of a pass over all samples at that point, which do not depend on λ; empty if unknown
 * @param hessian totals that include the Hessian at a nearby point; empty if unknown
 * @param stale whether that Hessian has served so long that the first pass should compute a new one
 * @param hessianOfAllRows whether that Hessian is the one of all rows, although the problem leaves some out
 */
record NewtonStart(double[] point, double[] totals, double[] hessian, boolean stale, boolean hessianOfAllRows) {

    private static final double[] NONE = {};

    /** Creates a start of which nothing but the point is known. */
    static NewtonStart at(double[] point) {
        return new NewtonStart(point, NONE, NONE, false, false);
    }

    /**
     * Creates a start from what is known about a problem.
     *
     * @param continues whether a problem with all rows continues from the last pass of the problem before it, with its
     *     Hessian
     */
    static Optional<NewtonStart> of(PriorKnowledge known, PassLayout layout, boolean continues) {
        List<double[]> hessians = known.ofAllRows().stream()
                .map(Solution::warmStart)
                .filter(warmStart -> hasHessian(warmStart, layout))
                .toList();
        double[] warmStart = known.before().map(Solution::warmStart).orElse(NONE);
        if (!hessians.isEmpty()) {
            double[] hessian = mean(hessians, layout);
            return Optional.of(
                    warmStart.length > 0
                            ? new NewtonStart(known.before().get().parameter(), warmStart, hessian, false, true)
                            : new NewtonStart(
                                    known.start().orElseGet(() -> new double[layout.parameters()]),
                                    NONE,
                                    hessian,
                                    false,
                                    true));
        }
        if (continues && hasHessian(warmStart, layout)) {
            boolean stale = warmStart[warmStart.length - 1] > 0;
            return Optional.of(new NewtonStart(known.before().get().parameter(), warmStart, warmStart, stale, false));
        }
        if (continues && warmStart.length == layout.length(PassSums.GRADIENT)) {
            return Optional.of(new NewtonStart(known.before().get().parameter(), warmStart, NONE, false, false));
        }
        return known.start().map(NewtonStart::at);
    }

    private static boolean hasHessian(double[] warmStart, PassLayout layout) {
        return warmStart.length > layout.length(PassSums.HESSIAN);
    }

    /**
     * Between the solutions for two values of λ the gradient changes by the mean of the Hessians on the way, times the
     * distance. The mean of the Hessians at both ends is the best approximation available.
     */
    private static double[] mean(List<double[]> warmStarts, PassLayout layout) {
        double[] mean = new double[layout.length(PassSums.HESSIAN)];
        mean[PassLayout.WEIGHT] = 1;
        for (double[] one : warmStarts) {
            double share = 1 / (warmStarts.size() * one[PassLayout.WEIGHT]);
            for (int k = layout.hessian(); k < mean.length; k++) {
                mean[k] = Math.fma(share, one[k], mean[k]);
            }
        }
        return mean;
    }
}
