package dev.starling.method.newton;

import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import java.util.List;
import java.util.Optional;

/**
 * Where a run begins, and what is known before its first pass.
 *
 * @param point θ
 * @param totals those of a pass over all samples at that point, however regularised; empty if there was none
 * @param hessian totals among which is a Hessian of nearby; empty to sum one up
 * @param worn whether that has served so long that the first pass is to sum up another
 * @param lent whether it is that of all rows, of which some are left out
 */
record NewtonStart(double[] point, double[] totals, double[] hessian, boolean worn, boolean lent) {

    private static final double[] NONE = {};

    /** Where nothing but a point is known. */
    static NewtonStart at(double[] point) {
        return new NewtonStart(point, NONE, NONE, false, false);
    }

    /**
     * From what is known of a problem.
     *
     * @param goesOn whether a problem of all rows goes on from the pass that ended the one before, with its Hessian
     */
    static Optional<NewtonStart> of(PriorKnowledge known, PassLayout layout, boolean goesOn) {
        List<double[]> hessians = known.ofAllRows().stream()
                .map(Solution::lessons)
                .filter(lessons -> hasHessian(lessons, layout))
                .toList();
        double[] lessons = known.before().map(Solution::lessons).orElse(NONE);
        if (!hessians.isEmpty()) {
            double[] hessian = mean(hessians, layout);
            return Optional.of(
                    lessons.length > 0
                            ? new NewtonStart(known.before().get().parameter(), lessons, hessian, false, true)
                            : new NewtonStart(
                                    known.start().orElseGet(() -> new double[layout.features()]),
                                    NONE,
                                    hessian,
                                    false,
                                    true));
        }
        if (goesOn && hasHessian(lessons, layout)) {
            boolean worn = lessons[lessons.length - 1] > 0;
            return Optional.of(new NewtonStart(known.before().get().parameter(), lessons, lessons, worn, false));
        }
        return known.start().map(NewtonStart::at);
    }

    private static boolean hasHessian(double[] lessons, PassLayout layout) {
        return lessons.length > layout.length(PassSums.HESSIAN);
    }

    /**
     * Between two values of λ the gradient changes by the mean of the Hessians on the way, which that of the Hessians
     * at both ends comes nearest to.
     */
    private static double[] mean(List<double[]> lessons, PassLayout layout) {
        double[] mean = new double[layout.length(PassSums.HESSIAN)];
        mean[NewtonPass.WEIGHT] = 1;
        for (double[] one : lessons) {
            double share = 1 / (lessons.size() * one[NewtonPass.WEIGHT]);
            for (int k = layout.hessian(); k < mean.length; k++) {
                mean[k] = Math.fma(share, one[k], mean[k]);
            }
        }
        return mean;
    }
}
