package dev.starling.objective;

import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/**
 * The sums of a loss of one margin per row.
 *
 * @param loss ℓ
 */
record LossFamily(Loss loss) implements Family {

    @Override
    public Smoothness smoothness() {
        return Smoothness.of(loss);
    }

    @Override
    public OptionalDouble valueAtZero() {
        return isSteepestAtZero() ? OptionalDouble.of(loss.value(0, 1)) : OptionalDouble.empty();
    }

    @Override
    public boolean isSteepestAtZero() {
        double[] curvatures = new double[Loss.BLOCK];
        double[] labels = new double[Loss.BLOCK];
        labels[0] = 1;
        labels[1] = -1;
        if (!loss.isClassification()) {
            return false;
        }
        loss.evaluate(2, new double[Loss.BLOCK], labels, null, new double[Loss.BLOCK], curvatures);
        return curvatures[0] == loss.smoothness() && curvatures[1] == loss.smoothness();
    }

    @Override
    public boolean isDispersionKnown() {
        return loss.isDispersionKnown();
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new RowTerm(rows, layout, fewestRows);
    }
}
