package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.sums.Decisions;
import dev.starling.method.sums.GapBound;
import dev.starling.method.sums.RunRecord;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import java.io.IOException;
import java.util.Optional;

/** The decisions of the method of multipliers: what was proven, and what to add up next. */
final class MultiplierDecisions extends Decisions<MultiplierDecisions.Decision> {

    /**
     * What follows from the totals of a sum.
     *
     * @param instructions what nodes do next
     * @param tight whether rounding is bounded row by row instead of by the longest row
     */
    record Decision(
            int number,
            Optional<Certificate> certificate,
            boolean ended,
            SumInstructions instructions,
            boolean tight,
            double epochs)
            implements dev.starling.method.sums.Decision {

        @Override
        public double[] point() {
            return instructions.point();
        }
    }

    /** After this many gradients without a much better certificate, rounding must be the limit. */
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
    private final RunRecord record;
    private final GradientLayout layout;
    private final int features;
    private final long samples;

    /** The point with the lowest objective. */
    private final double[] lowestPoint;

    private GapBound lowest = GapBound.NONE;
    private GapBound highest = GapBound.NONE;
    private double objective;

    MultiplierDecisions(
            TunedMultipliers tuned,
            StoppingRule rule,
            ReleaseLimits limits,
            int stride,
            boolean many,
            Optional<double[]> start) {
        this.layout = tuned.layout();
        this.features = layout.features();
        this.samples = tuned.totals().samples();
        this.rule = rule;
        this.limits = limits;
        this.record = new RunRecord(limits, tuned.samplesPerNode(), features);
        this.newton =
                new SemismoothNewton(layout, samples, tuned.penalty(), tuned.direct(), limits.rows() > 1, stride, many);
        this.lowestPoint = new double[features];
        start.ifPresent(newton::beginAt);
        begin();
    }

    @Override
    protected Decision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new Decision(number, certificate, ended, newton.instructions(), record.isTight(), record.epochs());
    }

    @Override
    protected Decision decide(Decision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        SumKind kind = asked.instructions().kind();
        record.releases().add(layout.numbers(kind), kind == SumKind.HESSIAN);
        record.endIf(totals[HiddenSum.STOPS] > 0);
        Optional<Certificate> certificate = Optional.empty();
        switch (kind) {
            case GRADIENT -> certificate = afterGradient(asked, totals);
            case HESSIAN -> newton.afterHessian(totals, objective, record.isTight());
            case LINE -> {
                record.addEpochs(
                        asked.instructions().directionKnown()
                                ? 0
                                : 1.0 / asked.instructions().stride());
                newton.afterLine(totals, record.isTight());
            }
            default -> throw new IllegalStateException("multipliers make no sums of kind " + kind);
        }
        record.endIf(!mayRelease(SumKind.GRADIENT) || record.epochs() >= rule.maxEpochs());
        // Finishing the current step would prove nothing new, or nothing better than an earlier step has proven.
        boolean ended = record.isStalled() || record.isLast() || rule.isMet(record.proof());
        if (ended && asked.instructions().stride() > 1) {
            ended = false;
            newton.certify();
        }
        return decision(asked.number() + 1, certificate, ended);
    }

    private Optional<Certificate> afterGradient(Decision asked, double[] totals) {
        record.addEpochs(totals[layout.visits()] / samples);
        GapBound proof = newton.takeGradient(totals);
        objective = proof.objective();
        Optional<Certificate> certificate =
                asked.instructions().stride() == 1 ? Optional.of(certify(asked, proof)) : Optional.empty();
        boolean tooFewHeld = limits.rows() > 0 && totals[layout.tooFewHeld()] > 0;
        // With a narrower band some node would have too few held samples to release anything about them.
        record.endIf(tooFewHeld && newton.isSolved());
        newton.afterGradient(objective, mayRelease(SumKind.HESSIAN) && !tooFewHeld, record.isTight());
        return certificate;
    }

    /** Returns what is proven about the point of a gradient over all samples. */
    private Certificate certify(Decision asked, GapBound proof) {
        Certificate certificate = proof.certificate(record.steps(), record.epochs());
        boolean better = consider(certificate, asked.point());
        if (proof.objective() + proof.uncertain() < lowest.objective() + lowest.uncertain()) {
            lowest = proof;
            System.arraycopy(asked.point(), 0, lowestPoint, 0, features);
        }
        highest = highest.least() >= proof.least() ? highest : proof;
        Certificate mixed = lowest.certificate(highest, record.steps(), record.epochs());
        better |= consider(mixed, lowestPoint);
        record.count(better ? record.proof() : certificate, Double.POSITIVE_INFINITY, 0);
        record.setStalled(record.isFutileFor(record.proof().isMostlyRounding() ? PATIENCE_WITH_ROUNDING : PATIENCE));
        record.endIf(limits.rows() > 1 && record.isFutileFor(PATIENCE_BETWEEN_OWNERS));
        Certificate proven = mixed.betterThan(certificate) ? mixed : certificate;
        // Also true if the error is NaN, as it is if an objective of 0 is uncertain.
        record.boundTightlyIf(!(proven.error() <= WORTH_BOUNDING * (proven.objective() - proven.dual())));
        return proven;
    }

    private boolean consider(Certificate certificate, double[] point) {
        boolean better = certificate.betterThan(record.proof());
        if (better) {
            record.keep(certificate, Exactness.UNKNOWN, point);
        }
        return better;
    }

    /** Returns whether a sum is allowed, followed by what is needed to certify the result. */
    private boolean mayRelease(SumKind kind) {
        boolean curved = kind == SumKind.HESSIAN;
        long step = (long) layout.numbers(SumKind.GRADIENT) + layout.numbers(SumKind.LINE);
        // A Hessian has so many numbers that gradients are the better use of them: half of all numbers are reserved for
        // gradients.
        long room = curved ? limits.numbers() / 2 : limits.numbers() - step;
        return record.releases().allow(layout.numbers(kind), curved, room, 3);
    }

    @Override
    protected boolean hasten() {
        if (record.isLast()) {
            return false;
        }
        record.endIf(true);
        newton.certify();
        return true;
    }

    @Override
    public synchronized Solution result() {
        return record.solution(new double[0]);
    }

    @Override
    protected void progress(State s) throws IOException {
        record.state(s);
        lowest = lowest.state(s);
        highest = highest.state(s);
        s.vector(lowestPoint);
        objective = s.number(objective);
        newton.state(s);
    }
}
