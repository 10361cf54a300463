package dev.starling.peer.policy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The rules of a site in a run: each addend (the site's contribution to a sum) is checked before it leaves, whoever
 * asks for it and why. The rules do not prove that nothing can be learnt about a row; they defeat the known attacks,
 * and stop a run that begins to look like one. It is longer than most classes, because every addend passes all of them.
 */
public final class SiteRules implements Stateful {

    /** Strides are powers of this. */
    private static final int GROWTH = 8;

    /** From this fraction of the allowed leverage on, the site asks for the run to end. */
    private static final double NEARLY = 0.7;

    private final Policy policy;
    private final long rows;
    private final List<String> names;
    private final long mostNumbers;
    private final IntFunction<LocalProblem> problems;
    private final Leverage slopes;
    private final Leverage curvatures;
    private final SlopesAccount account;
    private final Map<Integer, Double> objectivesAtZero = new HashMap<>();

    /** Whether neighbours see estimates, with the consent of all sites; certificates then reveal nothing further. */
    private boolean sharesEstimates;

    /** Whether a gradient was withheld because it would have depended too much on one row. */
    private boolean withheld;

    private long numbers;
    private int passes;
    private int hessians;
    private int diagonals;

    /**
     * Creates the rules of a run.
     *
     * @param data the site's rows
     * @param problems returns this site's part of each problem, by its index
     * @param account takes down the slopes of every pass
     */
    public SiteRules(
            Policy policy, Settings settings, Dataset data, IntFunction<LocalProblem> problems, SlopesAccount account) {
        int outputs = Disclosure.objective(settings, data).loss().outputs();
        this.policy = policy;
        this.rows = data.rows();
        this.slopes = new Leverage(data.rows(), outputs * Math.max(policy.mostPasses(), policy.mostGradients()));
        this.curvatures = new Leverage(data.rows(), outputs * (outputs + 1) / 2 * policy.mostCurvatures());
        this.names = data.names();
        this.mostNumbers = (long) Math.floor(policy.releasedPart() * data.nonZeros());
        this.problems = problems;
        this.account = account;
    }

    /**
     * Called before an addend leaves, masked or not.
     *
     * @throws InvalidInputException if it must not leave
     */
    public void require(SumRequest request, double[] addend) {
        switch (request.kind()) {
            case NOTHING -> requireNoRows(request);
            case PRESENCE, COUNTS, COLUMNS, PREDICTIONS -> requireManyRows(request, addend, this::requireRoomFor);
            case ESTIMATES -> {
                requireEstimatesAccepted(request);
                requireManyRows(request, addend, this::requireRoomFor);
            }
            case SITES -> requireManyRows(request, addend, this::requireKnownSite);
            case LINE, GRADIENT, DIAGONAL, HESSIAN -> requireManyRows(request, addend, this::requireHarmlessPoint);
            default ->
                throw refused("a sum of kind " + request.kind().text() + ", " + request.name()
                        + ", because no rule knows what it reveals");
        }
    }

    private static void requireNoRows(SumRequest request) {
        if (request.rows() != 0) {
            throw refused("a sum over " + request.rows() + " of its rows that is said to reveal nothing");
        }
    }

    private void requireEstimatesAccepted(SumRequest request) {
        if (!sharesEstimates) {
            throw refused("a sum about estimates, " + request.name() + ", in a run without estimates");
        }
    }

    /** A sum over none of the site's rows reveals nothing else about them; any other must cover enough of them. */
    private void requireManyRows(SumRequest request, double[] addend, Consumer<SumRequest> further) {
        if (request.rows() == 0) {
            requireZeros(request, addend);
            return;
        }
        if (request.fewestRows() < Math.min(rows, policy.fewestRows()) || rows < policy.fewestRows()) {
            throw refused("a sum over " + request.fewestRows() + " of its rows; at least " + policy.fewestRows()
                    + " are required (policy: fewest-rows)");
        }
        further.accept(request);
    }

    private static void requireZeros(SumRequest request, double[] addend) {
        for (int k = HiddenSum.HEAD; k < HiddenSum.HEAD + request.numbers(); k++) {
            if (addend[k] != 0) {
                throw refused("a sum, " + request.name() + ", that is said to cover none of its rows and is not 0");
            }
        }
    }

    /**
     * That all sites have given leave is checked before; it counts as a sum at a point, and as a Hessian if it has one.
     */
    private void requireKnownSite(SumRequest request) {
        requireWithin(request, !shares(request).curvatures().isEmpty());
        requireSpread(request);
    }

    /**
     * Called before numbers leave from which the sums of single sites can be computed.
     *
     * @param allLimits the limits of all sites, by site
     * @throws InvalidInputException if not all sites have given leave
     */
    public void requireLeave(String what, List<Map<String, Double>> allLimits) {
        if (!Policy.allShowSites(allLimits)) {
            throw refused(what + ", from which what each site's rows add up to can be computed, unless the files of all"
                    + " sites say 'site-estimates: accept' under policy:");
        }
    }

    private void requireHarmlessPoint(SumRequest request) {
        requireWithin(request, request.kind() == SumKind.HESSIAN);
        requireNear(request.point(), request.problem());
        requireSpread(request);
    }

    /**
     * Whether so much has been released that the run should end before a rule has to refuse: the others know all limits
     * except this one, which depends on the site's rows.
     */
    public boolean wishesToStop() {
        return withheld || leverage() > NEARLY * policy.leverage();
    }

    /** Whether a gradient or Hessian may be released in which the samples have these shares. */
    public boolean allows(SumKind kind, int index, double[] shares) {
        LocalProblem problem = problems.apply(index);
        boolean apart = !isNearEarlierRuns(kind, problem, shares);
        if (kind == SumKind.HESSIAN) {
            return apart;
        }
        boolean allowed = apart
                && slopes.with(byRow(problem, shares)) <= policy.leverage()
                && (!problem.hasIntercept() || slopes.with(byRow(problem, positiveParts(shares))) <= policy.leverage());
        withheld |= !allowed;
        return allowed;
    }

    private boolean isNearEarlierRuns(SumKind kind, LocalProblem problem, double[] shares) {
        return account.isNear(
                kind, byRow(problem, shares), policy.fewestRows(), kind != SumKind.HESSIAN && problem.hasIntercept());
    }

    /** Kinks leave most rows out of the difference of two sums, of this run (methods see to that) or of two. */
    private void requireApart(SumRequest request, LocalProblem problem, double[] shares) {
        if (request.shares().isPresent()
                && request.kind() != SumKind.LINE
                && isNearEarlierRuns(request.kind(), problem, shares)) {
            throw refused("a " + request.name() + " that differs from one of an earlier run by so few of its rows that"
                    + " the difference is about them: fewer than " + policy.fewestRows() + " (policy: fewest-rows), or"
                    + " mostly one; use a smooth loss, the settings of the earlier run, or other people");
        }
    }

    /** How much a run may release, given the limits of all sites. */
    public ReleaseLimits limits(List<Map<String, Double>> allLimits) {
        return Policy.strictest(allLimits);
    }

    /**
     * Called before a method makes sites send their neighbours more than sums.
     *
     * @param allLimits the limits of all sites, by site
     * @throws InvalidInputException if not all sites accept that
     */
    public void requireConsent(String method, List<Map<String, Double>> allLimits) {
        if (!Policy.allAcceptEstimates(allLimits)) {
            throw refused("method " + method + ", with which neighbours see estimates from which rows can be computed, "
                    + "unless the files of all sites say 'estimates: accept' under policy:");
        }
        sharesEstimates = true;
    }

    /** Called once the totals are known. */
    public void opened(SumRequest request, double[] totals) {
        if (request.kind() != SumKind.PRESENCE) {
            return;
        }
        int widest = request.point().length > 0 ? (int) request.point()[0] : request.numbers();
        for (int k = 0; k < request.numbers(); k++) {
            double sites = totals[HiddenSum.HEAD + k];
            if (sites > 0 && sites < policy.fewestSitesTogether()) {
                throw refused((k < widest ? "column " + columnName(k) : "class " + (k - widest + 1))
                        + ", which only " + (int) sites + (sites == 1 ? " site has" : " sites have")
                        + ", so that totals would reveal its own sums; leave it out at all sites (policy:"
                        + " fewest-sites)");
            }
        }
    }

    private String columnName(int k) {
        return k < names.size() ? names.get(k) : Integer.toString(k + 1);
    }

    private void requireWithin(SumRequest request, boolean hessian) {
        boolean curved = hessian || request.kind().isCurved();
        int most = hessians > 0 || hessian ? policy.mostPasses() : policy.mostGradients();
        requireLess(passes + 1, most, "sums at a point", hessian ? "passes" : "gradients");
        requireLess(
                hessians + diagonals + (curved ? 1 : 0), policy.mostCurvatures(), "sums of curvatures", "curvatures");
        requireRoomFor(request);
        passes++;
        hessians += hessian ? 1 : 0;
        diagonals += curved && !hessian ? 1 : 0;
    }

    private void requireRoomFor(SumRequest request) {
        if (numbers + request.numbers() > mostNumbers && !sharesEstimates) {
            throw refused("to release " + (numbers + request.numbers()) + " numbers; at most " + mostNumbers
                    + " are allowed (policy: released-part)");
        }
        numbers += request.numbers();
    }

    private static void requireLess(int count, int most, String what, String key) {
        if (count > most) {
            throw refused(count + " " + what + "; at most " + most + " are allowed (policy: " + key + ")");
        }
    }

    /** Points far from 0 separate rows from each other; the objective at 0 bounds how far an honest run goes. */
    private void requireNear(double[] point, int index) {
        LocalProblem problem = problems.apply(index);
        double lambda = problem.sigma() / problem.totalWeight();
        if (lambda == 0) {
            return;
        }
        double atZero = objectivesAtZero.computeIfAbsent(index, this::objectiveAtZero);
        int regularised = problem.hasIntercept() ? point.length - 1 : point.length;
        double squares = 0;
        for (int c = 0; c < regularised; c++) {
            squares += point[c] * point[c];
        }
        if (!(lambda / 2 * squares <= policy.farthest() * Math.max(atZero, Double.MIN_NORMAL))) {
            throw refused("a point with (λ/2)‖θ‖² = " + lambda / 2 * squares + ", more than " + policy.farthest()
                    + " times the objective at 0 (policy: farthest)");
        }
    }

    private double objectiveAtZero(int index) {
        LocalProblem problem = problems.apply(index);
        double losses = 0;
        double[] margins = new double[problem.loss().outputs()];
        for (int j = 0; j < problem.samples(); j++) {
            Arrays.fill(margins, problem.data().offset(problem.row(j)));
            losses += problem.weight(j) * problem.loss().value(margins, problem.label(j));
        }
        return losses / problem.totalWeight();
    }

    /** Checks that no row dominates the sums. All problems are about the same rows, so their sums count together. */
    private void requireSpread(SumRequest request) {
        LocalProblem problem = problems.apply(request.problem());
        SumRequest.Shares shares = shares(request);
        boolean curved = request.kind().isCurved();
        if (curved ? shares.curvatures().isEmpty() : shares.slopes().isEmpty()) {
            throw refused("a sum, " + request.name() + ", that does not say how much each row contributes to it");
        }
        for (double[] slopesOfOutput : shares.slopes()) {
            requireSpread(slopes, problem, slopesOfOutput);
            requireApart(request, problem, slopesOfOutput);
            account.add(request.kind(), byRow(problem, slopesOfOutput));
            if (request.kind() != SumKind.LINE && problem.hasIntercept()) {
                requireSpread(slopes, problem, positiveParts(slopesOfOutput));
            }
        }
        for (double[] curvaturesOfOutput : shares.curvatures()) {
            requireSpread(curvatures, problem, curvaturesOfOutput);
            if (request.shares().isPresent()) {
                requireApart(request, problem, curvaturesOfOutput);
                account.add(request.kind(), byRow(problem, curvaturesOfOutput));
            }
        }
    }

    private SumRequest.Shares shares(SumRequest request) {
        return request.shares()
                .map(Supplier::get)
                .orElseGet(() -> evaluated(request, problems.apply(request.problem())));
    }

    /** The shares of rows that each count as their loss says, by output. */
    private static SumRequest.Shares evaluated(SumRequest request, LocalProblem problem) {
        int outputs = problem.loss().outputs();
        if (request.point().length != outputs * problem.features()) {
            throw refused("a sum, " + request.name() + ", at a point of " + request.point().length
                    + " parameters for " + (outputs > 1 ? outputs + " outputs of " : "") + problem.features()
                    + " features that does not say how much each row contributes to it");
        }
        return Leverage.shares(
                problem,
                request.point(),
                ownStride(request, problem.samples()),
                request.kind().isCurved());
    }

    /** With a free intercept, the sum over rows with positive slopes is released separately. */
    private static double[] positiveParts(double[] slopes) {
        return Arrays.stream(slopes).map(slope -> Math.max(0, slope)).toArray();
    }

    /** The site's own stride: taking every k-th of its samples gives at least as many rows as the addend covers. */
    private static int ownStride(SumRequest request, int samples) {
        int stride = request.stride();
        while (stride > 1 && (samples + stride - 1L) / stride < request.rows()) {
            stride /= GROWTH;
        }
        return stride;
    }

    /**
     * Adds a column to a leverage, unless that would exceed the limit. In cross-validation a problem lacks some of the
     * site's rows, which then have no part in its sums.
     */
    private void requireSpread(Leverage leverage, LocalProblem problem, double[] ofSamples) {
        double most = leverage.with(byRow(problem, ofSamples));
        if (most > policy.leverage()) {
            throw refused("sums that would, together with the earlier ones, depend on one of its rows to "
                    + Math.round(100 * most) + " %; at most " + Math.round(100 * policy.leverage())
                    + " % is allowed (policy: leverage)");
        }
        leverage.add();
    }

    private double[] byRow(LocalProblem problem, double[] ofSamples) {
        double[] column = new double[(int) rows];
        for (int j = 0; j < ofSamples.length; j++) {
            column[problem.row(j)] = ofSamples[j];
        }
        return column;
    }

    private static InvalidInputException refused(String why) {
        return new InvalidInputException("this site's rules refuse " + why);
    }

    /** Whether neighbours see estimates, with the consent of all sites. */
    public boolean sharesEstimates() {
        return sharesEstimates;
    }

    /** How much of what was released so far depends on a single row, at most. */
    public double leverage() {
        return Math.max(slopes.largest(), curvatures.largest());
    }

    /** The slopes of all passes, of this run and earlier ones. */
    public SlopesAccount account() {
        return account;
    }

    /** The number of sums at a point so far. */
    public int passes() {
        return passes;
    }

    /** The number of sums of curvatures so far. */
    public int curvatures() {
        return hessians + diagonals;
    }

    /** How many numbers were released so far. */
    public long numbers() {
        return numbers;
    }

    @Override
    public void state(State s) throws IOException {
        sharesEstimates = s.flag(sharesEstimates);
        withheld = s.flag(withheld);
        numbers = s.number(numbers);
        passes = s.number(passes);
        hessians = s.number(hessians);
        diagonals = s.number(diagonals);
        slopes.state(s);
        curvatures.state(s);
        account.state(s);
    }
}
