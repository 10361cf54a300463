package dev.starling.method.adfs;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solved;
import dev.starling.network.SpanningTree;
import dev.starling.node.Exchange;
import dev.starling.problem.Regulariser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A node program that stops its algorithm when a duality gap says so. Wrapped around the algorithm, it lets rounds pass
 * through and, at steps that all nodes know, gathers a certificate by messages along a spanning tree of the network:
 *
 * <ol>
 *   <li>up: Σ s x and Σ ℓ*(s), children to parents; the root has θ̂ = ∇ω*(−Σ s x), that is −Σ s x/σ_tot for ω =
 *       (σ_tot/2)‖·‖²;
 *   <li>down: θ̂, parents to children;
 *   <li>up: Σ ℓ(xᵀθ̂); the root has the gap;
 *   <li>down: the gap, from which every node sees by itself whether to go on, when to check again and whether the
 *       algorithm's constants are still to be believed ({@link Judge}). All nodes end with the same θ̂, the same
 *       certificate, at the same step.
 * </ol>
 *
 * Σ s x is summed anew from the scalars, so the certificate is true even where the algorithm's vectors have drifted.
 * With the sums goes a bound on their rounding ({@link GapSums}). Where that is most of what is left of the gap, and
 * checks bring no better certificate, the run ends: nothing more can be proven.
 */
public final class CertifiedProgram implements MethodNode {

    private enum Phase {
        RUN,
        GATHER_DUAL,
        SEND_DUAL,
        SEND_PARAMETER,
        GATHER_LOSS,
        ASK,
        SEND_LOSS,
        SEND_TOTALS,
        DONE
    }

    /* The totals, as they are broadcast. */
    private static final int OBJECTIVE = 0;
    private static final int DUAL = 1;
    private static final int ERROR = 2;
    private static final int STEPS = 3;
    private static final int LAST = 4;
    private static final int TOTALS_LENGTH = 5;

    private final DualProgram algorithm;
    private final Facts facts;
    private final StoppingRule rule;
    private final Judge judge;
    private final double samplesPerNode;
    private final CertificateListener listener;
    private final int[] parent;
    private final int[] children;
    private final Regulariser regulariser;
    private final Exchange exchange = new Exchange();

    private final GapSums sums;
    private final double[] parameter;
    private final double[] best;
    private final double[] totals = new double[TOTALS_LENGTH];

    private Phase phase = Phase.RUN;
    private long nextCheck;
    private boolean last;
    private boolean stalled;

    /**
     * A certified node.
     *
     * @param facts what the nodes are together
     * @param theory what theory has for the algorithm
     * @param listener told of every certificate, at every node it is given to
     */
    public CertifiedProgram(
            DualProgram algorithm,
            SpanningTree tree,
            int node,
            Facts facts,
            Theory theory,
            StoppingRule rule,
            int nodes,
            CertificateListener listener) {
        this.algorithm = algorithm;
        this.facts = facts;
        this.rule = rule;
        this.samplesPerNode = (double) facts.samples() / nodes;
        this.judge = new Judge(rule, theory, samplesPerNode);
        this.listener = listener;
        this.parent = tree.parent(node) < 0 ? new int[0] : new int[] {tree.parent(node)};
        this.children = tree.children(node);
        this.regulariser = algorithm.problem().regulariser();
        int features = algorithm.problem().features();
        this.sums = new GapSums(algorithm, facts, nodes);
        this.parameter = new double[features];
        this.best = new double[features];
        this.nextCheck = judge.firstCheck();
    }

    /** A certified node whose algorithm keeps its constants. */
    public CertifiedProgram(
            DualProgram algorithm,
            SpanningTree tree,
            int node,
            Facts facts,
            StepForecast pace,
            StoppingRule rule,
            int nodes,
            CertificateListener listener) {
        this(algorithm, tree, node, facts, Theory.fixed(pace), rule, nodes, listener);
    }

    /** The length of the longest message of such a run. */
    static int longestMessage(int features) {
        return Math.max(TOTALS_LENGTH, GapSums.dualLength(features));
    }

    @Override
    public Exchange advance() {
        return switch (phase) {
            case RUN -> run();
            case GATHER_DUAL -> gatherDual();
            case SEND_DUAL -> report(sums.dual());
            case SEND_PARAMETER -> exchange.tell(children, parameter, parameter.length);
            case GATHER_LOSS -> gatherLoss();
            case ASK -> exchange.ask(StoppingRule.TIME_IS_UP);
            case SEND_LOSS -> report(sums.losses());
            case SEND_TOTALS -> exchange.tell(children, totals, TOTALS_LENGTH).atRest();
            case DONE -> exchange.end();
        };
    }

    private Exchange run() {
        if (!last && algorithm.steps() < nextCheck) {
            return algorithm.advance();
        }
        phase = Phase.GATHER_DUAL;
        return gatherDual();
    }

