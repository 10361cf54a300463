package dev.starling.objective;

import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/** The sum of a loss of one margin per row: the only term with spans and proofs by curvature. */
final class RowTerm implements Term {

    /**
     * The sums of a loss of one margin per row.
     *
     * @param loss ℓ
     */
    record Family(Loss loss) implements dev.starling.objective.Family {

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

    private final PassLayout layout;
    private final RowPass pass;
    private final ProofPass proofPass;
    private final double hessianWork;

    /** The part of all columns of which passes compute the Hessian, if it is not that of all. */
    private double chosen;

    RowTerm(LocalProblem problem, PassLayout layout, int fewestRows) {
        if (layout.parameters() != problem.features()) {
            throw new IllegalArgumentException(
                    layout.parameters() + " parameters for rows of " + problem.features() + " features");
        }
        this.layout = layout;
        this.pass = new RowPass(problem, layout, new Strides(problem.samples(), fewestRows));
        this.proofPass = new ProofPass(problem, layout);
        this.hessianWork = hessianWork(problem, layout);
    }

    /** A row with v values takes 2v operations for a product, 2v for a gradient and v² for a Hessian. */
    private static double hessianWork(LocalProblem problem, PassLayout layout) {
        double values = (double) problem.data().storedValues()
                / Math.max(1, problem.data().rows());
        return layout.inSpan() ? (double) layout.curved() * layout.curved() / (4 * Math.max(1, values)) : values / 4;
    }

    @Override
    public int visits(int stride) {
        return pass.sample(stride).size();
    }

    @Override
    public void keepRareColumns() {
        pass.keepRareColumns();
    }

    @Override
    public double cost(PassSums what, int stride) {
        int visits = visits(stride);
        return switch (what) {
            case GRADIENT -> visits;
            case DIAGONAL -> 1.5 * visits;
            case HESSIAN, PROOF -> visits * (1 + hessianWork);
            case COLUMNS -> visits * (1 + hessianWork * chosen * chosen);
            // Each combination takes a product and a sum; the coordinates in the span, which are products, follow
            // later.
            case SPAN -> visits * (1 + 1.5 * layout.combinations());
        };
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        pass.sum(what, theta, stride, tight, sums);
    }

    @Override
    public void prove(double[] theta, ProofBasis basis, double[] sums) {
        layout.require(theta);
        proofPass.sum(theta, basis, sums);
    }

    @Override
    public void choose(WorkingSet set) {
        chosen = (double) set.columns().length / layout.parameters();
        pass.choose(set);
    }

    @Override
    public void project(Span span) {
        pass.project(span);
    }
}
