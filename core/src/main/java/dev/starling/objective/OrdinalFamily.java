package dev.starling.objective;

import dev.starling.loss.Ordinal;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/**
 * Proportional odds. The parameter has one entry for each feature but the constant one, and one for each threshold.
 *
 * @param loss ℓ
 */
record OrdinalFamily(Ordinal loss) implements Family {

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public PassLayout layout(int features, boolean intercept) {
        return new PassLayout(loss.parameters(features), false);
    }

    @Override
    public Smoothness smoothness() {
        return new Smoothness(0.5, Double.POSITIVE_INFINITY, true, true);
    }

    @Override
    public OptionalDouble valueAtZero() {
        return OptionalDouble.empty();
    }

    @Override
    public boolean isSteepestAtZero() {
        return false;
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
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
