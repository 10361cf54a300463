package dev.starling.method.newton;

import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.method.sums.OwnRows;
import dev.starling.node.State;
import dev.starling.node.SumRequest;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/** A node's term as Newton's method sums it up. */
final class NewtonRows implements OwnRows<Decision> {

    private final PassLayout layout;
    private final Term term;
    private final TotalsCheck check;

    NewtonRows(LocalProblem problem, TunedNewton tuned, int fewestRows, boolean oneOwner) {
        this.layout = tuned.layout();
        this.term = tuned.family().term(problem, layout, fewestRows);
        if (oneOwner) {
            term.keepRareColumns();
        }
        this.check = new TotalsCheck(problem, tuned);
    }

    @Override
    public SumRequest request(Decision decision, int problem) {
        PassSums sums = decision.passSums();
        SumRequest request = SumRequest.atPoint(
                        sums.kind(),
                        problem,
                        decision.stride(),
                        decision.point(),
                        term.visits(decision.stride()),
                        decision.numbers(layout))
                .named(sums.text());
        return term.shares(sums, decision.point(), decision.stride())
                .map(request::withShares)
                .orElse(request);
    }

    @Override
    public double cost(Decision decision) {
        return term.cost(decision.passSums(), decision.stride());
    }

    @Override
    public long add(Decision decision, double[] addend) {
        decision.span().ifPresent(term::project);
        decision.workingSet().ifPresent(term::choose);
        decision.basis()
                .ifPresentOrElse(
                        basis -> term.prove(decision.point(), basis, addend),
                        () -> term.sum(
                                decision.passSums(), decision.point(), decision.stride(), decision.tight(), addend));
        return term.visits(decision.stride());
    }

    @Override
    public void require(Decision decision, double[] addend, double[] totals) {
        check.require(decision, addend, totals);
    }

    @Override
    public void state(State s) throws IOException {
        check.state(s);
    }
}
