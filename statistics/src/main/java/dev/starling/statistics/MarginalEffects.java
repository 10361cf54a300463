package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Link;
import dev.starling.loss.Normal;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import dev.starling.recipe.Formula;
import dev.starling.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Average marginal effects: by how much the mean of a row changes with a feature, on average over all rows. For a
 * number that is the slope μ'(η)β, for a level of a column the difference μ(η with this level) − μ(η with the
 * reference). Standard errors are those of the delta method.
 */
public final class MarginalEffects {

    /** Bounds on the fourth derivative of means that are probabilities, whatever the score. */
    private static final double FOURTH = 20;

    private final LinearModel model;
    private final Inference known;
    private final Link link;
    private final Dataset rows;
    private final GlmNumbers numbers;
    private final Scores scores;
    private final int d;

    private MarginalEffects(LinearModel model, Dataset rows, double level) {
        this.model = model;
        this.known = GlmTable.inference(model);
        this.link = GlmTable.family(model).link();
        this.rows = rows;
        this.numbers = new GlmNumbers(model, level);
        this.scores = Scores.of(model, known);
        this.d = known.coefficients();
    }

    /**
     * The effects of all features.
     *
     * @param rows those that effects are averaged over
     * @throws InvalidInputException if a column has several terms, so that a feature cannot change alone
     */
    public static List<Coefficient> of(LinearModel model, Dataset rows, double level) {
        MarginalEffects effects = new MarginalEffects(model, rows, level);
        if (effects.known.degrees().length > 0) {
            throw new InvalidInputException("average marginal effects have no degrees of freedom with "
                    + effects.known.kind().text() + "; use CR1");
        }
        Recipe.of(model).flatMap(Recipe::formula).ifPresent(formula -> effects.requireOwnTerms(Formula.parse(formula)));
        List<Coefficient> lines = new ArrayList<>();
        for (int k = 0; k < model.features(); k++) {
            lines.add(
                    effects.known.isEstimated(k)
                            ? effects.line(k)
                            : Coefficient.leftOut(model.names().get(k)));
        }
        return lines;
    }

    private void requireOwnTerms(Formula formula) {
        List<Formula.Term> terms = List.copyOf(formula.right().terms(List.of()).values());
        Set<String> names = terms.stream().map(Formula.Term::toString).collect(Collectors.toSet());
        long columns = terms.stream()
                .flatMap(term -> term.factors().stream())
                .map(factor -> factor.column())
                .distinct()
                .count();
        boolean alone = model.names().stream()
                .allMatch(name -> terms.isEmpty() || names.contains(name) || names.contains(column(name)));
        if (terms.stream().anyMatch(term -> term.factors().size() > 1) || columns < terms.size() || !alone) {
            throw new InvalidInputException("average marginal effects need a formula in which every column has one term"
                    + " of its own, without products, poly, ns and bs; '" + formula.text() + "' has others");
        }
        if (!formula.intercept() && model.names().stream().anyMatch(name -> name.contains("="))) {
            throw new InvalidInputException(
                    "average marginal effects of levels are differences to the reference, which needs an intercept");
        }
    }

    /** The column of a level; a name that is none's is its own. */
    private static String column(String name) {
        int equals = name.indexOf('=');
        return equals < 0 ? name : name.substring(0, equals);
    }

    /** μ and its first three derivatives at a score. */
    private double[] mean(double score) {
        double mean = link.mean(score);
        return switch (link.name()) {
            case "identity" -> new double[] {mean, 1, 0, 0};
            case "log" -> new double[] {mean, mean, mean, mean};
            case "logit" -> {
                double v = mean * (1 - mean);
                yield new double[] {mean, v, v * (1 - 2 * mean), v * (1 - 6 * v)};
            }
            case "probit" -> {
                double density = Normal.density(score);
                yield new double[] {mean, density, -score * density, (score * score - 1) * density};
            }
            case "cloglog" -> {
                double t = Elementary.exp(Math.min(score, 700));
                double v = t * Elementary.exp(-t);
                yield new double[] {mean, v, v * (1 - t), v * (1 - 3 * t + t * t)};
            }
            default -> throw new InvalidInputException("no marginal effects with the link " + link.name());
        };
    }

