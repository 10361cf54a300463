package dev.starling.objective.classes;

import dev.starling.loss.Softmax;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.Smoothness;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/**
 * The negative log-likelihood of classes that are told apart all at once.
 *
 * @param loss ℓ
 * @param reference whether the block of the first class is 0 and left out, as it must be where no regulariser decides
 *     between parameters with the same differences
 */
public record SoftmaxFamily(Softmax loss, boolean reference) implements Family {

    @Override
    public int outputs() {
        return loss.outputs();
    }

    @Override
    public Smoothness smoothness() {
        return new Smoothness(Softmax.MOST_CURVATURE, Double.POSITIVE_INFINITY, reference, true);
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

    /** {@inheritDoc} Where nothing is regularised, an intercept is a weight like any other. */
    @Override
    public PassLayout layout(int features, boolean intercept) {
        return PassLayout.ofOutputs(features, outputs(), intercept && !reference);
    }

    @Override
    public boolean sumsClasses() {
        return true;
    }

    @Override
    public int labelNumbers() {
        return ClassCounts.numbers(loss.outputs());
    }

    @Override
    public NullModel nullModel(double[] totals, double unit) {
        return ClassCounts.nullModel(totals, unit);
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new SoftmaxTerm(rows, layout, fewestRows, reference);
    }
}
