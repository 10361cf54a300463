package dev.starling.objective;

import dev.starling.loss.Softmax;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/**
 * The negative log-likelihood of classes that are told apart all at once.
 *
 * @param loss ℓ
 */
record SoftmaxFamily(Softmax loss) implements Family {

    @Override
    public int outputs() {
        return loss.outputs();
    }

    /** A row bends by at most ½ in any direction of its margins; no proof by curvature is written for several. */
    @Override
    public Smoothness smoothness() {
        return new Smoothness(0.5, Double.POSITIVE_INFINITY, false, true);
    }

    @Override
    public OptionalDouble valueAtZero() {
        return OptionalDouble.of(loss.value(new double[outputs()], 0));
    }

    /** p (1 − p) is greatest at ½; at the parameter 0, p is 1/K. */
    @Override
    public boolean isSteepestAtZero() {
        return outputs() == 2;
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new SoftmaxTerm(rows, layout, fewestRows);
    }
}
