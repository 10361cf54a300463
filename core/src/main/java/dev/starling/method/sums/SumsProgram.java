package dev.starling.method.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.ObjectionException;
import dev.starling.node.State;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A node of a method that exchanges nothing but sums: the node computes the addend that the last decision asks for, the
 * addends of all nodes are added up, and each node makes the next decision from the totals. Nothing but the totals
 * matters, so the answer does not depend on how rows are spread over nodes, except for rounding.
 *
 * @param <D> the method's type of decision
 */
public final class SumsProgram<D extends Decision> implements MethodNode {

    private enum Phase {
        ASK,
        SUM,
        DONE
    }

    private final State.Owner owner;
    private final String method;
    private final Collectives nodes;
    private final OwnRows<D> rows;
    private final boolean timed;
    private final int longest;
    private final int numbers;
    private final Decisions<D> decisions;
    private final CertificateListener listener;
    private final Exchange exchange = new Exchange();

    private Phase phase;
    private D decision;
    private HiddenSum sum;
    private boolean wantsToStop;
    private long updates;
    private double[] addend = {};

    /**
     * Creates a node at the start of its run.
     *
     * @param method the name of the method
     * @param decisions creates the decisions; called once in a process that has all nodes
     * @param numbers how many numbers the longest sum has
     */
    public SumsProgram(
            String method, Assignment assignment, OwnRows<D> rows, Supplier<Decisions<D>> decisions, int numbers) {
        LocalProblem problem = assignment.problem();
        this.nodes = assignment.place();
        this.owner = new State.Owner(nodes.node(), problem.features(), problem.samples());
        this.method = method;
        this.rows = rows;
        this.timed = assignment.rule().timed();
        this.longest = HiddenSum.longestMessage(nodes, numbers);
        this.decisions = nodes.together() ? nodes.shared().once(sharedName(), decisions) : decisions.get();
        this.listener = assignment.listener();
        this.numbers = numbers;
        follow(this.decisions.latest());
    }

    /** Continues with what a decision asks for. */
    private void follow(D next) {
        decision = next;
        phase = next.ended() ? Phase.DONE : timed ? Phase.ASK : Phase.SUM;
        sum = null;
        if (isDone()) {
            nodes.shared().forget(sharedName());
        }
    }

    private String sharedName() {
        return method + " " + nodes.problem();
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
            SumRequest request = rows.request(decision, nodes.problem());
            int length = HiddenSum.HEAD + request.numbers();
            sum = new HiddenSum(nodes, "pass " + decision.number(), Exchange.Kind.ROUND)
                    .of(request, () -> work(length), rows.cost(decision));
        }
        return sum;
    }

    private double[] work(int length) {
        addend = addend.length < length ? new double[length] : addend;
        updates += rows.add(decision, addend);
        addend[HiddenSum.STOPS] = wantsToStop ? 1 : 0;
        return addend;
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case ASK -> {
                wantsToStop |= messages[0][0] != 0;
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
        D next = decisions.after(decision, totals);
        next.certificate().ifPresent(proof -> listener.onCertificate(proof, next.ended() ? 0 : proof.steps() + 1));
        follow(next);
    }

    /** It cannot be known which node is to blame, so the objection names this node. */
    private void requireRight(double[] totals) {
        try {
            rows.require(decision, addend, totals);
        } catch (InvalidInputException e) {
            throw new ObjectionException(nodes.node(), e.getMessage());
        }
    }

    @Override
    public void certifyNow() {
        follow(decisions.finish());
    }

    @Override
    public Solution result() {
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
        if (estimate.length != decision.point().length) {
            throw new IllegalArgumentException(
                    "room for " + estimate.length + " numbers, the parameter has " + decision.point().length);
        }
        System.arraycopy(decision.point(), 0, estimate, 0, estimate.length);
    }

    @Override
    public void state(State s) throws IOException {
        owner.state(s);
        phase = s.choice(phase);
        wantsToStop = s.flag(wantsToStop);
        updates = s.number(updates);
        decisions.state(s);
        rows.state(s);
        addend = s.vector(addend, HiddenSum.HEAD + numbers);
        boolean summing = s.flag(sum != null);
        if (s.isRestoring()) {
            decision = decisions.latest();
            sum = null;
        }
        if (summing) {
            sum().state(s);
        }
    }
}
