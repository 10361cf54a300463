package dev.starling.objective;

import dev.starling.problem.LocalProblem;

/** The sum of a loss of one margin per row: the only term with spans and proofs by curvature. */
final class RowTerm implements Term {

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
