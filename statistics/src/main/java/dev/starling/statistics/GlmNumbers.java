package dev.starling.statistics;

import dev.starling.loss.Cox;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Ordinal;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The numbers of a {@link GlmTable}, from what is known of a fit. */
final class GlmNumbers {

    private static final double ROUNDING = Coefficient.ROUNDING;

    private final LinearModel model;
    private final Inference known;
    private final Loss loss;
    private final double level;
    private final Proven dispersion;
    private final boolean tested;
    private final Proven normal;
    private double lastDegrees = Double.NaN;
    private Proven lastQuantile = Proven.NONE;

    GlmNumbers(LinearModel model, double level) {
        this.model = model;
        this.known = GlmTable.inference(model);
        this.loss = Losses.named(model.loss())
                .forClasses(Math.max(2, model.classes().size()));
        this.level = level;
        this.dispersion = dispersion();
        this.tested = !loss.isDispersionKnown() || known.degrees().length > 0;
        this.normal = new Proven(Distributions.normalQuantile(1 - level), 0);
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
        // Sites add up what is left of a partial likelihood's least possible value; a table has minus twice all of it.
        boolean ofTimes = loss instanceof Cox;
        double ofStrata = loss instanceof Likelihood ? 0 : known.clusters();
        double counted = known.estimated() + (loss.isDispersionKnown() ? 0 : 1) + ofStrata;
        double intercepts = known.intercept() ? Math.max(1, model.classes().size() - 1) : ofStrata;
        return new GlmTable(
                loss instanceof Likelihood family ? family.family() : name(),
                loss.link().ofStatistics(),
                known.rows(),
                coefficients(),
                tested,
                dispersion,
                ofTimes ? criterion(logLik, 0) : deviance,
                ofTimes ? criterion(likelihoodOf(nullDeviance()), 0) : nullDeviance(),
                loss instanceof Likelihood ? df : observations - counted,
                observations - intercepts,
                logLik,
                criterion(logLik, 2 * counted),
                criterion(logLik, counted * Elementary.log(observations)),
                loss instanceof Likelihood ? explained(logLik) : Map.of(),
                standardErrors(),
                known.kind(),
                level,
                loss.isConvex(),
                GlmTable.ESTIMATE);
    }

    /**
     * Of McFadden, of Cox and Snell, and of Nagelkerke; the explained part of the deviance if there is no likelihood.
     */
    private Map<String, Proven> explained(Proven logLik) {
        Map<String, Proven> measures = new LinkedHashMap<>();
        Proven none = nullDeviance();
        if (!none.exists()) {
            return measures;
        }
        Proven one = new Proven(1, 0);
        Proven deviance = new Proven(known.deviance(), known.devianceError());
        measures.put("R2", one.minus(deviance.over(none)));
        if (logLik.exists() && loss.isDispersionKnown()) {
            Proven alone = likelihoodOf(none);
            double n = known.rows();
            Proven coxSnell = alone.minus(logLik).times(2 / n).map(x -> -Elementary.expm1(x));
            measures.put("McFadden", one.minus(logLik.over(alone)));
            measures.put("Cox-Snell", coxSnell);
            measures.put("Nagelkerke", coxSnell.over(alone.times(2 / n).map(x -> -Elementary.expm1(x))));
        }
        return measures;
    }

    private Proven nullDeviance() {
        double none = known.nullDeviance();
        return Double.isNaN(none) ? Proven.NONE : new Proven(none, known.nullDevianceError() + Math.ulp(none));
    }

    private Proven logLik() {
        OptionalDouble at = logLik(known.deviance());
        if (at.isEmpty()) {
            return Proven.NONE;
        }
        double best =
                logLik(Math.max(0, known.deviance() - known.devianceError())).orElseThrow();
        // Where the dispersion is estimated, the deviance counts by its logarithm.
        double parts = loss.isDispersionKnown()
                ? known.deviance()
                : Math.abs(at.getAsDouble()) + Math.max(known.rows(), known.weight());
        double error = Math.abs(best - at.getAsDouble()) + ROUNDING * (Math.abs(known.constant()) + parts);
        return new Proven(at.getAsDouble(), error);
    }

