package dev.starling.method.multipliers;

import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;

/** The part of a node's gradient that samples with positive slopes make, where a free intercept needs it. */
final class RisingGradient {

    private final LocalProblem problem;
    private final GradientLayout layout;
    private final double[] vector;

    RisingGradient(LocalProblem problem, GradientLayout layout) {
        this.problem = problem;
        this.layout = layout;
        this.vector = new double[layout.intercept() ? layout.features() : 0];
    }

    /** The sum so far, not a copy; empty where none is needed. */
    double[] vector() {
        return vector;
    }

    void clear() {
        Arrays.fill(vector, 0);
    }

    /** The slope of a row has changed. */
    void changed(int row, double weight, double from, double to) {
        double step = weight * (Math.max(0, to) - Math.max(0, from));
        if (layout.intercept() && step != 0) {
            problem.data().addTo(row, step, vector, 0);
        }
    }

    /**
     * Writes it to the sums, and Σ w s and its positive part, which are made afresh: a dual point's feasibility depends
     * on their last digits.
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
