package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.method.SeparationException;
import dev.starling.method.Solution;
import dev.starling.method.sums.Releases;
import dev.starling.method.sums.SharedDecisions;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Newton's decisions: what the last pass proved, and what the next one is to be. */
final class NewtonDecisions extends SharedDecisions<NewtonDecisions.Decision> {

    /** So many passes over all rows without a better certificate or a lower objective: rounding has the last word. */
    private static final int PATIENCE = 200;

    /** As many where rounding is the greater part of the gap that is left. */
    private static final int PATIENCE_WITH_ROUNDING = 20;

    /** As many where curvature can prove what is left. */
    private static final int PATIENCE_WITH_CURVATURE = 5;

    /** After so many passes without Hessians it is seen how many more there would be. */
    private static final int TRIAL = 50;

    /** Where rounding may hide this part of a gap, it is worth bounding tightly. */
    private static final double WORTH_BOUNDING = 0.1;

    /** With so many gradients, second derivatives are a matter of speed. */
    private static final long ENOUGH_GRADIENTS = 30;

    /** Gradients without which a Hessian is worth nothing. */
    private static final long STEPS_OF_A_HESSIAN = 4;

    /** With room for so many Hessians, the first ones may be over samples of the rows. */
    private static final long HESSIANS_OF_SAMPLES = 4;

    /**
     * What follows from the totals of a pass.
     *
     * @param number of passes so far, and of runs that were cut short
     * @param certificate what the last pass proved, if it was one over all samples
     * @param ended whether that was the last
     * @param order what the next pass is to sum up
     * @param every over every how many-th sample it goes
     * @param tight whether it is to bound rounding tightly
     * @param basis what it measures rows with, if it is for a proof by curvature
     * @param span what it sums up a Hessian in, where that is not all of the space
     * @param point where it is made
     * @param epochs passes over all samples so far
     */
    record Decision(
            int number,
            Optional<Certificate> certificate,
            boolean ended,
            PassSums order,
            int every,
            boolean tight,
            Optional<ProofBasis> basis,
            Optional<Span> span,
            double[] point,
            double epochs)
            implements dev.starling.method.sums.Decision {}

    private final PassLayout layout;
    private final List<String> names;
    private final TunedNewton tuned;
    private final StoppingRule rule;
    private final ReleaseLimits limits;
    private final Releases releases;
    private final boolean oneOwner;
    private final double samplesPerNode;
    private final double[] best;

    /** Whether it begins with a Hessian of more rows than there are here. */
    private final boolean lent;

    private Newton newton;

    /** What was learnt, once somebody has asked for it: nodes of one process have it once. */
    private double[] lessons = {};

    /** Whether curvature is to prove what is found. */
    private boolean exact;

    private Certificate bestCertificate = Certificate.NONE;
    private Exactness bestExactness = Exactness.UNKNOWN;
    private boolean last;
    private boolean tight;
    private boolean stalled;
    private int futilePasses;
    private double lowest = Double.POSITIVE_INFINITY;
    private double epochs;

    /** Whether gradients turned out slow, and the relative gap when that was last looked at. */
    private boolean slow;

    private double gapBefore = Double.POSITIVE_INFINITY;

    NewtonDecisions(
            TunedNewton tuned,
            StoppingRule rule,
            ReleaseLimits limits,
            boolean oneOwner,
            Optional<NewtonStart> start,
            List<String> names) {
        this.layout = tuned.layout();
        this.limits = limits;
        this.releases = new Releases(limits);
        this.oneOwner = oneOwner;
        this.names = names;
        this.rule = rule;
        this.exact = tuned.isExact();
        this.tuned = tuned;
        this.lent = start.map(NewtonStart::lent).orElse(false);
        this.slow = lent && !tuned.direct();
        this.newton = newton();
        this.samplesPerNode = tuned.samplesPerNode();
        this.best = new double[layout.features()];
        start.ifPresent(newton::begin);
        begin();
    }

