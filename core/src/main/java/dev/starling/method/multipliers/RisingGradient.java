package dev.starling.method.multipliers;

import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;

/** The part of a node's gradient that comes from samples with positive slopes, which a free intercept needs. */
final class RisingGradient {

    private final LocalProblem problem;
    private final GradientLayout layout;
    private final double[] vector;

    RisingGradient(LocalProblem problem, GradientLayout layout) {
        this.problem = problem;
        this.layout = layout;
        this.vector = new double[layout.intercept() ? layout.features() : 0];
    }

    /** Returns the sum so far, not a copy; empty without a free intercept. */
    double[] vector() {
        return vector;
    }

    void clear() {
        Arrays.fill(vector, 0);
    }

    /** Updates the sum after the slope of a row has changed. */
    void changed(int row, double weight, double from, double to) {
        double step = weight * (Math.max(0, to) - Math.max(0, from));
        if (layout.intercept() && step != 0) {
            problem.data().addTo(row, step, vector, 0);
        }
    }

    /**
     * Writes the vector to the sums, and also Σ w s and its positive part, which are recomputed because the feasibility
     * of a dual point depends on their last digits.
     */
    void write(double[] slopes, double[] sums) {
        if (!layout.intercept()) {
            return;
        }
        CompensatedSum all = new CompensatedSum();
        CompensatedSum positive = new CompensatedSum();
        for (int j = 0; j < slopes.length; j++) {
            double part = problem.weight(j) * slopes[j];
            all.add(part);
            if (part > 0) {
                positive.add(part);
            }
        }
        System.arraycopy(vector, 0, sums, layout.rising(), vector.length);
        sums[layout.rising() - 1] = all.value();
        sums[layout.risingSpread() - 1] = positive.value();
    }
}
