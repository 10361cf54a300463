package dev.starling.method.adfs;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solved;
import dev.starling.network.SpanningTree;
import dev.starling.node.Exchange;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

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
    private static final int STOP = 2;
    private static final int NEXT_CHECK = 3;
    private static final int DRAW_INDEPENDENTLY = 4;
    private static final int DECISION_LENGTH = 5;

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

    private final double[] sum;
    private final double[] parameter;
    private final double[] best;
    private final double[] decision = new double[DECISION_LENGTH];
    private final double[] lossMessage = new double[1];
    private double conjugateSum;
    private double lossSum;

    private Phase phase = Phase.RUN;
    private long nextCheck;
    private int checks;
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
        this.sum = new double[features + 1];
        this.parameter = new double[features];
        this.best = new double[features];
        this.nextCheck = schedule.first();
    }

    /** The length of the longest message of such a run. */
    static int longestMessage(int features) {
        return Math.max(DECISION_LENGTH, features + 1);
    }

    @Override
    public Exchange advance() {
        return switch (phase) {
            case RUN -> run();
            case GATHER_DUAL -> gatherDual();
            case SEND_DUAL -> exchange.set(Exchange.Kind.CONTROL, parent, sum, sum.length, parent, 0);
            case SEND_PARAMETER -> exchange.tell(children, parameter, parameter.length);
            case GATHER_LOSS -> gatherLoss();
            case ASK -> exchange.ask(StoppingRule.TIME_IS_UP);
            case SEND_LOSS -> sendLoss();
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
        sumLocalDual();
        return exchange.await(children);
    }

    private Exchange sendLoss() {
        lossMessage[0] = lossSum;
        return exchange.set(Exchange.Kind.CONTROL, parent, lossMessage, 1, parent, 0);
    }

    private Exchange gatherLoss() {
        lossSum = algorithm.problem().lossSum(parameter);
        return exchange.await(children);
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case RUN -> algorithm.absorb(messages);
            case GATHER_DUAL -> {
                for (double[] message : messages) {
                    for (int c = 0; c < sum.length; c++) {
                        sum[c] += message[c];
                    }
                }
                if (isRoot()) {
                    for (int c = 0; c < parameter.length; c++) {
                        parameter[c] = regulariser.parameter(-sum[c] / totals.sigma());
                    }
                    conjugateSum = sum[parameter.length];
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
                for (double[] message : messages) {
                    lossSum += message[0];
                }
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

    private void sumLocalDual() {
        LocalProblem problem = algorithm.problem();
        Dataset data = problem.data();
        Loss loss = problem.loss();
        Arrays.fill(sum, 0);
        CompensatedSum conjugates = new CompensatedSum();
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double weight = data.weight(row);
            double slope = loss.clamp(algorithm.slope(j) / weight, data.label(row));
            conjugates.add(weight * loss.conjugate(slope, data.label(row)));
            data.addTo(row, weight * slope, sum);
        }
        sum[parameter.length] = conjugates.value();
    }

    private void decide() {
        decision[OBJECTIVE] = (lossSum + totals.sigma() * regulariser.value(parameter)) / totals.weight();
        decision[DUAL] = (-conjugateSum - totals.sigma() * regulariser.conjugateAt(parameter)) / totals.weight();
        Certificate certificate = certificate();
        boolean stop = last || rule.isMet(certificate) || schedule.isExhausted(certificate.steps());
        decision[STOP] = stop ? 1 : 0;
        decision[NEXT_CHECK] = stop ? 0 : schedule.next(latest, certificate, checks + 1);
        decision[DRAW_INDEPENDENTLY] = watch.isBehindTheory(certificate) ? 1 : 0;
    }

    private Certificate certificate() {
        return new Certificate(
                decision[OBJECTIVE], decision[DUAL], algorithm.steps(), algorithm.updates() / samplesPerNode);
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
        phase = decision[STOP] != 0 ? Phase.DONE : Phase.RUN;
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
        return new Solved(bestCertificate, best);
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
        latest.save(out);
        bestCertificate.save(out);
        for (double[] vector : new double[][] {sum, parameter, best, decision}) {
            for (double value : vector) {
                out.writeDouble(value);
            }
        }
        out.writeDouble(conjugateSum);
        out.writeDouble(lossSum);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        algorithm.restore(in);
        phase = Phase.valueOf(in.readUTF());
        last = in.readBoolean();
        nextCheck = in.readLong();
        checks = in.readInt();
        watch.restore(in);
        latest = Certificate.restore(in);
        bestCertificate = Certificate.restore(in);
        for (double[] vector : new double[][] {sum, parameter, best, decision}) {
            for (int k = 0; k < vector.length; k++) {
                vector[k] = in.readDouble();
            }
        }
        conjugateSum = in.readDouble();
        lossSum = in.readDouble();
    }
}
