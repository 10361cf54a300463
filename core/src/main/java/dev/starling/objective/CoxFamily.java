package dev.starling.objective;

import dev.starling.loss.Cox;
import dev.starling.loss.Elementary;
import dev.starling.problem.LocalProblem;

/**
 * Cox's partial likelihood, stratified at least by node: what nodes add up are totals over their own strata.
 *
 * @param loss how ties are treated
 */
record CoxFamily(Cox loss) implements Family {

    @Override
    public Smoothness smoothness() {
        return new Smoothness(1, Double.POSITIVE_INFINITY, true, true);
    }

    @Override
    public int labelNumbers() {
        return CoxTerm.LABEL_NUMBERS;
    }

    @Override
    public NullModel nullModel(double[] totals, double unit) {
        double constant = -(totals[3] + totals[4] * Elementary.log(unit));
        return new NullModel(totals[0], totals[1], unit * totals[2], unit * constant);
    }

    @Override
    public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
        return new CoxTerm(rows, layout, loss);
    }
}