    private Exchange gatherDual() {
        sums.sumDual();
        return exchange.await(children);
    }

    private Exchange report(double[] vector) {
        return exchange.set(Exchange.Kind.CONTROL, parent, vector, vector.length, parent, 0);
    }

    private Exchange gatherLoss() {
        sums.sumLosses(parameter);
        return exchange.await(children);
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case RUN -> algorithm.absorb(messages);
            case GATHER_DUAL -> {
                add(messages, sums.dual());
                if (isRoot()) {
                    for (int c = 0; c < parameter.length; c++) {
                        parameter[c] = regulariser.parameter(-sums.dual()[c] / facts.sigma());
                    }
                    phase = Phase.SEND_PARAMETER;
                } else {
                    phase = Phase.SEND_DUAL;
                }
            }
            case SEND_DUAL -> {
                System.arraycopy(messages[0], 0, parameter, 0, parameter.length);
                phase = Phase.SEND_PARAMETER;
            }
            case SEND_PARAMETER -> phase = Phase.GATHER_LOSS;
            case GATHER_LOSS -> {
                add(messages, sums.losses());
                if (isRoot() && !rule.timed()) {
                    addUp();
                }
                phase = !isRoot() ? Phase.SEND_LOSS : rule.timed() ? Phase.ASK : Phase.SEND_TOTALS;
            }
            case ASK -> {
                last |= messages[0][0] != 0;
                addUp();
                phase = Phase.SEND_TOTALS;
            }
            case SEND_LOSS -> {
                System.arraycopy(messages[0], 0, totals, 0, TOTALS_LENGTH);
                phase = Phase.SEND_TOTALS;
            }
            case SEND_TOTALS -> takeTotals();
            default -> throw new IllegalStateException("absorbed while " + phase);
        }
    }

    private boolean isRoot() {
        return parent.length == 0;
    }

    private static void add(double[][] messages, double[] vector) {
        for (double[] message : messages) {
            for (int k = 0; k < vector.length; k++) {
                vector[k] += message[k];
            }
        }
    }

    private void addUp() {
        totals[OBJECTIVE] = sums.objective(parameter);
        totals[DUAL] = sums.dualValue(parameter);
        totals[ERROR] = sums.error(parameter);
        totals[STEPS] = algorithm.steps();
        totals[LAST] = last ? 1 : 0;
    }

    private void takeTotals() {
        Certificate certificate = new Certificate(
                totals[OBJECTIVE],
                totals[DUAL],
                totals[ERROR],
                (long) totals[STEPS],
                algorithm.updates() / samplesPerNode);
        if (certificate.betterThan(judge.best())) {
            System.arraycopy(parameter, 0, best, 0, best.length);
        }
        Judge.Verdict verdict = judge.verdict(certificate, totals[LAST] != 0);
        nextCheck = verdict.nextCheck();
        if (verdict.drawIndependently()) {
            algorithm.drawIndependently();
        }
        verdict.belief().ifPresent(algorithm::adopt);
        stalled = verdict.outcome() == Judge.Outcome.STALLED;
        phase = verdict.outcome() == Judge.Outcome.GO_ON ? Phase.RUN : Phase.DONE;
        listener.onCertificate(certificate, nextCheck);
    }

    /** {@inheritDoc} The gap is true for any dual point, so the nodes need not be at the same step. */
    @Override
    public void certifyNow() {
        last = true;
        phase = phase == Phase.DONE ? Phase.DONE : Phase.RUN;
    }

    @Override
    public Solved result() {
        return new Solved(judge.best(), best, stalled);
    }

    @Override
    public int longestMessage() {
        return longestMessage(parameter.length);
    }

    @Override
    public double passes() {
        return judge.epochsAt(algorithm.steps());
    }

    @Override
    public long updates() {
        return algorithm.updates();
    }

    @Override
    public boolean isDone() {
        return phase == Phase.DONE;
    }

    @Override
    public void estimate(double[] theta) {
        algorithm.estimate(theta);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        // First, as it begins with whose state it is.
        algorithm.save(out);
        out.writeUTF(phase.name());
        out.writeBoolean(last);
        out.writeLong(nextCheck);
        out.writeBoolean(stalled);
        judge.save(out);
        for (double[] vector : state()) {
            for (double value : vector) {
                out.writeDouble(value);
            }
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        algorithm.restore(in);
        phase = Phase.valueOf(in.readUTF());
        last = in.readBoolean();
        nextCheck = in.readLong();
        stalled = in.readBoolean();
        judge.restore(in);
        for (double[] vector : state()) {
            for (int k = 0; k < vector.length; k++) {
                vector[k] = in.readDouble();
            }
        }
    }

    private double[][] state() {
        return new double[][] {sums.dual(), sums.losses(), parameter, best, totals};
    }
}