    private Newton newton() {
        boolean direct = lent || (tuned.direct() && mayTell(PassSums.HESSIAN));
        if (exact && !direct) {
            throw new InvalidInputException("lambda 0 needs sums of second derivatives, of which the nodes' rules allow"
                    + " too few; give lambda a positive value");
        }
        if (exact) {
            return tuned.exact(rule.relativeGap());
        }
        boolean scaled = tuned.isScaled() && !isScarce() && mayTell(PassSums.DIAGONAL);
        Newton started = tuned.start(direct, scaled);
        if (limits.numbers() < HESSIANS_OF_SAMPLES * layout.numbers(PassSums.HESSIAN)) {
            // What may be told is scarcer than visits to rows: nothing is told of a part of them.
            started.doWithoutSamples();
        }
        return started;
    }

    /** Whether a pass may be made, and one over all samples after it, so that what is found is certified. */
    private boolean mayTell(PassSums order) {
        if (exact) {
            return mayTellAndProve(order);
        }
        long last = layout.numbers(PassSums.GRADIENT);
        if (order == PassSums.DIAGONAL) {
            return releases.allowDiagonal(layout.numbers(order), limits.numbers() - last, 2);
        }
        boolean curved = order == PassSums.HESSIAN;
        long room = curved ? roomForHessians() : limits.numbers() - last;
        return releases.allow(layout.numbers(order), curved, room, 2);
    }

    /**
     * Gradients are worth more than curvatures, which are so many numbers: half of them are kept for those. Only where
     * a run could not make do with gradients at all, as it may tell so few, the first Hessian leaves room for just the
     * steps that follow it.
     */
    private long roomForHessians() {
        return isScarce() && releases.curvatures() == 0
                ? limits.numbers() - STEPS_OF_A_HESSIAN * layout.numbers(PassSums.GRADIENT)
                : limits.numbers() / 2;
    }

    private boolean isScarce() {
        return limits.numbers() < ENOUGH_GRADIENTS * layout.numbers(PassSums.GRADIENT);
    }

    /** Whether a pass may be made, and after it one that sums up a Hessian and one for a proof. */
    private boolean mayTellAndProve(PassSums order) {
        long last = (long) layout.numbers(PassSums.HESSIAN) + layout.numbers(PassSums.PROOF);
        return releases.allowWithCurvature(layout.numbers(order), order == PassSums.HESSIAN, last, 3);
    }

