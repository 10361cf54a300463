package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.model.Inference;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Comparisons of models of the same rows, each with all terms of the one before it: by the likelihood ratio if the
 * dispersion is known, by F if it is estimated from the largest model, as in R.
 *
 * @param lines a line for each model, from the smallest to the largest
 * @param byF whether statistics are F rather than χ²
 */
public record Anova(List<Line> lines, boolean byF) {

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
    public record Named(String name, LinearModel model) {
        private Inference inference() {
            return GlmTable.inference(model);
        }
    }

    /**
     * Compares models.
     *
     * @throws InvalidInputException if they are not of the same rows and family, or not nested
     */
    public static Anova of(List<Named> models) {
        if (models.size() < 2) {
            throw new InvalidInputException(models.size() + " model; give two or more to compare");
        }
        List<Named> sorted = models.stream()
                .sorted(Comparator.comparingInt(one -> one.inference().estimated()))
                .toList();
        Likelihood family = GlmTable.family(sorted.get(0).model());
        boolean byF = !family.isDispersionKnown();
        Inference largest = sorted.get(sorted.size() - 1).inference();
        List<Line> lines = new ArrayList<>();
        for (int k = 0; k < sorted.size(); k++) {
            Named one = sorted.get(k);
            Inference known = one.inference();
            Proven deviance = new Proven(known.deviance(), known.devianceError());
            if (k == 0) {
                lines.add(new Line(
                        one.name(), known.degreesOfFreedom(), deviance, 0, Proven.NONE, Proven.NONE, Proven.NONE));
                continue;
            }
            requireNested(sorted.get(k - 1), one);
            lines.add(line(one.name(), known, sorted.get(k - 1).inference(), largest, byF));
        }
        return new Anova(lines, byF);
    }

    private static Line line(String name, Inference known, Inference before, Inference largest, boolean byF) {
        double df = before.degreesOfFreedom() - known.degreesOfFreedom();
        double drop = before.deviance() - known.deviance();
        double off = before.devianceError() + known.devianceError() + Math.ulp(before.deviance());
        double dispersion = byF ? largest.pearson() / largest.degreesOfFreedom() : 1;
        double relative = byF ? largest.pearsonError() / largest.pearson() : 0;
        double statistic = byF ? drop / df / dispersion : drop;
        double error = statistic * ((1 + off / drop) / (1 - Math.min(relative, 0.5)) - 1);
        double low = Math.max(0, statistic - error);
        double p = tail(statistic, df, largest, byF);
        return new Line(
                name,
                known.degreesOfFreedom(),
                new Proven(known.deviance(), known.devianceError()),
                df,
                new Proven(drop, off),
                new Proven(statistic, error),
                new Proven(p, tail(low, df, largest, byF) - p + ROUNDING * p * Math.max(1, statistic)));
    }

    private static double tail(double statistic, double df, Inference largest, boolean byF) {
        return byF
                ? Distributions.fTail(statistic, df, largest.degreesOfFreedom())
                : Distributions.chiSquareTail(statistic, df);
    }

    private static void requireNested(Named small, Named large) {
        String both = small.name() + " and " + large.name();
        if (!small.model().loss().equals(large.model().loss())) {
            throw new InvalidInputException(both + " have the losses "
                    + small.model().loss() + " and " + large.model().loss() + "; compare models of one family");
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
