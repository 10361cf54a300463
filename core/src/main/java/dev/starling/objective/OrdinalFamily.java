package dev.starling.objective;

import dev.starling.loss.Ordinal;
import dev.starling.problem.LocalProblem;

/**
 * Proportional odds. The parameter has one entry for each feature but the constant one, and one for each threshold.
 *
 * @param loss ℓ
 */
record OrdinalFamily(Ordinal loss) implements Family {

    @Override
    public PassLayout layout(int features, boolean intercept) {
        return new PassLayout(loss.parameters(features), false);
    }

    @Override
    public Smoothness smoothness() {
        return new Smoothness(0.5, Double.POSITIVE_INFINITY, true, true);
    }

    @Override
    public int labelNumbers() {
        return ClassCounts.numbers(loss.classes());
    }

    @Override
    public NullModel nullModel(double[] totals, double unit) {
        return ClassCounts.nullModel(totals, unit);
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new OrdinalTerm(rows, layout, loss);
    }
}