    /** A bound on the m-th derivative of the mean within a radius. */
    private double largest(double[] at, int m, double radius) {
        if (link.name().equals("log")) {
            return at[m] * Elementary.exp(radius);
        }
        double bound = link.name().equals("identity") ? 0 : FOURTH;
        for (int k = 3; k >= m; k--) {
            bound = Math.abs(at[k]) + radius * bound;
        }
        return bound;
    }

    /** An average over rows with its slopes by all coefficients, and bounds on what errors of these do to it. */
    private final class Average {

        private double[] row;
        private final double[] slopes = new double[d];
        private final double[] slopeErrors = new double[d];
        private double value;
        private double error;
        private double count;

        void add(int feature) {
            boolean isLevel = model.names().get(feature).contains("=");
            for (int i = 0; i < rows.rows(); i++) {
                if (rows.weight(i) > 0) {
                    count++;
                    row = scores.row(rows, i);
                    if (isLevel) {
                        clear(feature);
                        difference(i, -1);
                        row[feature] = 1;
                        difference(i, 1);
                    } else {
                        slope(i, feature);
                    }
                }
            }
        }

        private void clear(int feature) {
            String column = column(model.names().get(feature)) + "=";
            for (int k = 0; k < model.features(); k++) {
                row[k] = model.names().get(k).startsWith(column) ? 0 : row[k];
            }
        }

        private void difference(int i, double sign) {
            double[] mean = mean(scores.score(row, rows.offset(i)));
            double radius = scores.radius(row, rows.offset(i));
            value += sign * mean[0];
            error += radius * largest(mean, 1, radius);
            for (int k = 0; k < d; k++) {
                slopes[k] += sign * mean[1] * row[k];
                slopeErrors[k] += radius * largest(mean, 2, radius) * Math.abs(row[k]);
            }
        }

        private void slope(int i, int feature) {
            double[] mean = mean(scores.score(row, rows.offset(i)));
            double radius = scores.radius(row, rows.offset(i));
            double beta = scores.values()[feature];
            double off = known.estimateErrors()[feature];
            value += mean[1] * beta;
            error += radius * largest(mean, 2, radius) * (Math.abs(beta) + off) + off * largest(mean, 1, radius);
            for (int k = 0; k < d; k++) {
                slopes[k] += mean[2] * row[k] * beta;
                slopeErrors[k] += Math.abs(row[k])
                        * (radius * largest(mean, 3, radius) * (Math.abs(beta) + off) + off * largest(mean, 2, radius));
            }
            slopes[feature] += mean[1];
            slopeErrors[feature] += radius * largest(mean, 2, radius);
        }
    }

    private Coefficient line(int feature) {
        Average average = new Average();
        average.add(feature);
        double[] combination = average.slopes;
        double[] unit = new double[d];
        double more = 0;
        double size = 0;
        for (int k = 0; k < d; k++) {
            combination[k] = known.isEstimated(k) ? combination[k] / average.count : 0;
            if (known.isEstimated(k)) {
                unit[k] = 1;
                more += average.slopeErrors[k]
                        / average.count
                        * numbers.error(unit).value();
                size += Math.abs(combination[k]) * numbers.error(unit).value();
                unit[k] = 0;
            }
        }
        Proven se = numbers.error(combination);
        double value = average.value / average.count;
        double rounding = Coefficient.ROUNDING * Math.max(Math.abs(value), size);
        return numbers.line(
                model.names().get(feature),
                value,
                average.error / average.count + rounding,
                new Proven(se.value(), se.error() + 2 * more + Coefficient.ROUNDING * size),
                known.degreesOfFreedom());
    }
}
