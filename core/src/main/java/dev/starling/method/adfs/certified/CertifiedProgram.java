package dev.starling.method.adfs.certified;

import dev.starling.certificate.Certificate;
import dev.starling.cores.NewCode;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.TrainingSum;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.Regulariser;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * A node program that stops an algorithm once the duality gap is small enough. It wraps the algorithm, passes its
 * rounds through and, at steps that all nodes know, computes a certificate from two {@linkplain HiddenSum hidden sums}:
 *
 * <ol>
 *   <li>Σ s x and Σ ℓ*(s), from which every node computes θ̂ = ∇ω*(−Σ s x), that is −Σ s x/σ_tot for ω = (σ_tot/2)‖·‖²;
 *   <li>Σ ℓ(xᵀθ̂), from which every node computes the gap and decides for itself whether to continue, when to check
 *       again and whether to keep the algorithm's constants ({@link RunJudge}). All nodes end at the same step, with
 *       the same θ̂ and the same certificate.
 * </ol>
 *
 * Σ s x is recomputed from the scalars, so the certificate is valid even if the algorithm's vectors have drifted. The
 * sums include a bound on their rounding ({@link GapSums}). When that bound makes up most of the remaining gap, and
 * checks bring no better certificate, the run ends, since nothing more can be proven.
 */
public final class CertifiedProgram implements MethodNode {

    private enum Phase {
        RUN,
        DUAL,
        ASK,
        LOSSES,
        DONE
    }

    private static final String DUAL = "dual";
    private static final String LOSSES = "losses";

    private final DualProgram algorithm;
    private final Collectives nodes;
    private final Facts facts;
    private final StoppingRule rule;
    private final RunJudge judge;
    private final double samplesPerNode;
    private final CertificateListener listener;
    private final Exchange exchange = new Exchange();

    private final GapSums sums;
    private final double[] parameter;

    private Phase phase = Phase.RUN;
    private HiddenSum sum;
    private int checks;
    private long nextCheck;
    private boolean cutShort;
    private boolean wantsToStop;
    private Solution best;
    private boolean stopped;

    /**
     * Creates a certified node.
     *
     * @param nodes this node's place in the network
     * @param facts the facts of all nodes, added up
     * @param theory what theory predicts for the algorithm
     * @param listener receives every certificate; each node that is given a listener calls it
     */
    public CertifiedProgram(
            DualProgram algorithm,
            Collectives nodes,
            Facts facts,
            Theory theory,
            StoppingRule rule,
            CertificateListener listener) {
        this.algorithm = algorithm;
        this.nodes = nodes;
        this.facts = facts;
        this.rule = rule;
        this.samplesPerNode = (double) facts.samples() / nodes.size();
        this.judge = new RunJudge(rule, theory, samplesPerNode);
        this.listener = listener;
        int features = algorithm.problem().features();
        this.sums = new GapSums(algorithm, facts);
        this.parameter = new double[features];
        this.best = new Solution(Certificate.NONE, new double[features]);
        this.nextCheck = judge.firstCheck();
    }

    /** Returns the sums that such a run adds up. */
    public static List<TrainingSum> trainingSums(int features) {
        return List.of(
                new TrainingSum(SumKind.ESTIMATES, DUAL, GapSums.dualNumbers(features)),
                new TrainingSum(SumKind.ESTIMATES, LOSSES, GapSums.LOSS_NUMBERS));
    }

    /** Returns the length of the longest message of such a run. */
    public static int longestMessage(Collectives nodes, int features) {
        return HiddenSum.longestMessage(nodes, GapSums.dualNumbers(features));
    }

    @Override
    public Exchange advance() {
        return switch (phase) {
            case RUN -> run();
            case DUAL, LOSSES -> sum().advance();
            case ASK -> exchange.ask(StoppingRule.TIME_IS_UP);
            case DONE -> exchange.end();
        };
    }

    private Exchange run() {
        if (!cutShort && algorithm.steps() < nextCheck) {
            return algorithm.advance();
        }
        phase = Phase.DUAL;
        return sum().advance();
    }

    /** Returns the sum of the present phase. */
    private HiddenSum sum() {
        if (sum == null) {
            boolean dual = phase == Phase.DUAL;
            String kind = dual ? DUAL : LOSSES;
            // Nodes that are told to certify now need not be at the same check.
            sum = new HiddenSum(nodes, kind + " " + (cutShort ? "at the end" : checks), Exchange.Kind.CONTROL);
            SumRequest request = SumRequest.atPoint(
                            SumKind.ESTIMATES,
                            nodes.problem(),
                            1,
                            dual ? new double[0] : parameter.clone(),
                            algorithm.problem().samples(),
                            dual ? GapSums.dualNumbers(parameter.length) : GapSums.LOSS_NUMBERS)
                    .named(kind);
            Supplier<double[]> pass = dual ? sums::sumDual : this::losses;
            sum.of(request, () -> NewCode.call(pass));
        }
        return sum;
    }

