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
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Span;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The decisions of Newton's method: what the last pass proved, and what the next pass should compute. */
final class NewtonDecisions extends SharedDecisions<NewtonDecisions.Decision> {

    /**
     * After this many passes over all rows without a better certificate or a lower objective, rounding must be the
     * limit.
     */
    private static final int PATIENCE = 200;

    /** The same limit where rounding makes up most of the remaining gap. */
    private static final int PATIENCE_WITH_ROUNDING = 20;

    /** The same limit where, in addition, curvature can prove a smaller gap. */
    private static final int PATIENCE_WITH_CURVATURE = 5;

    /** Every time this many passes were made without Hessians, the number of passes left is estimated. */
    private static final int TRIAL = 50;

    /** If the bound on rounding is greater than this part of the gap, a tighter bound is worth its cost. */
    private static final double WORTH_BOUNDING = 0.1;

    /** A run that may release this many gradients needs second derivatives only for speed. */
    private static final long ENOUGH_GRADIENTS = 30;

    /** A Hessian is of no use unless this many gradients can follow it. */
    private static final long STEPS_OF_A_HESSIAN = 4;

    /** A run that may release this many Hessians may spend the first ones on row samples. */
    private static final long HESSIANS_OF_SAMPLES = 4;

    /**
     * What follows from the totals of a pass.
     *
     * @param number see {@link dev.starling.method.sums.Decision#number}
     * @param certificate what the last pass proved, if it can prove anything
     * @param ended whether that pass was the last one
     * @param passSums what the next pass sums up
     * @param stride k, if it visits every k-th sample
     * @param tight whether it bounds rounding tightly
     * @param basis the basis to measure rows with, if it is for a proof by curvature
     * @param span the subspace in which it computes a Hessian, if that is not the whole space
     * @param point the point at which it is made
     * @param epochs the number of passes over all samples so far
     */
    record Decision(
            int number,
            Optional<Certificate> certificate,
            boolean ended,
            PassSums passSums,
            int stride,
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

    /** Whether the run starts with a Hessian of all rows, although the problem leaves some out. */
    private final boolean hessianOfAllRows;

    private Newton newton;

    /** The lessons, once they were asked for: the nodes of one process share one copy. */
    private double[] lessons = {};

    /** Whether the result has to be proven by curvature. */
    private boolean exact;

    private Certificate bestCertificate = Certificate.NONE;
    private Exactness bestExactness = Exactness.UNKNOWN;
    private boolean last;
    private boolean tight;
    private boolean stalled;
    private int futilePasses;
    private double lowest = Double.POSITIVE_INFINITY;
    private double epochs;

    /** Whether gradients turned out to be slow, and the relative gap when that was last checked. */
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
        this.hessianOfAllRows = start.map(NewtonStart::hessianOfAllRows).orElse(false);
        this.slow = hessianOfAllRows && !tuned.direct();
        this.newton = newton();
        this.samplesPerNode = tuned.samplesPerNode();
        this.best = new double[layout.parameters()];
        start.ifPresent(newton::begin);
        begin();
    }

    private Newton newton() {
        boolean direct = hessianOfAllRows || (tuned.direct() && mayRelease(PassSums.HESSIAN));
        if (exact && !direct) {
            throw new InvalidInputException("lambda 0 needs sums of second derivatives, of which the nodes' rules allow"
                    + " too few; give lambda a positive value");
        }
        if (exact) {
            return tuned.exact(rule.relativeGap());
        }
        boolean scaled = tuned.isScaled() && !isScarce() && mayRelease(PassSums.DIAGONAL);
        Newton started = tuned.start(direct, scaled);
        if (limits.numbers() < HESSIANS_OF_SAMPLES * layout.numbers(PassSums.HESSIAN)) {
            // Releases are scarcer than visits to rows, so none is spent on a sample of the rows.
            started.doWithoutSamples();
        }
        return started;
    }

    /** Returns whether a pass is allowed, followed by one over all samples that certifies the result. */
    private boolean mayRelease(PassSums passSums) {
        if (exact) {
            return mayReleaseAndProve(passSums);
        }
        long last = layout.numbers(PassSums.GRADIENT);
        if (passSums == PassSums.DIAGONAL) {
            return releases.allowDiagonal(layout.numbers(passSums), limits.numbers() - last, 2);
        }
        boolean curved = passSums == PassSums.HESSIAN;
        long room = curved ? roomForHessians() : limits.numbers() - last;
        return releases.allow(layout.numbers(passSums), curved, room, 2);
    }

