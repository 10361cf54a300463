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
 *   <li>up: Σ ℓ(xᵀθ̂); the root has the gap and decides whether to go on and when to check again;
 *   <li>down: the decision. It also says when certificates have fallen behind theory's rate, so that samples are to be
 *       drawn independently from here on. All nodes end with the same θ̂, the same certificate, at the same step.
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
        SEND_DECISION,
        DONE
    }

    /* The decision, as it is broadcast. */
    private static final int OBJECTIVE = 0;
    private static final int DUAL = 1;
    private static final int ERROR = 2;
    private static final int STOP = 3;
    private static final int NEXT_CHECK = 4;
    private static final int DRAW_INDEPENDENTLY = 5;
    private static final int DECISION_LENGTH = 6;

    /* What the decision says of stopping. */
    private static final int GO_ON = 0;
    private static final int END = 1;
    private static final int STALLED = 2;

    /**
     * After this many certificates in a row that prove no more, and are mostly rounding, there is nothing to go on for.
     */
    private static final int PATIENCE = 2;

    /** A certificate is no better, to speak of, if its gap is more than this part of the best one's. */
    private static final double BETTER = 0.9;

    private final DualProgram algorithm;
    private final Facts totals;
    private final StoppingRule rule;
    private final CheckSchedule schedule;
    private final PaceWatch watch;
    private final double samplesPerNode;
    private final double stepsPerEpoch;
    private final CertificateListener listener;
    private final int[] parent;
    private final int[] children;
    private final Regulariser regulariser;
    private final Exchange exchange = new Exchange();

    private final GapSums sums;
    private final double[] parameter;
    private final double[] best;
    private final double[] decision = new double[DECISION_LENGTH];

    private Phase phase = Phase.RUN;
    private long nextCheck;
    private int checks;
    private int futileChecks;
    private boolean last;
    private Certificate latest = Certificate.NONE;
    private Certificate bestCertificate = Certificate.NONE;

    /**
     * A certified node.
     *
     * @param listener told of every certificate, at every node it is given to
     */
    public CertifiedProgram(
            DualProgram algorithm,
            SpanningTree tree,
            int node,
            Facts totals,
            StepForecast pace,
            StoppingRule rule,
            int nodes,
            CertificateListener listener) {
        this.algorithm = algorithm;
        this.totals = totals;
        this.rule = rule;
        this.samplesPerNode = (double) totals.samples() / nodes;
        this.stepsPerEpoch = samplesPerNode / pace.computationProbability();
        this.schedule = new CheckSchedule(rule, pace, samplesPerNode);
        this.watch = new PaceWatch(pace);
        this.listener = listener;
        this.parent = tree.parent(node) < 0 ? new int[0] : new int[] {tree.parent(node)};
        this.children = tree.children(node);
        this.regulariser = algorithm.problem().regulariser();
        int features = algorithm.problem().features();
        this.sums = new GapSums(algorithm, totals, nodes);
        this.parameter = new double[features];
        this.best = new double[features];
        this.nextCheck = schedule.first();
    }

    /** The length of the longest message of such a run. */
    static int longestMessage(int features) {
        return Math.max(DECISION_LENGTH, GapSums.dualLength(features));
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
            case SEND_DECISION ->
                exchange.tell(children, decision, DECISION_LENGTH).atRest();
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
                        parameter[c] = regulariser.parameter(-sums.dual()[c] / totals.sigma());
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
                    decide();
                }
                phase = !isRoot() ? Phase.SEND_LOSS : rule.timed() ? Phase.ASK : Phase.SEND_DECISION;
            }
            case ASK -> {
                last |= messages[0][0] != 0;
                decide();
                phase = Phase.SEND_DECISION;
            }
            case SEND_LOSS -> {
                System.arraycopy(messages[0], 0, decision, 0, DECISION_LENGTH);
                phase = Phase.SEND_DECISION;
            }
            case SEND_DECISION -> takeDecision();
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

    private void decide() {
        decision[OBJECTIVE] = sums.objective(parameter);
        decision[DUAL] = sums.dualValue(parameter);
        decision[ERROR] = sums.error(parameter);
        Certificate certificate = certificate();
        boolean end = last || rule.isMet(certificate) || schedule.isExhausted(certificate.steps());
        boolean better = certificate.relativeGap() <= BETTER * bestCertificate.relativeGap();
        futileChecks = certificate.isMostlyRounding() && !better ? futileChecks + 1 : 0;
        decision[STOP] = end ? END : futileChecks >= PATIENCE ? STALLED : GO_ON;
        decision[NEXT_CHECK] = decision[STOP] == GO_ON ? schedule.next(latest, certificate, checks + 1) : 0;
        decision[DRAW_INDEPENDENTLY] = watch.isBehindTheory(certificate) ? 1 : 0;
    }

    private Certificate certificate() {
        return new Certificate(
                decision[OBJECTIVE],
                decision[DUAL],
                decision[ERROR],
                algorithm.steps(),
                algorithm.updates() / samplesPerNode);
    }

    private void takeDecision() {
        latest = certificate();
        checks++;
        if (latest.betterThan(bestCertificate)) {
            bestCertificate = latest;
            System.arraycopy(parameter, 0, best, 0, best.length);
        }
        nextCheck = (long) decision[NEXT_CHECK];
        if (decision[DRAW_INDEPENDENTLY] != 0) {
            algorithm.drawIndependently();
        }
        phase = decision[STOP] != GO_ON ? Phase.DONE : Phase.RUN;
        listener.onCertificate(latest, nextCheck);
    }

    /** {@inheritDoc} The gap is true for any dual point, so the nodes need not be at the same step. */
    @Override
    public void certifyNow() {
        last = true;
        phase = phase == Phase.DONE ? Phase.DONE : Phase.RUN;
    }

    @Override
    public Solved result() {
        return new Solved(bestCertificate, best, decision[STOP] == STALLED);
    }

    @Override
    public int longestMessage() {
        return longestMessage(parameter.length);
    }

    @Override
    public double passes() {
        return algorithm.steps() / stepsPerEpoch;
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
        out.writeInt(checks);
        watch.save(out);
        out.writeInt(futileChecks);
        latest.save(out);
        bestCertificate.save(out);
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
        checks = in.readInt();
        watch.restore(in);
        futileChecks = in.readInt();
        latest = Certificate.restore(in);
        bestCertificate = Certificate.restore(in);
        for (double[] vector : state()) {
            for (int k = 0; k < vector.length; k++) {
                vector[k] = in.readDouble();
            }
        }
    }

    private double[][] state() {
        return new double[][] {sums.dual(), sums.losses(), parameter, best, decision};
    }
}