    private double[] losses() {
        double[] losses = sums.sumLosses(parameter, nodes.parent() < 0 ? algorithm.steps() : 0);
        losses[HiddenSum.STOPS] = cutShort || wantsToStop ? 1 : 0;
        return losses;
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case RUN -> algorithm.absorb(messages);
            case DUAL -> {
                sum.absorb(messages);
                if (sum.isDone()) {
                    takeDual(sum.totals());
                }
            }
            case ASK -> {
                wantsToStop |= messages[0][0] != 0;
                phase = Phase.LOSSES;
            }
            case LOSSES -> {
                sum.absorb(messages);
                if (sum.isDone()) {
                    takeLosses(sum.totals());
                }
            }
            default -> throw new IllegalStateException("absorbed while " + phase);
        }
    }

    private void takeDual(double[] totals) {
        take(totals, sums.dual());
        Regulariser regulariser = algorithm.problem().regulariser();
        for (int c = 0; c < parameter.length; c++) {
            parameter[c] = regulariser.parameter(-totals[HiddenSum.HEAD + c] / facts.sigma());
        }
        phase = rule.timed() ? Phase.ASK : Phase.LOSSES;
    }

    private void take(double[] totals, double[] into) {
        System.arraycopy(totals, 0, into, 0, totals.length);
        sum = null;
    }

    private void takeLosses(double[] totals) {
        take(totals, sums.losses());
        checks++;
        // Totals that are too large tell nothing, not even when they were made; the limit on epochs must be seen
        // anyway.
        long steps = HiddenSum.isTooLarge(totals) ? algorithm.steps() : sums.steps();
        Certificate certificate = new Certificate(
                sums.objective(parameter),
                sums.dualValue(parameter),
                sums.error(parameter),
                steps,
                algorithm.updates() / samplesPerNode);
        stopped = totals[HiddenSum.STOPS] > 0;
        RunJudge.Verdict verdict = judge.verdict(certificate, stopped);
        if (verdict.outcome() != RunJudge.Outcome.GO_ON && judge.best().equals(Certificate.NONE)) {
            // There has been no certificate at all; these checks throw an exception that says why.
            HiddenSum.requireNotTooLarge(sums.dual());
            HiddenSum.requireNotTooLarge(sums.losses());
        }
        nextCheck = verdict.nextCheck();
        if (verdict.drawIndependently()) {
            algorithm.drawIndependently();
        }
        verdict.belief().ifPresent(algorithm::adopt);
        best = best.then(new Solution(certificate, parameter.clone(), verdict.outcome() == RunJudge.Outcome.STALLED));
        phase = verdict.outcome() == RunJudge.Outcome.GO_ON ? Phase.RUN : Phase.DONE;
        listener.onCertificate(certificate, nextCheck);
    }

    /** {@inheritDoc} The gap is valid for any dual point, so the nodes need not be at the same step. */
    @Override
    public void certifyNow() {
        cutShort = true;
        sum = null;
        phase = phase == Phase.DONE ? Phase.DONE : Phase.RUN;
    }

    /** Returns whether the run has ended because some node wished to stop. */
    public boolean wasStopped() {
        return stopped;
    }

    @Override
    public Solution result() {
        return best;
    }

    @Override
    public int longestMessage() {
        return longestMessage(nodes, parameter.length);
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
    public void state(State s) throws IOException {
        // This comes first because it begins with the owner of the state.
        algorithm.state(s);
        phase = s.choice(phase);
        checks = s.number(checks);
        cutShort = s.flag(cutShort);
        wantsToStop = s.flag(wantsToStop);
        nextCheck = s.number(nextCheck);
        boolean stalled = s.flag(best.stalled());
        stopped = s.flag(stopped);
        judge.state(s);
        for (double[] vector : new double[][] {sums.dual(), sums.losses(), parameter, best.parameter()}) {
            s.vector(vector);
        }
        best = new Solution(judge.best(), best.parameter(), stalled);
        boolean summing = s.flag(sum != null);
        if (s.isRestoring()) {
            sum = null;
        }
        if (summing) {
            sum().state(s);
        }
    }
}