    /**
     * Returns how many numbers may be released in total up to and including a Hessian. A Hessian has so many numbers
     * that gradients are the better use of them, so half of all numbers are reserved for gradients. Only if so few
     * numbers may be released that gradients alone could not solve the problem does the first Hessian leave room for no
     * more than the steps that must follow it.
     */
    private long roomForHessians() {
        return isScarce() && releases.curvatures() == 0
                ? limits.numbers() - STEPS_OF_A_HESSIAN * layout.numbers(PassSums.GRADIENT)
                : limits.numbers() / 2;
    }

    private boolean isScarce() {
        return limits.numbers() < ENOUGH_GRADIENTS * layout.numbers(PassSums.GRADIENT);
    }

    /** Returns whether a pass is allowed, followed by one that computes a Hessian and one for a proof. */
    private boolean mayReleaseAndProve(PassSums passSums) {
        long last = (long) layout.numbers(PassSums.HESSIAN) + layout.numbers(PassSums.PROOF);
        return releases.allowWithCurvature(layout.numbers(passSums), passSums == PassSums.HESSIAN, last, 3);
    }

    @Override
    protected Decision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new Decision(
                number,
                certificate,
                ended,
                newton.passSums(),
                newton.stride(),
                tight,
                newton.passSums() == PassSums.PROOF ? Optional.of(newton.basis()) : Optional.empty(),
                newton.span(),
                newton.point().clone(),
                epochs);
    }

    @Override
    protected Decision decide(Decision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        epochs += 1.0 / asked.stride();
        if (asked.passSums() == PassSums.DIAGONAL) {
            releases.addDiagonal(layout.numbers(asked.passSums()));
        } else {
            releases.add(layout.numbers(asked.passSums()), asked.passSums() == PassSums.HESSIAN);
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
            } else if (areGradientsSlow()) {
                slow = true;
                newton = tuned.start(true, false);
                newton.beginAt(best);
            } else {
                advance();
            }
            if (!mayRelease(PassSums.HESSIAN)) {
                newton.doWithoutHessians();
                last |= newton.needsHessians();
            }
            last |= !mayRelease(PassSums.GRADIENT);
            if (last || epochs + 1 >= rule.maxEpochs()) {
                newton.useAllSamples();
            }
        }
        return decision(asked.number() + 1, certificate, ended);
    }

    /** Returns whether curvature can take over if the regulariser is too small to prove a smaller gap. */
    private boolean mayProveByCurvature() {
        return !exact && tuned.isProvenByCurvature() && mayReleaseAndProve(PassSums.HESSIAN);
    }

    /**
     * Returns whether this is the first point with a finite objective: even if nothing is proven about it, it is better
     * than none.
     */
    private boolean isFirst(Certificate proof) {
        return bestCertificate.objective() == Double.POSITIVE_INFINITY && proof.objective() < Double.POSITIVE_INFINITY;
    }

    /** Returns whether gradients alone, at the rate so far, would take longer than switching to Hessians. */
    private boolean areGradientsSlow() {
        double gap = bestCertificate.relativeGap();
        boolean possible = !tuned.direct() && !slow && tuned.passesForHessians() < Double.POSITIVE_INFINITY;
        if (!possible || releases.passes() % TRIAL != 0 || gap == Double.POSITIVE_INFINITY) {
            return false;
        }
        double gained = StrictMath.log(gapBefore / gap);
        double left = StrictMath.log(gap / rule.relativeGap());
        gapBefore = gap;
        return TRIAL * left > tuned.passesForHessians() * gained && mayUseHessians();
    }

    /** The span of so few rows reveals nearly everything about them, so it is used only if all nodes have one owner. */
    private boolean mayUseHessians() {
        return layout.inSpan() ? oneOwner : mayRelease(PassSums.HESSIAN);
    }

    private void advance() {
        try {
            newton.advance();
        } catch (SeparationException e) {
            throw e.named(names);
        }
    }

    /**
     * Returns whether too many passes in a row have neither proven more nor lowered the objective by more than rounding
     * could.
     */
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
        newton.useAllSamples();
        return true;
    }

    @Override
    public synchronized Solution result() {
        // Lessons describe the point of the last pass.
        if (lessons.length == 0 && Arrays.equals(newton.point(), best)) {
            double[] all = newton.lessons();
            lessons =
                    hessianOfAllRows ? Arrays.copyOf(all, Math.min(all.length, layout.length(PassSums.GRADIENT))) : all;
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
