package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Cholesky;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The table of a generalised linear model: what R's {@code summary(glm(…))} prints, each number with a bound on its
 * error.
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
 * @param dfNull n less the number of intercepts, of which there is one for two classes, two for three
 * @param logLik the log-likelihood; does not exist for quasi-families
 * @param aic Akaike's criterion
 * @param bic the Bayesian one
 * @param explained how much of the deviance or of the likelihood the features explain: measures by name
 * @param standardErrors a bound on the error of every estimate in units of its standard error
 * @param kind which standard errors these are
 * @param level the level of the intervals
 * @param convex whether the estimate is the only stationary point, so that there is no better one elsewhere
 * @param heading what the estimates are: {@code estimate}, or what e to them is called
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
        boolean convex,
        String heading) {

    /** What estimates are called as they are. */
    static final String ESTIMATE = "estimate";

    private static final double ROUNDING = Coefficient.ROUNDING;

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
        requireLevel(level);
        return new GlmNumbers(model, level).table();
    }

    /** Refuses a level that intervals cannot have. */
    static void requireLevel(double level) {
        if (!(level > 0 && level < 1)) {
            throw new InvalidInputException("a level of " + level + "; it must be between 0 and 1, for example 0.95");
        }
    }

    /** The table with e to the estimates and to the ends of intervals; standard errors by the delta method. */
    public GlmTable exponentiated() {
        return with(
                coefficients.stream().map(Coefficient::exponentiated).toList(),
                convex,
                ratio(family, link).map(of -> of + " ratio").orElse("e^estimate"),
                0);
    }

    /** What one unit more of a feature multiplies by e to its coefficient: odds, hazard or rate, if anything. */
    public static Optional<String> ratio(String family, String link) {
        return switch (link) {
            case "logit" -> Optional.of("odds");
            case "cloglog" -> Optional.of("hazard");
            case "log" -> Optional.of(family.startsWith("cox") ? "hazard" : "rate");
            default -> Optional.empty();
        };
    }

    /**
     * Refuses the fit if its dispersion, from which standard errors follow, cannot be estimated.
     *
     * @return the table
     */
    public GlmTable withDispersion() {
        if (!dispersion.exists()) {
            throw new InvalidInputException((long) n + " rows for as many coefficients leave none over to estimate a"
                    + " dispersion by, which standard errors follow from; leave out columns");
        }
        requireResiduals(Double.isFinite(standardErrors) || dispersion.value() > dispersion.error());
        return this;
    }

    static void requireResiduals(boolean any) {
        if (!any) {
            throw new InvalidInputException("the labels are all alike, or columns determine them exactly, so nothing is"
                    + " left over to estimate a dispersion by, which standard errors follow from; leave such columns"
                    + " out, or use 'starling train --lambda 0' for the coefficients alone");
        }
    }

    /** The table with other lines. */
    GlmTable with(List<Coefficient> lines) {
        return with(lines, convex, heading, 0);
    }

    /** The table of a fit of which nothing is proven but that no other is near. */
    public GlmTable ofLocalOptimum() {
        return with(coefficients, false, heading, 0);
    }

    /** The table of a fit one more parameter of whose family was estimated. */
    public GlmTable withOneMore() {
        return with(coefficients, convex, heading, 1);
    }

    private GlmTable with(List<Coefficient> lines, boolean isConvex, String called, int more) {
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
                more == 0 ? aic : GlmNumbers.criterion(aic, 2.0 * more, -1),
                more == 0 ? bic : GlmNumbers.criterion(bic, more * Elementary.log(n), -1),
                explained,
                standardErrors,
                kind,
                level,
                isConvex,
                called);
    }

    /** Refuses a model with random intercepts where only those without would be looked at. */
    static Inference inferenceOfWhole(LinearModel model, String what) {
        Inference known = inference(model);
        if (known.random().isPresent()) {
            throw new InvalidInputException("the model has random intercepts, which " + what
                    + " would leave out; train it with standard-errors model for those of the fit without them");
        }
        return known;
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
        int d = kept.size();
        double[] correlations = new double[d * d];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
                double scale = Inference.entry(known.covariance(), kept.get(a), kept.get(a))
                        * Inference.entry(known.covariance(), kept.get(b), kept.get(b));
                correlations[a * d + b] =
                        Inference.entry(known.covariance(), kept.get(a), kept.get(b)) / Math.sqrt(scale);
            }
        }
        Cholesky.factorise(correlations, d);
        double[] inverse = Cholesky.inverseOfProduct(correlations, d);
        Map<String, Proven> factors = new LinkedHashMap<>();
        List<String> names = List.copyOf(model.coefficients().keySet());
        for (int a = 0; a < d; a++) {
            double factor = inverse[a * d + a];
            double relative = 4 * known.relativeErrors()[kept.get(a)] + ROUNDING;
            factors.put(names.get(kept.get(a)), new Proven(factor, factor * factor * relative));
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
            String name = model.names().get(k).replaceFirst("^factor\\((.*)\\)=", "$1=");
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
                    + "' has no levels to compare; take a column of categories, or write factor(" + column
                    + ") in the formula");
        }
        return new GlmNumbers(model, level).contrasts(levels);
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

    /**
     * The covariance of all coefficients, the features' and then the intercept's if there is one, row by row; NaN for
     * those that are left out.
     */
    public static double[] covariance(LinearModel model) {
        Inference known = inference(model);
        boolean robust = known.kind().isRobust();
        double factor = robust
                ? robustFactor(known)
                : family(model).isDispersionKnown() ? 1 : known.pearson() / known.degreesOfFreedom();
        int d = known.coefficients();
        double[] whole = new double[d * d];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
                whole[a * d + b] = known.isEstimated(a) && known.isEstimated(b)
                        ? factor * Inference.entry(robust ? known.robust() : known.covariance(), a, b)
                        : Double.NaN;
            }
        }
        return whole;
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
}
