package dev.starling.method.newton;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.method.MethodNode;
import dev.starling.method.Solved;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.ObjectionException;
import dev.starling.node.SavedState;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * A node of Newton's method on a network: it makes the pass over its samples that the last decision asks for, all nodes
 * add up what they found, and each takes the next decision from the totals. As these are all that matters, the answer
 * does not depend on how rows are spread over nodes but for rounding.
 *
 * <p>The gradient of a pass over all samples is a certificate, so there are no further messages for that.
 */
final class NewtonProgram implements MethodNode {

    private enum Phase {
        ASK,
        SUM,
        DONE
    }

    private final SavedState.Owner owner;
    private final Collectives nodes;
    private final NewtonPass pass;
    private final boolean timed;
    private final int longest;
    private final NewtonDecisions decisions;
    private final CertificateListener listener;
    private final double hessianWork;
    private final TotalsCheck check;
    private final Exchange exchange = new Exchange();
    private final double[] addend;

    private Phase phase;
    private Decision decision;
    private HiddenSum sum;
    private boolean wishesToStop;
    private long updates;

    NewtonProgram(
            LocalProblem problem,
            Collectives nodes,
            TunedNewton tuned,
            StoppingRule rule,
            Optional<double[]> start,
            CertificateListener listener) {
        int features = problem.features();
        this.owner = new SavedState.Owner(nodes.node(), features, problem.samples());
        this.nodes = nodes;
        this.pass = new NewtonPass(problem);
        this.timed = rule.timed();
        this.longest = HiddenSum.longestMessage(nodes, tuned.numbers());
        this.listener = listener;
        this.decisions = nodes.together()
                ? nodes.shared().once(sharedName(), () -> decisions(tuned, rule, start))
                : decisions(tuned, rule, start);
        this.hessianWork = hessianWork(problem);
        this.check = new TotalsCheck(problem, tuned);
        this.addend = new double[HiddenSum.HEAD + tuned.numbers()];
        take(decisions.latest());
    }

    private NewtonDecisions decisions(TunedNewton tuned, StoppingRule rule, Optional<double[]> start) {
        return new NewtonDecisions(tuned, rule, nodes.guard().limits().sharedBy(nodes.problems()), start);
    }

    /** A row with v values takes 2v operations for a product and as many for a gradient, and v² for a Hessian. */
    private static double hessianWork(LocalProblem problem) {
        return problem.data().storedValues() / (4.0 * Math.max(1, problem.data().rows()));
    }

    /** Goes on with what a decision asks for. */
    private void take(Decision next) {
        decision = next;
        phase = next.ended() ? Phase.DONE : timed ? Phase.ASK : Phase.SUM;
        sum = null;
        if (isDone()) {
            nodes.shared().forget(sharedName());
        }
    }

    private String sharedName() {
        return "newton " + nodes.problem();
    }

    @Override
    public Exchange advance() {
        return switch (phase) {
            case ASK -> exchange.ask(StoppingRule.TIME_IS_UP);
            case SUM -> sum().advance();
            case DONE -> exchange.end();
        };
    }

    private HiddenSum sum() {
        if (sum == null) {
            sum = new HiddenSum(nodes, "pass " + decision.number(), Exchange.Kind.ROUND);
            int length = decision.order().length(decision.point().length);
            int visits = pass.visits(decision.every());
            SumRequest request = new SumRequest(
                    decision.order().kind(),
                    nodes.problem(),
                    decision.every(),
                    decision.point(),
                    visits,
                    length - HiddenSum.HEAD);
            sum.of(request, this::work, decision.order() == PassSums.HESSIAN ? visits * (1 + hessianWork) : visits);
        }
        return sum;
    }

    private double[] work() {
        pass.sum(decision.order(), decision.point(), decision.every(), decision.tight(), addend);
        addend[HiddenSum.STOPS] = wishesToStop ? 1 : 0;
        updates += pass.visits(decision.every());
        return addend;
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case ASK -> {
                wishesToStop |= messages[0][0] != 0;
                phase = Phase.SUM;
            }
            case SUM -> {
                sum.absorb(messages);
                if (sum.isDone()) {
                    decide(sum.totals());
                }
            }
            default -> throw new IllegalStateException("absorbed while " + phase);
        }
    }

    private void decide(double[] totals) {
        if (nodes.guard().isBetweenOwners()) {
            requireRight(totals);
        }
        Decision next = decisions.after(decision, totals);
        next.certificate().ifPresent(proof -> listener.onCertificate(proof, next.ended() ? 0 : proof.steps() + 1));
        take(next);
    }

    /** Who is to blame cannot be told, so this node says it of itself. */
    private void requireRight(double[] totals) {
        try {
            check.require(decision, addend, totals);
        } catch (InvalidInputException e) {
            throw new ObjectionException(nodes.node(), e.getMessage());
        }
    }

    @Override
    public void certifyNow() {
        take(decisions.finish());
    }

    @Override
    public Solved result() {
        return decisions.result();
    }

    @Override
    public int longestMessage() {
        return longest;
    }

    @Override
    public double passes() {
        return decision.epochs();
    }

    @Override
    public long updates() {
        return updates;
    }

    @Override
    public boolean isDone() {
        return phase == Phase.DONE;
    }

    @Override
    public void estimate(double[] estimate) {
        System.arraycopy(decision.point(), 0, estimate, 0, estimate.length);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        owner.write(out);
        out.writeUTF(phase.name());
        out.writeBoolean(wishesToStop);
        out.writeLong(updates);
        decisions.save(out);
        check.save(out);
        SavedState.writeDoubles(out, addend);
        out.writeBoolean(sum != null);
        if (sum != null) {
            sum.save(out);
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner.require(in);
        phase = Phase.valueOf(in.readUTF());
        wishesToStop = in.readBoolean();
        updates = in.readLong();
        decisions.restore(in);
        decision = decisions.latest();
        check.restore(in);
        SavedState.readDoubles(in, addend);
        sum = null;
        if (in.readBoolean()) {
            sum().restore(in);
        }
    }
}
