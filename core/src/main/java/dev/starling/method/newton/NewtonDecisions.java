package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.method.SeparationException;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.sums.Decisions;
import dev.starling.method.sums.Releases;
import dev.starling.method.sums.RunRecord;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Span;
import dev.starling.objective.WorkingSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The decisions of Newton's method: what the last pass proved, and what the next pass should compute. It is a little
 * longer than most classes, because one place decides between all strategies.
 */
final class NewtonDecisions extends Decisions<NewtonDecisions.Decision> {

    /**
     * After this many passes over all rows without a much better certificate or a lower objective, rounding must be the
     * limit.
     */
    private static final int PATIENCE = 200;

    /** The same limit where rounding makes up most of the remaining gap. */
    private static final int PATIENCE_WITH_ROUNDING = 20;

    /** The same limit where, in addition, curvature can prove a smaller gap. */
    private static final int PATIENCE_WITH_CURVATURE = 5;

    /** Every time this many passes were made without Hessians, the number of passes left is estimated. */
    private static final int TRIAL = 50;

    /** An objective that falls by no more than this part of the gap makes no progress. */
    private static final double WORTH = 0.01;

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
     * @param workingSet the columns of which it computes a Hessian, if those are not all
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
            Optional<WorkingSet> workingSet,
            double[] point,
            double epochs)
            implements dev.starling.method.sums.Decision {

        /** Returns how many numbers the next pass adds up. */
        int numbers(PassLayout layout) {
            return workingSet
                    .map(set -> layout.lengthWith(set.columns().length) - HiddenSum.HEAD)
                    .orElseGet(() -> layout.numbers(passSums));
        }
    }

    /** How the run minimises, and with that what its certificates rest on. */
    private enum Strategy {
        /** Gradients alone, and the curvature that differences between them show. */
        GRADIENTS,

        /** Steps with Hessians, in the span of the rows if these are few. */
        HESSIANS,

        /**
         * Steps with Hessians, whose curvature also proves the result: without a regulariser, or with too small a one.
         */
        CURVATURE
    }

    private static final double[] NOTHING = {};

    private final PassLayout layout;
    private final List<String> names;
    private final TunedNewton tuned;
    private final StoppingRule rule;
    private final ReleaseLimits limits;
    private final boolean oneOwner;
    private final RunRecord record;
    private final Releases releases;

    /** Whether the run starts with a Hessian of all rows, although the problem leaves some out. */
    private final boolean hessianOfAllRows;

    private final Optional<ColumnDescent> columns;
    private Strategy strategy;
    private Newton newton;

    /** What the next problem may start from, once that was asked for: the nodes of one process share one copy. */
    private double[] warmStart = {};

    /** The relative gap when the pace of gradients was last judged. */
    private double gapBefore = Double.POSITIVE_INFINITY;

    NewtonDecisions(
            TunedNewton tuned,
            StoppingRule rule,
            ReleaseLimits limits,
            boolean oneOwner,
            Optional<NewtonStart> start,
            List<String> names,
            Optional<ColumnDescent> columns) {
        this.columns = columns;
        this.layout = tuned.layout();
        this.limits = limits;
        this.record = new RunRecord(limits, tuned.samplesPerNode(), layout.parameters());
        this.releases = record.releases();
        this.oneOwner = oneOwner;
        this.names = names;
        this.rule = rule;
        this.tuned = tuned;
        this.hessianOfAllRows = start.map(NewtonStart::hessianOfAllRows).orElse(false);
        this.strategy = firstStrategy();
        this.newton = firstNewton();
        start.ifPresent(newton::begin);
        begin();
    }

    private Strategy firstStrategy() {
        boolean exact = tuned.isExact();
        boolean allowed = exact ? mayReleaseAndProve(PassSums.HESSIAN) : mayRelease(tuned.curvature());
        boolean direct = hessianOfAllRows || ((tuned.direct() || tuned.hasWorkingSet()) && allowed);
        if (exact && !direct) {
            boolean free = tuned.totals().sigma() == 0;
            throw new InvalidInputException((free ? "lambda 0" : "this loss")
                    + " needs sums of second derivatives, of which the nodes' rules allow too few"
                    + (free ? "; give lambda a positive value" : ""));
        }
        return exact ? Strategy.CURVATURE : direct ? Strategy.HESSIANS : Strategy.GRADIENTS;
    }

    private Newton firstNewton() {
        if (strategy == Strategy.CURVATURE) {
            return newton(strategy, NOTHING);
        }
        boolean scaled = tuned.isScaled() && !isScarce() && mayRelease(PassSums.DIAGONAL);
        Newton started = tuned.start(strategy == Strategy.HESSIANS, scaled, rule.relativeGap(), columns);
        if (limits.numbers() < HESSIANS_OF_SAMPLES * layout.numbers(PassSums.HESSIAN)) {
            // Releases are scarcer than visits to rows, so none is spent on a sample of the rows.
            started.doWithoutSamples();
        }
        return started;
    }

    private Newton newton(Strategy next, double[] learnt) {
        return next == Strategy.CURVATURE
                ? tuned.exact(rule.relativeGap(), learnt)
                : tuned.start(true, false, rule.relativeGap(), columns);
    }

    /** Continues from the best point with another strategy. */
    private void change(Strategy next) {
        strategy = next;
        boolean there = Arrays.equals(newton.point(), record.point());
        Newton before = newton;
        newton = newton(next, there ? before.warmStart() : NOTHING);
        newton.continueAfter(before);
        newton.beginAt(record.point());
    }

    /** Returns whether a pass is allowed, followed by one over all samples that certifies the result. */
    private boolean mayRelease(PassSums passSums) {
        if (strategy == Strategy.CURVATURE) {
            return mayReleaseAndProve(passSums);
        }
        long last = layout.numbers(PassSums.GRADIENT);
        if (passSums == PassSums.DIAGONAL) {
            return releases.allowDiagonal(layout.numbers(passSums), limits.numbers() - last, 2);
        }
        boolean curved = passSums.isCurved();
        long room = curved ? roomForHessians() : limits.numbers() - last;
        return releases.allow(numbers(passSums), curved, room, 2);
    }

    /** Returns how many numbers a pass adds up; with a working set, one of the set that is asked for next. */
    private long numbers(PassSums passSums) {
        if (passSums != PassSums.COLUMNS) {
            return layout.numbers(passSums);
        }
        int columns = newton == null
                ? 0
                : newton.workingSet().map(set -> set.columns().length).orElse(0);
        return (long) layout.lengthWith(columns) - HiddenSum.HEAD;
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
                record.isTight(),
                newton.passSums() == PassSums.PROOF ? Optional.of(newton.basis()) : Optional.empty(),
                newton.span(),
                newton.workingSet(),
                newton.point().clone(),
                record.epochs());
    }

    @Override
    protected Decision decide(Decision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        record.addEpochs(newton.work() + 1.0 / asked.stride());
        if (asked.passSums() == PassSums.DIAGONAL) {
            releases.addDiagonal(layout.numbers(asked.passSums()));
        } else {
            releases.add(asked.numbers(layout), asked.passSums().isCurved());
        }
        record.endIf(totals[HiddenSum.STOPS] > 0);
        newton.take(totals);
        Optional<Certificate> certificate = newton.certifies() ? Optional.of(certify(asked.point())) : Optional.empty();
        boolean ended = certificate.isPresent() && isOver(certificate.get());
        if (!ended) {
            proceed();
        }
        return decision(asked.number() + 1, certificate, ended);
    }

    private Certificate certify(double[] point) {
        Certificate proof = newton.certificate(record.steps(), record.epochs());
        record.setStalled(isFutile(proof) || newton.isSpent());
        if (proof.betterThan(record.proof()) || isFirst(proof)) {
            record.keep(proof, newton.exactness(), point);
        }
        record.boundTightlyIf(proof.error() > WORTH_BOUNDING * newton.gap());
        return proof;
    }

    private boolean isOver(Certificate proof) {
        return record.isLast()
                || rule.isMet(proof)
                || record.epochs() >= rule.maxEpochs()
                || (record.isStalled() && !mayProveByCurvature());
    }

    /** Decides what the next pass sums up, and whether it is the last one. */
    private void proceed() {
        if (record.isStalled()) {
            record.resume();
            change(Strategy.CURVATURE);
        } else if (areGradientsSlow()) {
            change(Strategy.HESSIANS);
        } else {
            advance();
        }
        if (!mayRelease(tuned.curvature())) {
            newton.doWithoutHessians();
            record.endIf(newton.needsHessians());
        }
        record.endIf(!mayRelease(PassSums.GRADIENT));
        if (record.isLast() || record.epochs() + 1 >= rule.maxEpochs()) {
            newton.useAllSamples();
        }
    }

    /** Returns whether curvature can take over if the regulariser is too small to prove a smaller gap. */
    private boolean mayProveByCurvature() {
        return strategy != Strategy.CURVATURE
                && tuned.isProvenByCurvature()
                && (oneOwner || tuned.regulariser().isSmooth())
                && mayReleaseAndProve(PassSums.HESSIAN);
    }

    /**
     * Returns whether this is the first point with a finite objective: even if nothing is proven about it, it is better
     * than none.
     */
    private boolean isFirst(Certificate proof) {
        return record.proof().objective() == Double.POSITIVE_INFINITY && proof.objective() < Double.POSITIVE_INFINITY;
    }

    /** Returns whether gradients alone, at the rate so far, would take longer than switching to Hessians. */
    private boolean areGradientsSlow() {
        double gap = record.proof().relativeGap();
        boolean possible = strategy == Strategy.GRADIENTS
                && !tuned.direct()
                && tuned.passesForHessians() < Double.POSITIVE_INFINITY;
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
            throw e.named(names, layout.parameters() / layout.outputs());
        }
    }

    /**
     * Returns whether too many passes in a row have neither proven much more nor lowered the objective by more than is
     * worth anything.
     */
    private boolean isFutile(Certificate proof) {
        boolean net = mayProveByCurvature() && !tuned.regulariser().isSmooth();
        record.count(proof, newton.objective(), net ? 0 : WORTH);
        boolean rounding =
                net || strategy == Strategy.CURVATURE || record.proof().isMostlyRounding();
        int patience = rounding && mayProveByCurvature() ? PATIENCE_WITH_CURVATURE : PATIENCE_WITH_ROUNDING;
        return record.isFutileFor(rounding ? patience : PATIENCE);
    }

    @Override
    protected boolean hasten() {
        if (record.isLast()) {
            return false;
        }
        record.endIf(true);
        newton.useAllSamples();
        return true;
    }

    @Override
    public synchronized Solution result() {
        // What was learnt last is about the point of the last pass.
        if (warmStart.length == 0 && Arrays.equals(newton.point(), record.point())) {
            double[] all = newton.warmStart();
            warmStart =
                    hessianOfAllRows ? Arrays.copyOf(all, Math.min(all.length, layout.length(PassSums.GRADIENT))) : all;
        }
        Solution solution = record.solution(warmStart);
        return Arrays.equals(newton.point(), record.point()) ? solution.withHessian(newton.exactHessian()) : solution;
    }

    @Override
    protected void progress(State s) throws IOException {
        record.state(s);
        gapBefore = s.number(gapBefore);
        Strategy same = s.choice(strategy);
        if (same != strategy) {
            change(same);
        }
        newton.state(s);
    }
}
