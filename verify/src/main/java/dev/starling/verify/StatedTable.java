package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.verify.digits.Factor;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Spread;
import dev.starling.verify.loss.Whole;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.numbers.core.DD;

/**
 * What a file states for a table of statistics, beside the same from the rows in double-double arithmetic, at the
 * estimate that Newton's method goes on to from the model's. Every number must be as close to that as the file says.
 */
final class StatedTable {

    /** The most products that may be spent on it. */
    private static final double MOST_WORK = 5e8;

    /** What exponentials and other functions of a row cost, in products. */
    private static final double WORK_OF_A_ROW = 200;

    /** More steps than it takes from an estimate that is anywhere near. */
    static final int MOST_STEPS = 20;

    /** Squared steps of this length, in standard errors, change nothing that a file states. */
    static final double SETTLED = 0x1p-80;

    /** What a table allows for rounding of numbers besides the errors that files state. */
    private static final double ROUNDING = 0x1p-46;

    /** What it allows for numbers whose errors are not stated; digits of the former are not printed as proven. */
    private static final double UNSTATED = 0x1p-40;

    private static final String NOWHERE = "the table belongs to no estimate that Newton's method finds near the model";

    private static final String LOGISTIC = "logistic";

    private final Inference known;

    /** For each parameter that is estimated, which of the table's coefficients it is. */
    private final int[] places;

    private StatedTable(Inference known, int... places) {
        this.known = known;
        this.places = places;
    }

    /** The loss, of shares if it is one of two classes with names. */
    private static String ofShares(Claim claim) {
        return claim.loss().equals(LOGISTIC) ? "binomial" : claim.loss();
    }

    private static Optional<Spread> spread(Claim claim) {
        return Spread.named(ofShares(claim));
    }

    /** Whether a model's table, if it has one, is checked on so many rows. */
    private static boolean isChecked(LinearModel model, Claim claim, int rows) {
        double each = WORK_OF_A_ROW + model.features() * (double) model.features();
        boolean whole = CheckedLoss.named(claim.loss()) instanceof Whole.Named
                || (JointChecker.isJoint(claim) && model.scores() > 1);
        return model.inference().isPresent()
                && claim.scalingThatDecides().equals("none")
                && rows * each <= MOST_WORK
                && (whole || spread(claim).isPresent());
    }

    /** The parts of a table that are not checked, in words with the members in brackets. */
    static List<String> unchecked(LinearModel model, Claim claim, int rows) {
        if (model.inference().isEmpty()) {
            return List.of();
        }
        Inference known = model.inference().get();
        if (!isChecked(model, claim, rows)) {
            return List.of("standard errors and deviances (inference)");
        }
        Stream<Optional<String>> parts = Stream.of(
                part(
                        known.kind().sumsClusters(),
                        "errors by cluster (clusters, robust, robustErrors, degrees, degreesError)"),
                part(
                        spread(claim).isEmpty(),
                        "the model without features and counts (weight, nullDeviance, nullDevianceError, constant,"
                                + " clusters)"),
                part(known.changes().length > 0, "hazards in time (changes)"),
                part(known.curves().length > 0, "counts by interval (curves)"),
                part(known.random().isPresent(), "random intercepts (random, clusters)"),
                part(known.heterogeneity().sums().length > 0, "how sites differ (heterogeneity, siteColumns, bySite)"));
        return parts.flatMap(Optional::stream).toList();
    }

    private static Optional<String> part(boolean there, String what) {
        return there ? Optional.of(what) : Optional.empty();
    }

    /**
     * Says which number of a table is wrong; empty if none is, or if it is not checked.
     *
     * @param rows the rows that were trained on, with the feature of an intercept
     * @param theta the model's weights on them
     */
    static Optional<String> misfit(
            LinearModel model, Claim claim, Dataset rows, double[] labels, CheckedWeights weights, DD[] theta) {
        if (!isChecked(model, claim, rows.rows()) || spread(claim).isEmpty()) {
            return Optional.empty();
        }
        int[] kept = IntStream.range(0, rows.features())
                .filter(c -> !claim.aliased().contains(c))
                .toArray();
        StatedTable table = new StatedTable(model.inference().orElseThrow(), kept);
        double[] shares = claim.loss().equals(LOGISTIC)
                ? Arrays.stream(labels).map(label -> Math.max(label, 0)).toArray()
                : labels;
        TableRows problem = new TableRows(
                rows,
                shares,
                weights,
                kept,
                CheckedLoss.named(ofShares(claim)),
                spread(claim).get());
        return table.shape(model, claim, rows.features()).or(() -> table.misfit(problem, theta, claim.intercept()));
    }

