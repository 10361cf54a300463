package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Solution;
import dev.starling.method.sums.Releases;
import dev.starling.method.sums.SharedDecisions;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/** The decisions of the method of multipliers: what was proven, and what is to be added up next. */
final class MultiplierDecisions extends SharedDecisions<MultiplierDecision> {

    /** So many gradients without a better certificate: rounding has the last word. */
    private static final int PATIENCE = 1000;

    /** As many where rounding is the greater part of the gap that is left. */
    private static final int PATIENCE_WITH_ROUNDING = 40;

    /** As many where nodes may tell what they told before: then there is most likely no more to learn. */
    private static final int PATIENCE_BETWEEN_OWNERS = 20;

    /** Where rounding may hide this part of a gap, it is worth bounding tightly. */
    private static final double WORTH_BOUNDING = 0.1;

    private final SemismoothNewton newton;
    private final StoppingRule rule;
    private final ReleaseLimits limits;
    private final Releases releases;
    private final GradientLayout sums;
    private final int features;
    private final long samples;
    private final double samplesPerNode;
    private final double[] best;

    /** The point of the lowest objective. */
    private final double[] lowestPoint;

    private Proof lowest = Proof.NONE;
    private Proof highest = Proof.NONE;
    private Certificate bestCertificate = Certificate.NONE;
    private double objective;
    private boolean last;
    private boolean tight;
    private boolean stalled;
    private int futileGradients;
    private double epochs;

    MultiplierDecisions(
            TunedMultipliers tuned, StoppingRule rule, ReleaseLimits limits, int every, Optional<double[]> start) {
        this.sums = tuned.sums();
        this.features = sums.features();
        this.samples = tuned.totals().samples();
        this.samplesPerNode = tuned.samplesPerNode();
        this.rule = rule;
        this.limits = limits;
        this.releases = new Releases(limits);
        this.newton = new SemismoothNewton(sums, samples, tuned.penalty(), tuned.direct(), limits.rows() > 1, every);
        this.best = new double[features];
        this.lowestPoint = new double[features];
        start.ifPresent(newton::beginAt);
        begin();
    }

    @Override
    protected MultiplierDecision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new MultiplierDecision(number, certificate, ended, newton.order(), tight, epochs);
    }

    @Override
    protected MultiplierDecision decide(MultiplierDecision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        SumKind ask = asked.order().ask();
        releases.add(sums.numbers(ask), ask == SumKind.HESSIAN);
        last |= totals[HiddenSum.STOPS] > 0;
        Optional<Certificate> certificate = Optional.empty();
        switch (ask) {
            case GRADIENT -> certificate = afterGradient(asked, totals);
            case HESSIAN -> newton.afterHessian(totals, objective, tight);
            case LINE -> {
                epochs += asked.order().known() ? 0 : 1.0 / asked.order().every();
                newton.afterLine(totals, tight);
            }
        }
        last |= !mayTell(SumKind.GRADIENT) || epochs >= rule.maxEpochs();
        // What is left to do of a step would prove nothing that is not proven, or nothing better than a step before.
        boolean ended = stalled || last || rule.isMet(bestCertificate);
        if (ended && asked.order().every() > 1) {
            ended = false;
            newton.certify();
        }
        return decision(asked.number() + 1, certificate, ended);
    }

    private Optional<Certificate> afterGradient(MultiplierDecision asked, double[] totals) {
        epochs += totals[GradientLayout.VISITS] / samples;
        Proof proof = newton.takeGradient(totals);
        objective = proof.objective();
        Optional<Certificate> certificate =
                asked.order().every() == 1 ? Optional.of(certify(asked, proof)) : Optional.empty();
        boolean shy = limits.rows() > 0 && totals[GradientLayout.SHY] > 0;
        // A narrower band would leave some node with too few samples in it to tell of.
        last |= shy && newton.isSolved();
        newton.afterGradient(objective, mayTell(SumKind.HESSIAN) && !shy, tight);
        return certificate;
    }

    /** What the point of a gradient over all samples is proven to be. */
    private Certificate certify(MultiplierDecision asked, Proof proof) {
        long steps = (long) (epochs * samplesPerNode);
        Certificate certificate = proof.certificate(steps, epochs);
        boolean better = consider(certificate, asked.point());
        if (proof.objective() + proof.uncertain() < lowest.objective() + lowest.uncertain()) {
            lowest = proof;
            System.arraycopy(asked.point(), 0, lowestPoint, 0, features);
        }
        highest = highest.least() >= proof.least() ? highest : proof;
        Certificate mixed = lowest.certificate(highest, steps, epochs);
        better |= consider(mixed, lowestPoint);
        futileGradients = better ? 0 : futileGradients + 1;
        stalled = futileGradients >= (bestCertificate.isMostlyRounding() ? PATIENCE_WITH_ROUNDING : PATIENCE);
        last |= limits.rows() > 1 && futileGradients >= PATIENCE_BETWEEN_OWNERS;
        Certificate proven = mixed.betterThan(certificate) ? mixed : certificate;
        // Also where the error is no number, as it is where an objective of 0 is uncertain.
        tight |= !(proven.error() <= WORTH_BOUNDING * (proven.objective() - proven.dual()));
        return proven;
    }

    private boolean consider(Certificate certificate, double[] point) {
        if (!certificate.betterThan(bestCertificate)) {
            return false;
        }
        bestCertificate = certificate;
        System.arraycopy(point, 0, best, 0, features);
        return true;
    }

    /** Whether something may be added up, and what it takes to certify what comes of it. */
    private boolean mayTell(SumKind ask) {
        boolean curved = ask == SumKind.HESSIAN;
        long step = (long) sums.numbers(SumKind.GRADIENT) + sums.numbers(SumKind.LINE);
        // Gradients are worth more than curvatures, which are so many numbers: half of them are kept for those.
        long room = curved ? limits.numbers() / 2 : limits.numbers() - step;
        return releases.allow(sums.numbers(ask), curved, room, 3);
    }

    @Override
    protected boolean hasten() {
        if (last) {
            return false;
        }
        last = true;
        newton.certify();
        return true;
    }

    @Override
    public synchronized Solution result() {
        return new Solution(bestCertificate, best, stalled);
    }

    @Override
    protected void saveProgress(DataOutput out) throws IOException {
        lowest.save(out);
        highest.save(out);
        bestCertificate.save(out);
        SavedState.writeDoubles(out, best);
        SavedState.writeDoubles(out, lowestPoint);
        out.writeDouble(objective);
        out.writeBoolean(last);
        out.writeBoolean(tight);
        out.writeBoolean(stalled);
        out.writeInt(futileGradients);
        out.writeDouble(epochs);
        releases.save(out);
        newton.save(out);
    }

    @Override
    protected void restoreProgress(DataInput in) throws IOException {
        lowest = Proof.restore(in);
        highest = Proof.restore(in);
        bestCertificate = Certificate.restore(in);
        SavedState.readDoubles(in, best);
        SavedState.readDoubles(in, lowestPoint);
        objective = in.readDouble();
        last = in.readBoolean();
        tight = in.readBoolean();
        stalled = in.readBoolean();
        futileGradients = in.readInt();
        epochs = in.readDouble();
        releases.restore(in);
        newton.restore(in);
    }
}
