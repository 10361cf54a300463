package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Normal;
import dev.starling.loss.Ordinal;
import dev.starling.model.Inference;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The table of a generalised linear model: what R's {@code summary(glm(…))} prints, each number with a bound on its
 * error.
 *
 * <p>This file is longer than most, because every number of the table and where it comes from is in it.
 *
 * @param family the name of the family
 * @param link the name of the link
 * @param n the number of rows with a positive weight
 * @param coefficients the lines, the intercept's first
 * @param tested whether statistics refer to Student's distribution rather than the normal one
 * @param dispersion φ
 * @param deviance the residual deviance
 * @param nullDeviance that of the intercept and offsets only
 * @param dfResidual n less the number of coefficients
 * @param dfNull n less 1 if there is an intercept
 * @param logLik the log-likelihood; does not exist for quasi-families
 * @param aic Akaike's criterion
 * @param bic the Bayesian one
 * @param explained how much of the deviance or of the likelihood the features explain: measures by name
 * @param standardErrors a bound on the error of every estimate in units of its standard error
 * @param kind which standard errors these are
 * @param level the level of the intervals
 * @param convex whether the estimate is the only stationary point, so that there is no better one elsewhere
 */
public record GlmTable(
        String family,
        String link,
        double n,
        List<Coefficient> coefficients,
        boolean tested,
        Proven dispersion,
        Proven deviance,
        Proven nullDeviance,
        double dfResidual,
        double dfNull,
        Proven logLik,
        Proven aic,
        Proven bic,
        Map<String, Proven> explained,
        double standardErrors,
        StandardErrors kind,
        double level,
        boolean convex) {

    private static final double ROUNDING = Coefficient.ROUNDING;

    /** How many times more than the information, at most, degrees of freedom of clusters may be off. */
    private static final double DEGREES = 1000;

    /** The name of the intercept, as in R. */
    public static final String INTERCEPT = "(Intercept)";

    /** Copies the list. */
    public GlmTable {
        coefficients = List.copyOf(coefficients);
        explained = Collections.unmodifiableMap(new LinkedHashMap<>(explained));
    }

    /**
     * The table of a model.
     *
     * @param level that of the intervals, for example 0.95
     * @throws InvalidInputException if the model was not trained with standard errors
     */
    public static GlmTable of(LinearModel model, double level) {
        if (!(level > 0 && level < 1)) {
            throw new InvalidInputException("a level of " + level + "; it must be between 0 and 1, for example 0.95");
        }
        return new Made(model, level).table();
    }

    /** The table with e to the estimates and to the ends of intervals; standard errors by the delta method. */
    public GlmTable exponentiated() {
        return with(coefficients.stream().map(Coefficient::exponentiated).toList());
    }

    /** The table with other lines. */
    GlmTable with(List<Coefficient> lines) {
        return with(lines, convex);
    }

    /** The table of a fit of which nothing is proven but that no other is near. */
    public GlmTable ofLocalOptimum() {
        return with(coefficients, false);
    }

    private GlmTable with(List<Coefficient> lines, boolean isConvex) {
        return new GlmTable(
                family,
                link,
                n,
                lines,
                tested,
                dispersion,
                deviance,
                nullDeviance,
                dfResidual,
                dfNull,
                logLik,
                aic,
                bic,
                explained,
                standardErrors,
                kind,
                level,
                isConvex);
    }

    /** The table of a fit one more parameter of whose family was estimated. */
    public GlmTable withOneMore() {
        return new GlmTable(
                family,
                link,
                n,
                coefficients,
                tested,
                dispersion,
                deviance,
                nullDeviance,
                dfResidual,
                dfNull,
                logLik,
                Made.criterion(aic, 2, -1),
                Made.criterion(bic, Elementary.log(n), -1),
                explained,
                standardErrors,
                kind,
                level,
                convex);
    }

    /**
     * The variance inflation factor of each feature: how many times greater its variance is than if no other feature
     * had anything in common with it.
     */
    public static Map<String, Proven> inflation(LinearModel model) {
        Inference known = inference(model);
        List<Integer> kept = IntStream.range(0, model.features())
                .filter(known::isEstimated)
                .boxed()
                .toList();
        double[][] correlations = new double[kept.size()][kept.size()];
        for (int a = 0; a < kept.size(); a++) {
            for (int b = 0; b < kept.size(); b++) {
                double scale = Inference.entry(known.covariance(), kept.get(a), kept.get(a))
                        * Inference.entry(known.covariance(), kept.get(b), kept.get(b));
                correlations[a][b] = Inference.entry(known.covariance(), kept.get(a), kept.get(b)) / Math.sqrt(scale);
            }
        }
        double[] diagonal = Symmetric.diagonalOfInverse(correlations);
        Map<String, Proven> factors = new LinkedHashMap<>();
        List<String> names = List.copyOf(model.coefficients().keySet());
        for (int a = 0; a < diagonal.length; a++) {
            double relative = 4 * known.relativeErrors()[kept.get(a)] + ROUNDING;
            factors.put(names.get(kept.get(a)), new Proven(diagonal[a], diagonal[a] * diagonal[a] * relative));
        }
        return factors;
    }

    /**
     * The differences between all levels of a column, with p adjusted for their number by Holm's method.
     *
     * @param column a column of categories, whose features are called {@code column=level}
     * @param reference the level that has no feature
     */
    public static List<Coefficient> contrasts(LinearModel model, String column, String reference, double level) {
        Map<Integer, String> levels = new LinkedHashMap<>();
        levels.put(-1, reference);
        Inference known = inference(model);
        for (int k = 0; k < model.names().size(); k++) {
            String name = model.names().get(k);
            if (name.startsWith(column + "=") && known.isEstimated(k)) {
                levels.put(k, name.substring(column.length() + 1));
            }
        }
        if (known.degrees().length > 0) {
            throw new InvalidInputException("differences between levels have no degrees of freedom with "
                    + known.kind().text() + "; use CR1");
        }
        if (levels.size() == 1) {
            throw new InvalidInputException("no feature is called '" + column + "=…', so '" + column
                    + "' has no levels to compare; take a column of categories, or factor(" + column + ")");
        }
        return new Made(model, level).contrasts(levels);
    }

    /** The inference that a model has, or a refusal. */
    static Inference inference(LinearModel model) {
        return model.inference()
                .orElseThrow(() -> new InvalidInputException("the model has no standard errors; train it with glm, or"
                        + " with lambda 0 and standard-errors model"));
    }

    /** The family of a model's loss. */
    static Likelihood family(LinearModel model) {
        if (Losses.named(model.loss()) instanceof Likelihood family) {
            return family;
        }
        throw new InvalidInputException("the loss " + model.loss() + " is no likelihood");
    }

    /** What the number of rows and clusters makes of robust covariances. */
    static double robustFactor(Inference known) {
        double df = known.degreesOfFreedom();
        return switch (known.kind()) {
            case HC1 -> known.rows() / df;
            case CR1 -> known.clusters() / (known.clusters() - 1) * ((known.rows() - 1) / df);
            default -> 1;
        };
    }

    /** What the numbers of a table are made of. */
    private static final class Made {

        private final LinearModel model;
        private final Inference known;
        private final Loss loss;
        private final double level;
        private final Proven dispersion;
        private final boolean tested;
        private final double normal;
        private double lastDegrees = Double.NaN;
        private double lastQuantile = Double.NaN;

        Made(LinearModel model, double level) {
            this.model = model;
            this.known = inference(model);
            this.loss = Losses.named(model.loss())
                    .forClasses(Math.max(2, model.classes().size()));
            this.level = level;
            this.dispersion = dispersion();
            this.tested = !loss.isDispersionKnown() || known.degrees().length > 0;
            this.normal = Distributions.normalQuantile(1 - level);
        }

        private Proven dispersion() {
            if (loss.isDispersionKnown()) {
                return new Proven(1, 0);
            }
            double df = known.degreesOfFreedom();
            return df > 0
                    ? new Proven(known.pearson() / df, known.pearsonError() / df + ROUNDING * known.pearson() / df)
                    : Proven.NONE;
        }

        GlmTable table() {
            double df = known.degreesOfFreedom();
            Proven deviance = new Proven(known.deviance(), known.devianceError());
            Proven logLik = logLik();
            double observations = loss instanceof Likelihood ? known.rows() : known.weight();
            double counted = known.estimated()
                    + (loss.isDispersionKnown() ? 0 : 1)
                    + (loss instanceof Likelihood ? 0 : known.clusters());
            return new GlmTable(
                    loss instanceof Likelihood family ? family.family() : name(),
                    loss.outputs() > 1 ? "logit" : loss.link().name(),
                    known.rows(),
                    coefficients(),
                    tested,
                    dispersion,
                    deviance,
                    new Proven(known.nullDeviance(), ROUNDING * known.nullDeviance()),
                    loss instanceof Likelihood ? df : observations - counted,
                    loss instanceof Likelihood ? known.rows() - (known.intercept() ? 1 : 0) : observations,
                    logLik,
                    criterion(logLik, 2 * counted),
                    criterion(logLik, counted * Elementary.log(observations)),
                    loss instanceof Likelihood ? explained(logLik) : Map.of(),
                    standardErrors(),
                    known.kind(),
                    level,
                    loss.isConvex());
        }

        /**
         * Of McFadden, of Cox and Snell, and of Nagelkerke; the explained part of the deviance if there is no
         * likelihood.
         */
        private Map<String, Proven> explained(Proven logLik) {
            Map<String, Proven> measures = new LinkedHashMap<>();
            double none = known.nullDeviance();
            measures.put("R2", new Proven(1 - known.deviance() / none, known.devianceError() / none + ROUNDING));
            if (logLik.exists() && loss.isDispersionKnown()) {
                double l0 = logLik(none).orElseThrow();
                double off = logLik.error() + ROUNDING * Math.abs(l0);
                double n = known.rows();
                double coxSnell = -Elementary.expm1(2 * (l0 - logLik.value()) / n);
                double most = -Elementary.expm1(2 * l0 / n);
                measures.put("McFadden", new Proven(1 - logLik.value() / l0, 2 * off / Math.abs(l0) + ROUNDING));
                measures.put("Cox-Snell", new Proven(coxSnell, 4 * off / n + ROUNDING));
                measures.put("Nagelkerke", new Proven(coxSnell / most, 8 * off / n / most + ROUNDING));
            }
            return measures;
        }

        private Proven logLik() {
            OptionalDouble at = logLik(known.deviance());
            if (at.isEmpty()) {
                return Proven.NONE;
            }
            double best = logLik(Math.max(0, known.deviance() - known.devianceError()))
                    .orElseThrow();
            double error =
                    Math.abs(best - at.getAsDouble()) + ROUNDING * (Math.abs(known.constant()) + known.deviance());
            return new Proven(at.getAsDouble(), error);
        }

        private OptionalDouble logLik(double deviance) {
            return loss instanceof Likelihood family
                    ? family.logLikelihood(known.rows(), known.weight(), deviance, known.constant())
                    : OptionalDouble.of(known.constant() - deviance / 2);
        }

        private static Proven criterion(Proven logLik, double penalty) {
            return criterion(logLik, penalty, 2);
        }

        private static Proven criterion(Proven of, double penalty, double times) {
            double value = -times * of.value() + penalty;
            return of.exists() ? new Proven(value, Math.abs(times) * of.error() + ROUNDING * Math.abs(value)) : of;
        }

        private String name() {
            return loss.outputs() > 1 && !(loss instanceof Ordinal) ? "multinomial" : loss.name();
        }

        /** The lines of each block, the intercept's first; classes are compared with the first, which has none. */
        private List<Coefficient> coefficients() {
            List<Coefficient> lines = new ArrayList<>();
            List<String> names = List.copyOf(model.coefficients(0).keySet());
            double[] values = model.tabled(known.intercept());
            int features = names.size();
            if (loss instanceof Ordinal) {
                for (int k = 0; k < values.length; k++) {
                    lines.add(line(k < features ? names.get(k) : "threshold " + (k - features + 1), values[k], k));
                }
                return lines;
            }
            int width = features + (known.intercept() ? 1 : 0);
            for (int from = loss.outputs() > 1 ? width : 0; from < values.length; from += width) {
                if (known.intercept()) {
                    lines.add(line(INTERCEPT, values[from + features], from + features));
                }
                for (int k = 0; k < features; k++) {
                    lines.add(line(names.get(k), values[from + k], from + k));
                }
            }
            return lines;
        }

        private Coefficient line(String name, double estimate, int k) {
            if (!known.isEstimated(k)) {
                return Coefficient.leftOut(name);
            }
            double[] unit = new double[known.coefficients()];
            unit[k] = 1;
            double own = known.degrees().length > 0 ? known.degrees()[k] : known.degreesOfFreedom();
            return line(name, estimate, known.estimateErrors()[k], error(unit), own);
        }

        private Coefficient line(String name, double estimate, double off, Proven se, double df) {
            return Coefficient.of(name, new Proven(estimate, off), se, quantile(df), statistic -> p(statistic, df));
        }

        /** The standard error of a linear combination of coefficients. */
        private Proven error(double[] combination) {
            double root = Math.sqrt(quadratic(known.covariance(), combination));
            if (known.kind().isRobust()) {
                double factor = Math.sqrt(robustFactor(known));
                double robust = Math.sqrt(quadratic(known.robust(), combination));
                double off = largest(k -> known.robustErrors()[k] / variance(k));
                return new Proven(factor * robust, factor * (root * off + ROUNDING * robust));
            }
            double scale = Math.sqrt(dispersion.value());
            double off = dispersion.error() / dispersion.value();
            double scaleError = off < 1 ? 1 / Math.sqrt(1 - off) - 1 : Double.POSITIVE_INFINITY;
            double relative = largest(k -> combination[k] == 0 ? 0 : known.relativeErrors()[k]);
            return new Proven(
                    scale * root,
                    scale * root * ((1 + relative) * (1 + scaleError) - 1 + ROUNDING) + 2 * Math.ulp(scale * root));
        }

        private double quantile(double df) {
            if (!tested) {
                return normal;
            }
            if (df != lastDegrees) {
                lastDegrees = df;
                lastQuantile = df > 0 ? Distributions.tQuantile(1 - level, df) : Double.NaN;
            }
            return lastQuantile;
        }

        private double variance(int k) {
            return Math.sqrt(Inference.entry(known.covariance(), k, k));
        }

        private double largest(IntToDoubleFunction ofCoefficient) {
            return IntStream.range(0, known.coefficients())
                    .filter(known::isEstimated)
                    .mapToDouble(ofCoefficient)
                    .max()
                    .orElse(0);
        }

        private static double quadratic(double[] triangle, double[] vector) {
            double sum = 0;
            for (int a = 0; a < vector.length; a++) {
                for (int b = 0; vector[a] != 0 && b < vector.length; b++) {
                    sum += vector[b] == 0 ? 0 : vector[a] * vector[b] * Inference.entry(triangle, a, b);
                }
            }
            return sum;
        }

        /** The differences between all pairs of features, or of a feature and the level that has none. */
        List<Coefficient> contrasts(Map<Integer, String> levels) {
            List<Integer> features = List.copyOf(levels.keySet());
            List<Coefficient> lines = new ArrayList<>();
            for (int b = 1; b < features.size(); b++) {
                for (int a = 0; a < b; a++) {
                    lines.add(contrast(features.get(a), features.get(b), levels));
                }
            }
            return Coefficient.byHolm(lines);
        }

        private Coefficient contrast(int from, int to, Map<Integer, String> levels) {
            double[] combination = new double[known.coefficients()];
            combination[to] = 1;
            double estimate = model.weight(0, to);
            double off = known.estimateErrors()[to];
            if (from >= 0) {
                combination[from] = -1;
                estimate -= model.weight(0, from);
                off += known.estimateErrors()[from] + Math.ulp(estimate);
            }
            return line(
                    levels.get(to) + " - " + levels.get(from),
                    estimate,
                    off,
                    error(combination),
                    known.degreesOfFreedom());
        }

        private Proven p(Proven statistic, double df) {
            double size = Math.abs(statistic.value());
            double value = tested ? Distributions.tTails(size, df) : Distributions.normalTails(size);
            double nearest = Math.max(size - statistic.error(), 0);
            double density = tested ? Distributions.tDensity(nearest, df) : Normal.density(nearest);
            // The argument of an exponential in it is of the size of z², and as far off.
            double rounding = ROUNDING * value * Math.max(1, size * size / 64);
            double ofDegrees = known.degrees().length == 0
                    ? 0
                    : Math.abs(Distributions.tTails(size, df * (1 - DEGREES * largest(k -> known.relativeErrors()[k])))
                            - value);
            return new Proven(value, 2 * statistic.error() * density + rounding + ofDegrees);
        }

        private double standardErrors() {
            return largest(k -> {
                double[] unit = new double[known.coefficients()];
                unit[k] = 1;
                return known.estimateErrors()[k] / error(unit).value();
            });
        }
    }
}
