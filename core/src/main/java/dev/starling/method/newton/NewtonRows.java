package dev.starling.method.newton;

import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.method.sums.OwnRows;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** A node's rows as Newton's method passes over them. */
final class NewtonRows implements OwnRows<Decision> {

    private final PassLayout layout;
    private final NewtonPass pass;
    private final ProofPass proofPass;
    private final TotalsCheck check;
    private final double hessianWork;

    NewtonRows(LocalProblem problem, TunedNewton tuned, int fewestRows) {
        this.layout = tuned.layout();
        this.pass = new NewtonPass(problem, layout, fewestRows);
        this.proofPass = new ProofPass(problem, layout);
        this.check = new TotalsCheck(problem, tuned);
        this.hessianWork = hessianWork(problem, layout);
    }

    /** A row with v values takes 2v operations for a product, 2v for a gradient and v² for a Hessian. */
    private static double hessianWork(LocalProblem problem, PassLayout layout) {
        double values = (double) problem.data().storedValues()
                / Math.max(1, problem.data().rows());
        return layout.inSpan() ? (double) layout.curved() * layout.curved() / (4 * Math.max(1, values)) : values / 4;
    }

    @Override
    public SumRequest request(Decision decision, int problem) {
        return SumRequest.atPoint(
                        decision.passSums().kind(),
                        problem,
                        decision.stride(),
                        decision.point(),
                        pass.visits(decision.stride()),
                        layout.numbers(decision.passSums()))
                .named(decision.passSums().text());
    }

    @Override
    public double cost(Decision decision) {
        int visits = pass.visits(decision.stride());
        return switch (decision.passSums()) {
            case GRADIENT -> visits;
            case DIAGONAL -> 1.5 * visits;
            case HESSIAN, PROOF -> visits * (1 + hessianWork);
            // Each combination takes a product and a sum; the coordinates in the span, which are products, follow
            // later.
            case SPAN -> visits * (1 + 1.5 * layout.combinations());
        };
    }

    @Override
    public long add(Decision decision, double[] addend) {
        decision.span().ifPresent(pass::project);
        decision.basis()
                .ifPresentOrElse(
                        basis -> proofPass.sum(decision.point(), basis, addend),
                        () -> pass.sum(
                                decision.passSums(), decision.point(), decision.stride(), decision.tight(), addend));
        return pass.visits(decision.stride());
    }

    @Override
    public void require(Decision decision, double[] addend, double[] totals) {
        check.require(decision, addend, totals);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        check.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        check.restore(in);
    }
}
