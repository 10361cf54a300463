package dev.starling.objective;

import dev.starling.loss.Stratified;
import dev.starling.problem.LocalProblem;

/**
 * The sums of a family with an intercept for every stratum, each of which is the best for the coefficients at hand.
 *
 * @param loss ℓ
 */
record StratifiedFamily(Stratified loss) implements Family {

    @Override
    public Smoothness smoothness() {
        return new Smoothness(Smoothness.of(loss.family()).typical(), Double.POSITIVE_INFINITY, true, loss.isConvex());
    }

    @Override
    public int labelNumbers() {
        return StratifiedTerm.LABEL_NUMBERS;
    }

    @Override
    public NullModel nullModel(double[] totals, double unit) {
        return new NullModel(totals[0], totals[0], unit * totals[1], totals[2], totals[3]);
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new StratifiedTerm(rows, layout, loss.family());
    }
}
