package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Solution;
import dev.starling.method.sums.Releases;
import dev.starling.method.sums.SharedDecisions;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SavedState;
import dev.starling.node.SumKind;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/** The decisions of the method of multipliers: what was proven, and what to add up next. */
final class MultiplierDecisions extends SharedDecisions<MultiplierDecision> {

    /** After this many gradients without a better certificate, rounding must be the limit. */
    private static final int PATIENCE = 1000;

    /** The same limit where rounding makes up most of the remaining gap. */
    private static final int PATIENCE_WITH_ROUNDING = 40;

    /** The same limit where nodes may repeat earlier releases: then there is probably nothing more to learn. */
    private static final int PATIENCE_BETWEEN_OWNERS = 20;

    /** If the bound on rounding is greater than this part of the gap, a tighter bound is worth its cost. */
    private static final double WORTH_BOUNDING = 0.1;

    private final SemismoothNewton newton;
    private final StoppingRule rule;
    private final ReleaseLimits limits;
    private final Releases releases;
    private final GradientLayout layout;
    private final int features;
    private final long samples;
    private final double samplesPerNode;
    private final double[] best;

    /** The point with the lowest objective. */
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
            TunedMultipliers tuned, StoppingRule rule, ReleaseLimits limits, int stride, Optional<double[]> start) {
        this.layout = tuned.layout();
        this.features = layout.features();
        this.samples = tuned.totals().samples();
        this.samplesPerNode = tuned.samplesPerNode();
        this.rule = rule;
        this.limits = limits;
        this.releases = new Releases(limits);
        this.newton = new SemismoothNewton(layout, samples, tuned.penalty(), tuned.direct(), limits.rows() > 1, stride);
        this.best = new double[features];
        this.lowestPoint = new double[features];
        start.ifPresent(newton::beginAt);
        begin();
    }

    @Override
    protected MultiplierDecision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new MultiplierDecision(number, certificate, ended, newton.instructions(), tight, epochs);
    }

    @Override
    protected MultiplierDecision decide(MultiplierDecision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        SumKind kind = asked.instructions().kind();
        releases.add(layout.numbers(kind), kind == SumKind.HESSIAN);
        last |= totals[HiddenSum.STOPS] > 0;
        Optional<Certificate> certificate = Optional.empty();
        switch (kind) {
            case GRADIENT -> certificate = afterGradient(asked, totals);
            case HESSIAN -> newton.afterHessian(totals, objective, tight);
            case LINE -> {
                epochs += asked.instructions().directionKnown()
                        ? 0
                        : 1.0 / asked.instructions().stride();
                newton.afterLine(totals, tight);
            }
        }
        last |= !mayRelease(SumKind.GRADIENT) || epochs >= rule.maxEpochs();
        // Finishing the current step would prove nothing new, or nothing better than an earlier step has proven.
        boolean ended = stalled || last || rule.isMet(bestCertificate);
        if (ended && asked.instructions().stride() > 1) {
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
                asked.instructions().stride() == 1 ? Optional.of(certify(asked, proof)) : Optional.empty();
        boolean tooFewHeld = limits.rows() > 0 && totals[GradientLayout.TOO_FEW_HELD] > 0;
        // With a narrower band some node would have too few held samples to release anything about them.
        last |= tooFewHeld && newton.isSolved();
        newton.afterGradient(objective, mayRelease(SumKind.HESSIAN) && !tooFewHeld, tight);
        return certificate;
    }

    /** Returns what is proven about the point of a gradient over all samples. */
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
        // Also true if the error is NaN, as it is if an objective of 0 is uncertain.
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

    /** Returns whether a sum is allowed, followed by what is needed to certify the result. */
    private boolean mayRelease(SumKind kind) {
        boolean curved = kind == SumKind.HESSIAN;
        long step = (long) layout.numbers(SumKind.GRADIENT) + layout.numbers(SumKind.LINE);
        // A Hessian has so many numbers that gradients are the better use of them: half of all numbers are reserved for
        // gradients.
        long room = curved ? limits.numbers() / 2 : limits.numbers() - step;
        return releases.allow(layout.numbers(kind), curved, room, 3);
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