    private Proven likelihoodOf(Proven deviance) {
        Proven likelihood = deviance.map(at -> logLik(at).orElseThrow());
        return new Proven(likelihood.value(), likelihood.error() + ROUNDING * Math.abs(known.constant()));
    }

    private OptionalDouble logLik(double deviance) {
        return loss instanceof Likelihood family
                ? family.logLikelihood(known.rows(), known.weight(), deviance, known.constant())
                : OptionalDouble.of(known.constant() - deviance / 2);
    }

    private static Proven criterion(Proven logLik, double penalty) {
        return criterion(logLik, penalty, 2);
    }

    static Proven criterion(Proven of, double penalty, double times) {
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
                lines.add(line(GlmTable.INTERCEPT, values[from + features], from + features));
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

    Coefficient line(String name, double estimate, double off, Proven se, double df) {
        return Coefficient.of(name, new Proven(estimate, off), se, quantile(df), statistic -> p(statistic, df));
    }

    /** The standard error of a linear combination of coefficients. */
    Proven error(double[] combination) {
        double root = Math.sqrt(Scores.quadratic(known.covariance(), combination));
        if (known.kind().isRobust()) {
            double factor = Math.sqrt(GlmTable.robustFactor(known));
            double robust = Math.sqrt(Scores.quadratic(known.robust(), combination));
            double off = largest(k -> known.robustErrors()[k] / variance(k));
            return new Proven(
                    factor * robust, factor * (root * off + cancelled(combination, root) + ROUNDING * robust));
        }
        double scale = Math.sqrt(dispersion.value());
        double off = dispersion.error() / dispersion.value();
        double scaleError = off < 1 ? 1 / Math.sqrt(1 - off) - 1 : Double.POSITIVE_INFINITY;
        double relative = largest(k -> combination[k] == 0 ? 0 : known.relativeErrors()[k]);
        return new Proven(
                scale * root,
                scale * root * ((1 + relative) * (1 + scaleError) - 1 + ROUNDING)
                        + scale * cancelled(combination, root)
                        + 2 * Math.ulp(scale * root));
    }

    private Proven quantile(double df) {
        if (!tested) {
            return normal;
        }
        if (df != lastDegrees) {
            lastDegrees = df;
            lastQuantile = df > 0
                    ? new Proven(df, degreesError(df)).map(each -> Distributions.tQuantile(1 - level, each))
                    : Proven.NONE;
        }
        return lastQuantile;
    }

    /** How far degrees of freedom may be off, if they are not a number of rows. */
    private double degreesError(double df) {
        double relative = known.degrees().length == 0 ? 0 : known.degreesError();
        return relative < 0x1p-8 ? df * relative : Double.POSITIVE_INFINITY;
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

    /**
     * What rounding may have done to the root of a quadratic form, whose entries are as far off as the products of the
     * standard errors that belong to them.
     */
    private double cancelled(double[] combination, double root) {
        double size = 0;
        for (int a = 0; a < combination.length; a++) {
            size += combination[a] == 0 ? 0 : Math.abs(combination[a]) * variance(a);
        }
        return ROUNDING * size * size / root;
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
                levels.get(to) + " - " + levels.get(from), estimate, off, error(combination), known.degreesOfFreedom());
    }

    private Proven p(Proven statistic, double df) {
        if (!tested) {
            return Coefficient.normalTails(statistic);
        }
        double size = Math.abs(statistic.value());
        double off = degreesError(df);
        Proven p = Coefficient.tails(
                statistic,
                Distributions.tTails(size, df),
                1.01 * Distributions.tDensity(Math.max(size - statistic.error(), 0), df));
        double ofDegrees = off == 0
                ? 0
                : new Proven(df, off)
                        .map(each -> Distributions.tTails(size, each))
                        .error();
        return new Proven(p.value(), p.error() + ofDegrees);
    }

    private double standardErrors() {
        return largest(k -> {
            double[] unit = new double[known.coefficients()];
            unit[k] = 1;
            return known.estimateErrors()[k] / error(unit).value();
        });
    }
}
