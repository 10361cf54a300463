package dev.starling.method.adfs.certified;

import dev.starling.certificate.Certificate;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides what follows from each certificate of a run. The decision is a function of the certificates so far and of
 * what all nodes knew before the first step, never of a clock or of a node's own state, so nodes with the same
 * certificates make the same decisions.
 *
 * <p>If the certificates of a run with theory's own constants fall behind theory's pace, it gives up, one after
 * another, what no theorem covers and what was only estimated. First it restarts with independent draws and without
 * adaptation, which is the plain method. Then it quadruples M_i repeatedly, until M_i is as large as the trace of the
 * matrix whose largest eigenvalue it has to bound.
 */
final class RunJudge implements Stateful {

    /** What a certificate means for the run. */
    enum Outcome {
        GO_ON,
        END,
        /** Because of rounding, nothing more can be proven. */
        STALLED
    }

    /**
     * What all nodes do after a certificate.
     *
     * @param nextCheck the step of the next certificate; 0 if there is none
     * @param drawIndependently whether draws must be independent from here on
     * @param belief the new belief that the algorithm has to adopt, if it changes
     */
    record Verdict(Outcome outcome, long nextCheck, boolean drawIndependently, Optional<Belief> belief) {}

    /**
     * After this many certificates in a row that consist mostly of rounding and prove nothing better, there is no point
     * in continuing.
     */
    private static final int PATIENCE = 2;

    /** A certificate counts as better only if its gap is at most this part of the best one's. */
    private static final double BETTER = 0.9;

    private final StoppingRule rule;
    private final Theory theory;
    private final double samplesPerNode;
    private final PaceWatch watch = new PaceWatch();
    private final Adaptation adaptation;

    private Belief belief;
    private EpochCount epochs;
    private boolean plain;
    private boolean adapted;
    private int checks;
    private int futileChecks;
    private Certificate latest = Certificate.NONE;
    private Certificate best = Certificate.NONE;

    RunJudge(StoppingRule rule, Theory theory, double samplesPerNode) {
        this.rule = rule;
        this.theory = theory;
        this.samplesPerNode = samplesPerNode;
        this.belief = theory.atFirst();
        this.adaptation = new Adaptation(rule.relativeGap());
        this.epochs = EpochCount.of(pace(), samplesPerNode);
    }

    private StepForecast pace() {
        return theory.pace(belief);
    }

    private CheckSchedule schedule() {
        return new CheckSchedule(rule, pace(), epochs);
    }

    /** Returns the step of the first certificate. */
    long firstCheck() {
        return schedule().first();
    }

    /** Returns the number of passes over the samples up to a step, which must not be before the latest certificate. */
    double epochsAt(long steps) {
        return epochs.at(steps);
    }

    /** Returns the best certificate so far. */
    Certificate best() {
        return best;
    }

    /**
     * Processes the next certificate.
     *
     * @param last whether the run ends here in any case
     */
    Verdict verdict(Certificate certificate, boolean last) {
        checks++;
        boolean end = last || rule.isMet(certificate) || schedule().isExhausted(certificate.steps());
        boolean better = certificate.relativeGap() <= BETTER * best.relativeGap();
        futileChecks = certificate.isMostlyRounding() && !better ? futileChecks + 1 : 0;
        Certificate previous = latest;
        latest = certificate;
        best = certificate.betterThan(best) ? certificate : best;
        if (end || futileChecks >= PATIENCE) {
            return new Verdict(end ? Outcome.END : Outcome.STALLED, 0, false, Optional.empty());
        }
        boolean wasPlain = plain;
        boolean byTheory = belief.relaxations() == 0 && !belief.restarted();
        boolean behind = byTheory && watch.isBehindTheory(certificate, pace());
        if (behind && theory.endsWhenBehind()) {
            return new Verdict(Outcome.END, 0, false, Optional.empty());
        }
        Optional<Belief> next =
                behind ? fallBack() : plain || !theory.relaxes() ? Optional.empty() : adapt(certificate);
        next.ifPresent(changed -> change(changed, certificate.steps()));
        long nextCheck = schedule().next(previous, certificate, checks, closeness());
        return new Verdict(Outcome.GO_ON, nextCheck, plain && !wasPlain, next);
    }

    private CheckSchedule.Watch closeness() {
        boolean onTrial = belief.relaxations() > 0 || (plain && belief.raises() < theory.mostRaises());
        return belief.restarted()
                ? CheckSchedule.Watch.STEADY
                : onTrial ? CheckSchedule.Watch.CLOSE : CheckSchedule.Watch.LOOSE;
    }

    private Optional<Belief> fallBack() {
        watch.clear();
        if (!plain) {
            plain = true;
            return adapted ? Optional.of(Belief.THEORY) : Optional.empty();
        }
        return belief.raises() < theory.mostRaises()
                ? Optional.of(new Belief(belief.raises() + 1, 0))
                : Optional.empty();
    }

    private Optional<Belief> adapt(Certificate certificate) {
        Belief next = belief.restarted()
                ? new Belief(0, 0, adaptation.judgeRestarts(certificate, theory.pace(Belief.THEORY), pace()))
                : new Belief(belief.raises(), adaptation.judge(certificate, pace(), epochs.stepsPerEpoch()));
        if (next.equals(belief)) {
            return Optional.empty();
        }
        adapted = true;
        return Optional.of(next);
    }

    private void change(Belief next, long steps) {
        watch.clear();
        belief = next;
        epochs = epochs.from(steps, pace(), samplesPerNode);
    }

    @Override
    public void state(State s) throws IOException {
        belief = belief.state(s);
        epochs = new EpochCount(s.number(epochs.origin()), s.number(epochs.stepsPerEpoch()));
        plain = s.flag(plain);
        adapted = s.flag(adapted);
        checks = s.number(checks);
        futileChecks = s.number(futileChecks);
        latest = latest.state(s);
        best = best.state(s);
        watch.state(s);
        adaptation.state(s);
    }
}
