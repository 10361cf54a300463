package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Comparisons of models of the same rows, each with all terms of the one before it: by the likelihood ratio if the
 * dispersion is known, by F if it is estimated from the largest model, or by Rao's score, all as in R.
 *
 * @param lines a line for each model, from the smallest to the largest
 * @param test what statistics are
 */
public record Anova(List<Line> lines, Test test) {

    /** A test. */
    public enum Test {
        /** The likelihood ratio. */
        LR,
        /** By F, with an estimated dispersion. */
        F,
        /** By the slopes of the larger model at the estimates of the smaller one. */
        RAO
    }

    /** The share of the deviance by which null deviances of the same rows may differ. */
    private static final double SAME = 1e-9;

    private static final double ROUNDING = 0x1p-46;

    /**
     * A model, compared with the one before it.
     *
     * @param name its name
     * @param dfResidual its residual degrees of freedom
     * @param deviance its residual deviance
     * @param df how many coefficients it has more
     * @param reduction by how much its deviance is less
     * @param statistic the statistic of the test that these are 0
     * @param p its probability
     */
    public record Line(
            String name, double dfResidual, Proven deviance, double df, Proven reduction, Proven statistic, Proven p) {}

    /** Copies the list. */
    public Anova {
        lines = List.copyOf(lines);
    }

    /**
     * A model with a name.
     *
     * @param name what messages and lines call it
     */
    public record Named(String name, LinearModel model) {}

    private record Fitted(String name, LinearModel model, Inference inference) {
        static Fitted of(Named one) {
            return new Fitted(one.name, one.model, GlmTable.inferenceOfWhole(one.model, "a comparison of deviances"));
        }
    }

    /**
     * Compares models.
     *
     * @throws InvalidInputException if they are not of the same rows and family, or not nested
     */
    public static Anova of(List<Named> models) {
        return of(models, Optional.empty());
    }

    /**
     * Compares models by Rao's score test.
     *
     * @param rows the rows of a model, which are those of all of them
     */
    public static Anova byScore(List<Named> models, Function<LinearModel, Dataset> rows) {
        return of(models, Optional.of(rows));
    }

    private static Anova of(List<Named> models, Optional<Function<LinearModel, Dataset>> rows) {
        if (models.size() < 2) {
            throw new InvalidInputException(models.size() + " model; give two or more to compare");
        }
        List<Fitted> sorted = models.stream()
                .map(Fitted::of)
                .sorted(Comparator.comparingInt(one -> one.inference().estimated()))
                .toList();
        Likelihood family = GlmTable.family(sorted.get(0).model());
        Test test = rows.isPresent() ? Test.RAO : family.isDispersionKnown() ? Test.LR : Test.F;
        Inference largest = sorted.get(sorted.size() - 1).inference();
        List<Line> lines = new ArrayList<>();
        for (int k = 0; k < sorted.size(); k++) {
            Fitted one = sorted.get(k);
            Inference known = one.inference();
            Proven deviance = new Proven(known.deviance(), known.devianceError());
            if (k == 0) {
                lines.add(new Line(
                        one.name(), known.degreesOfFreedom(), deviance, 0, Proven.NONE, Proven.NONE, Proven.NONE));
                continue;
            }
            requireNested(sorted.get(k - 1), one);
            Fitted before = sorted.get(k - 1);
            lines.add(line(
                    one.name(),
                    known,
                    before.inference(),
                    largest,
                    family,
                    test,
                    rows.map(of -> ScoreTest.of(before.model(), one.model(), of.apply(one.model())))));
        }
        return new Anova(lines, test);
    }

    private static Line line(
            String name,
            Inference known,
            Inference before,
            Inference largest,
            Likelihood family,
            Test test,
            Optional<Proven> score) {
        double df = before.degreesOfFreedom() - known.degreesOfFreedom();
        Proven deviance = new Proven(known.deviance(), known.devianceError());
        Proven drop = new Proven(before.deviance(), before.devianceError()).minus(deviance);
        Proven dispersion = family.isDispersionKnown()
                ? new Proven(1, 0)
                : new Proven(largest.pearson(), largest.pearsonError()).times(1 / largest.degreesOfFreedom());
        Proven statistic = score.orElse(drop).over(dispersion).times(test == Test.F ? 1 / df : 1);
        Proven p = new Proven(Math.max(0, statistic.value()), statistic.error())
                .map(x -> tail(Math.max(0, x), df, largest, test));
        double rounding = ROUNDING * p.value() * Math.max(1, statistic.value());
        return new Line(
                name,
                known.degreesOfFreedom(),
                deviance,
                df,
                drop,
                statistic,
                new Proven(p.value(), p.error() + rounding));
    }

    private static double tail(double statistic, double df, Inference largest, Test test) {
        return test == Test.F
                ? Distributions.fTail(statistic, df, largest.degreesOfFreedom())
                : Distributions.chiSquareTail(statistic, df);
    }

    private static String name(Fitted model) {
        return model.model().loss().replaceFirst("\\(.*", "");
    }

    private static void requireNested(Fitted small, Fitted large) {
        String both = small.name() + " and " + large.name();
        if (!small.model().loss().equals(large.model().loss())) {
            throw new InvalidInputException(both + " have the losses "
                    + small.model().loss() + " and " + large.model().loss() + "; compare models of one family"
                    + (name(small).equals(name(large))
                            ? " with the same number in parentheses, for example that of the larger one"
                            : ""));
        }
        Inference a = small.inference();
        Inference b = large.inference();
        if (a.rows() != b.rows()
                || a.weight() != b.weight()
                || Math.abs(a.nullDeviance() - b.nullDeviance()) > SAME * Math.abs(a.nullDeviance())) {
            throw new InvalidInputException(
                    both + " were not fitted to the same rows: " + (long) a.rows() + " rows with a"
                            + " null deviance of " + a.nullDeviance() + ", and " + (long) b.rows() + " with one of "
                            + b.nullDeviance());
        }
        Set<String> missing = new HashSet<>(small.model().names());
        missing.removeAll(large.model().names());
        if (!missing.isEmpty() || (a.intercept() && !b.intercept())) {
            throw new InvalidInputException(both + " are not nested: only the first has "
                    + (missing.isEmpty() ? "an intercept" : String.join(", ", missing)));
        }
        if (a.estimated() == b.estimated()) {
            throw new InvalidInputException(both + " have the same number of coefficients; there is nothing to test");
        }
    }
}