    private Optional<String> misfit(TableRows problem, DD[] theta, boolean intercept) {
        Optional<DD[]> best = problem.best(theta);
        if (best.isEmpty()) {
            return Optional.of(NOWHERE);
        }
        TableRows.Sums sums = problem.sums(best.get(), known.kind().powerOfLeverage());
        DD[] own = Arrays.stream(places).mapToObj(c -> theta[c]).toArray(DD[]::new);
        DD[] exact = Arrays.stream(places).mapToObj(c -> best.get()[c]).toArray(DD[]::new);
        return differs("number of rows", known.rows(), DD.of(sums.rows()), 0)
                .or(() -> differs("weight of the rows", known.weight(), sums.weight(), UNSTATED * known.weight()))
                .or(() -> estimates(own, exact, sums.covariance()))
                .or(() -> differs("deviance", known.deviance(), sums.loss().multiply(2), known.devianceError()))
                .or(() -> differs("X\u00b2", known.pearson(), sums.pearson(), known.pearsonError()))
                .or(() -> differs("constant", known.constant(), sums.constant(), ROUNDING * sums.sizeOfConstant()))
                .or(() -> differs(
                        "slope by the size",
                        known.shapeSlope(),
                        sums.shapeSlope(),
                        known.shapeError() + ROUNDING * sums.sizeOfShape()))
                .or(() -> differs(
                        "information about the size",
                        known.shapeInformation(),
                        sums.shapeInformation(),
                        4 * known.shapeError() + UNSTATED * sums.sizeOfShape()))
                .or(() -> known.kind().isRobust() && !known.kind().sumsClusters() ? robust(sums) : Optional.empty())
                .or(() -> alone(problem.nullDeviance(intercept)));
    }

    private Optional<String> alone(Optional<DD> none) {
        if (none.isEmpty()) {
            return Double.isNaN(known.nullDeviance())
                    ? Optional.empty()
                    : Optional.of("the null deviance is " + known.nullDeviance() + ", but no fit has the least");
        }
        return differs("null deviance", known.nullDeviance(), none.get(), known.nullDevianceError());
    }

    /**
     * The same for a likelihood that is a whole, whose Hessian is the information.
     *
     * @param first how many of the table's coefficients are those of a first class, which are 0
     */
    static Optional<String> misfit(LinearModel model, Claim claim, Whole problem, CheckedWeights weights, int first) {
        if (!isChecked(model, claim, weights.values().length)) {
            return Optional.empty();
        }
        DD[] start = problem.parameter();
        StatedTable table = new StatedTable(
                model.inference().orElseThrow(),
                IntStream.range(first, first + start.length).toArray());
        return table.shape(model, claim, first + start.length).or(() -> table.misfit(problem, weights));
    }

    private Optional<String> misfit(Whole problem, CheckedWeights weights) {
        double total = Math.scalb(Arrays.stream(weights.values()).sum(), weights.exponent());
        DD[] theta = problem.parameter();
        for (int step = 0; step < MOST_STEPS; step++) {
            Whole.Sums sums = problem.at(theta);
            Optional<Factor> factor = Factor.of(theta.length, (a, b) -> sums.hessian()[a][b]);
            if (factor.isEmpty()) {
                break;
            }
            DD[] forward = factor.get().forward(sums.gradient());
            if (Factor.squares(forward).hi() * total < SETTLED) {
                return estimates(problem.parameter(), theta, inverse(factor.get(), theta.length, 1 / total))
                        .or(() -> differs(
                                "deviance", known.deviance(), sums.value().multiply(2 * total), known.devianceError()))
                        .or(() -> differs(
                                "number of rows",
                                known.rows(),
                                DD.of(Arrays.stream(weights.values())
                                        .filter(weight -> weight > 0)
                                        .count()),
                                0));
            }
            DD[] moved = factor.get().backward(forward);
            DD[] from = theta;
            theta = IntStream.range(0, from.length)
                    .mapToObj(a -> from[a].subtract(moved[a]))
                    .toArray(DD[]::new);
        }
        return Optional.of(NOWHERE);
    }

    /** The inverse of a matrix of which the factor is known, times a number. */
    static DD[][] inverse(Factor factor, int size, double times) {
        DD[][] columns = new DD[size][];
        Arrays.setAll(columns, k -> {
            DD[] unit = Scales.zeros(size);
            unit[k] = DD.ONE;
            return factor.forward(unit);
        });
        DD[][] inverse = new DD[size][];
        Arrays.setAll(
                inverse,
                a -> IntStream.rangeClosed(0, a)
                        .mapToObj(b -> Factor.product(columns[a], columns[b]).multiply(times))
                        .toArray(DD[]::new));
        return inverse;
    }