    @Override
    protected Decision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new Decision(
                number,
                certificate,
                ended,
                newton.order(),
                newton.every(),
                tight,
                newton.order() == PassSums.PROOF ? Optional.of(newton.basis()) : Optional.empty(),
                newton.span(),
                newton.point().clone(),
                epochs);
    }

    @Override
    protected Decision decide(Decision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        epochs += 1.0 / asked.every();
        if (asked.order() == PassSums.DIAGONAL) {
            releases.addDiagonal(layout.numbers(asked.order()));
        } else {
            releases.add(layout.numbers(asked.order()), asked.order() == PassSums.HESSIAN);
        }
        last |= totals[HiddenSum.STOPS] > 0;
        newton.take(totals);
        Optional<Certificate> certificate = Optional.empty();
        boolean ended = false;
        if (newton.certifies()) {
            Certificate proof = new Certificate(
                    newton.objective(), newton.dual(), newton.error(), (long) (epochs * samplesPerNode), epochs);
            certificate = Optional.of(proof);
            stalled = isFutile(proof);
            if (proof.betterThan(bestCertificate) || isFirst(proof)) {
                bestCertificate = proof;
                bestExactness = newton.exactness();
                System.arraycopy(asked.point(), 0, best, 0, best.length);
            }
            tight |= proof.error() > WORTH_BOUNDING * newton.gap();
            ended = last || rule.isMet(proof) || epochs >= rule.maxEpochs() || (stalled && !mayProveByCurvature());
        }
        if (!ended) {
            if (stalled) {
                exact = true;
                stalled = false;
                futilePasses = 0;
                newton = tuned.exact(rule.relativeGap());
                newton.beginAt(best);
            } else if (turnsOutSlow()) {
                slow = true;
                newton = tuned.start(true, false);
                newton.beginAt(best);
            } else {
                advance();
            }
            if (!mayTell(PassSums.HESSIAN)) {
                newton.doWithoutHessians();
                last |= newton.needsHessians();
            }
            last |= !mayTell(PassSums.GRADIENT);
            if (last || epochs + 1 >= rule.maxEpochs()) {
                newton.takeAll();
            }
        }
        return decision(asked.number() + 1, certificate, ended);
    }

    /** Whether a regulariser that is too small to prove more leaves that to curvature. */
    private boolean mayProveByCurvature() {
        return !exact && tuned.isProvenByCurvature() && mayTellAndProve(PassSums.HESSIAN);
    }

    /** A point of which nothing is proven is better than none. */
    private boolean isFirst(Certificate proof) {
        return bestCertificate.objective() == Double.POSITIVE_INFINITY && proof.objective() < Double.POSITIVE_INFINITY;
    }

    /** Whether gradients alone would take longer, going on as they have, than it takes with Hessians. */
    private boolean turnsOutSlow() {
        double gap = bestCertificate.relativeGap();
        boolean possible = !tuned.direct() && !slow && tuned.hessians() < Double.POSITIVE_INFINITY;
        if (!possible || releases.passes() % TRIAL != 0 || gap == Double.POSITIVE_INFINITY) {
            return false;
        }
        double gained = StrictMath.log(gapBefore / gap);
        double left = StrictMath.log(gap / rule.relativeGap());
        gapBefore = gap;
        return TRIAL * left > tuned.hessians() * gained && mayTakeToHessians();
    }

    /** The span of so few rows tells nearly all about them, so it is for nodes that have one owner. */
    private boolean mayTakeToHessians() {
        return layout.inSpan() ? oneOwner : mayTell(PassSums.HESSIAN);
    }

    private void advance() {
        try {
            newton.advance();
        } catch (SeparationException e) {
            throw e.named(names);
        }
    }

    /** Whether pass after pass neither proves more nor brings the objective down by more than rounding may. */
    private boolean isFutile(Certificate proof) {
        boolean lower = newton.objective() < lowest * (1 - Newton.ROUNDING);
        lowest = lower ? newton.objective() : lowest;
        futilePasses = lower || proof.betterThan(bestCertificate) ? 0 : futilePasses + 1;
        boolean rounding = exact || bestCertificate.isMostlyRounding();
        int patience = rounding && mayProveByCurvature() ? PATIENCE_WITH_CURVATURE : PATIENCE_WITH_ROUNDING;
        return futilePasses >= (rounding ? patience : PATIENCE);
    }

    @Override
    protected boolean hasten() {
        if (last) {
            return false;
        }
        last = true;
        newton.takeAll();
        return true;
    }

    @Override
    public synchronized Solution result() {
        // Lessons are about the point of the last pass.
        if (lessons.length == 0 && Arrays.equals(newton.point(), best)) {
            double[] all = newton.lessons();
            lessons = lent ? Arrays.copyOf(all, Math.min(all.length, layout.length(PassSums.GRADIENT))) : all;
        }
        return new Solution(bestCertificate, best, stalled, bestExactness, lessons);
    }

    @Override
    protected void saveProgress(DataOutput out) throws IOException {
        out.writeBoolean(last);
        out.writeBoolean(tight);
        out.writeBoolean(stalled);
        out.writeInt(futilePasses);
        out.writeDouble(lowest);
        out.writeDouble(epochs);
        releases.save(out);
        out.writeBoolean(slow);
        out.writeBoolean(exact);
        out.writeDouble(gapBefore);
        bestCertificate.save(out);
        bestExactness.save(out);
        SavedState.writeDoubles(out, best);
        newton.save(out);
    }

    @Override
    protected void restoreProgress(DataInput in) throws IOException {
        last = in.readBoolean();
        tight = in.readBoolean();
        stalled = in.readBoolean();
        futilePasses = in.readInt();
        lowest = in.readDouble();
        epochs = in.readDouble();
        releases.restore(in);
        slow = in.readBoolean();
        exact = in.readBoolean();
        gapBefore = in.readDouble();
        newton = exact ? tuned.exact(rule.relativeGap()) : slow ? tuned.start(true, false) : newton;
        bestCertificate = Certificate.restore(in);
        bestExactness = Exactness.restore(in);
        SavedState.readDoubles(in, best);
        newton.restore(in);
    }
}