    /** Says what of a table cannot be for a model of this kind; empty if nothing. */
    private Optional<String> shape(LinearModel model, Claim claim, int coefficients) {
        int entries = coefficients * (coefficients + 1) / 2;
        boolean robust = known.kind().isRobust();
        String asked = model.provenance().settings().getOrDefault("standard-errors", "");
        boolean fits = known.estimateErrors().length == coefficients
                && known.relativeErrors().length == coefficients
                && known.covariance().length == entries
                && known.robust().length == (robust ? entries : 0)
                && known.robustErrors().length == (robust ? coefficients : 0)
                && (known.degrees().length > 0) == (known.kind() == StandardErrors.CR2)
                && known.intercept() == claim.intercept()
                && asked.equals(known.kind().text())
                && (known.clusters() == 0 || known.kind().isClustered() || isWhole(claim))
                && (!isWhole(claim) || (known.pearson() == 0 && known.shapeInformation() == 0));
        if (!fits) {
            return Optional.of(
                    "the table is not one of " + coefficients + " coefficients with standard errors " + asked);
        }
        boolean bounds = DoubleStream.of(
                        known.devianceError(), known.nullDevianceError(), known.pearsonError(), known.shapeError())
                .allMatch(error -> error >= 0);
        boolean all = Stream.of(known.estimateErrors(), known.relativeErrors(), known.robustErrors())
                .flatMapToDouble(Arrays::stream)
                .allMatch(error -> error >= 0);
        return bounds && all ? Optional.empty() : Optional.of("the table states an error that is not 0 or more");
    }

    private static boolean isWhole(Claim claim) {
        return spread(claim).isEmpty();
    }

    /** Compares estimates and their covariance; coefficients that are left out have none. */
    private Optional<String> estimates(DD[] own, DD[] exact, DD[][] covariance) {
        for (int a = 0; a < places.length; a++) {
            int at = places[a];
            double off = own[a].subtract(exact[a]).abs().hi();
            double size = Math.abs(exact[a].hi());
            if (!(off <= (1 + 0x1p-20) * known.estimateErrors()[at] + 2 * Math.ulp(size))) {
                return Optional.of("coefficient " + (at + 1) + " of the table is off by " + Verdict.atMost(off)
                        + ", not by at most " + known.estimateErrors()[at] + " as stated");
            }
        }
        double[] relative = Arrays.stream(places)
                .mapToDouble(at -> known.relativeErrors()[at])
                .toArray();
        double[] doubled = Arrays.stream(relative).map(r -> 2 * r + r * r).toArray();
        return matrix("covariance", known.covariance(), covariance, (a, b) -> {
            double size = Math.sqrt(covariance[a][a].hi()) * Math.sqrt(covariance[b][b].hi());
            return (ROUNDING + (a == b ? doubled[a] : 2 * Math.max(doubled[a], doubled[b]))) * size;
        });
    }

    private Optional<String> robust(TableRows.Sums sums) {
        double[] errors = Arrays.stream(places)
                .mapToDouble(at -> known.robustErrors()[at])
                .toArray();
        DD[][] exact = sums.robust();
        return matrix("robust covariance", known.robust(), exact, (a, b) -> {
            double one = Math.sqrt(exact[a][a].hi());
            double other = Math.sqrt(exact[b][b].hi());
            return (1 + ROUNDING) * (one * errors[b] + other * errors[a] + errors[a] * errors[b])
                    + ROUNDING * one * other;
        });
    }

    /** How far an entry may be off. */
    @FunctionalInterface
    private interface Allowance {
        double of(int a, int b);
    }

    private Optional<String> matrix(String what, double[] stated, DD[][] exact, Allowance allowed) {
        boolean[] expected = new boolean[stated.length];
        for (int a = 0; a < places.length; a++) {
            for (int b = 0; b <= a; b++) {
                int entry = places[a] * (places[a] + 1) / 2 + places[b];
                expected[entry] = true;
                double off = exact[a][b].subtract(stated[entry]).abs().hi();
                if (!(off <= allowed.of(a, b))) {
                    return Optional.of("the " + what + " of coefficients " + (places[a] + 1) + " and " + (places[b] + 1)
                            + " is " + exact[a][b].hi() + ", not " + stated[entry] + " as stated");
                }
            }
        }
        return IntStream.range(0, stated.length).anyMatch(entry -> !expected[entry] && stated[entry] != 0)
                ? Optional.of("the " + what + " has entries for coefficients that are left out")
                : Optional.empty();
    }

    private static Optional<String> differs(String what, double stated, DD exact, double error) {
        double off = exact.subtract(stated).abs().hi();
        return off <= (1 + 0x1p-20) * error + ROUNDING * Math.abs(exact.hi())
                ? Optional.empty()
                : Optional.of("the " + what + " is " + exact.hi() + ", not " + stated + " as stated");
    }
}
