package dev.starling.statistics;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.internal.Cholesky;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.loss.Ties;
import dev.starling.method.SeparationException;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import dev.starling.model.inference.Inference;
import dev.starling.objective.strata.PartialLikelihood;
import dev.starling.settings.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of a Cox regression.
 *
 * @param table the coefficients, which are logarithms of hazard ratios, and the likelihoods
 * @param ties how events at the same time are treated
 * @param events the number of events
 * @param strata the number of strata; 0 if it is not known
 * @param likelihoodRatio the test of all coefficients by the likelihoods
 * @param wald the one by estimates and their covariances
 * @param score the one by the slopes where all coefficients are 0; NaN if it is not known
 * @param concordance how often the scores of two rows were in the order of their events
 * @param hazards the hazard of each stratum
 * @param proportional the test of proportional hazards, if it was asked for
 * @param covariance the covariances of the coefficients that are estimated, row by row
 */
public record CoxTable(
        GlmTable table,
        Ties ties,
        int events,
        int strata,
        Test likelihoodRatio,
        Test wald,
        Test score,
        Concordance concordance,
        List<Hazard> hazards,
        Optional<ProportionalHazards> proportional,
        double[] covariance) {

    /**
     * A test.
     *
     * @param statistic chi-square distributed if all coefficients are 0
     * @param degrees its degrees of freedom
     * @param p the probability of one at least as large
     */
    public record Test(double statistic, int degrees, double p) {

        static Test of(double statistic, int degrees) {
            double p = degrees > 0 ? Distributions.chiSquareTail(statistic, degrees) : Double.NaN;
            return new Test(statistic, degrees, p);
        }

        /** As people read it. */
        public String text() {
            return String.format(Locale.US, "%.4f on %d degrees of freedom, p %.4g", statistic, degrees, p);
        }
    }

    /**
     * The cumulative hazard of a stratum after each of its events, for rows whose features and offset are 0.
     *
     * @param stratum the stratum, numbered from 0
     */
    public record Hazard(int stratum, double[] times, double[] cumulative) {}

    /**
     * A fit with a ridge, which always exists and has no standard errors.
     *
     * @param model the coefficients and their certificate
     * @param logLik the logarithm of the partial likelihood, without the ridge
     * @param nullLogLik the same where all coefficients are 0
     */
    public record Ridge(
            LinearModel model, double logLik, double nullLogLik, Concordance concordance, List<Hazard> hazards) {

        /** Copies the list. */
        public Ridge {
            hazards = List.copyOf(hazards);
        }

        /**
         * Fits the model.
         *
         * @param lambda λ in λ/2‖β‖², which is added to minus the logarithm of the likelihood divided by the weight of
         *     the rows; greater than 0
         */
        public static Ridge of(Dataset data, Survival survival, Ties ties, double lambda) {
            LinearModel model = fitted(data, new Cox(ties, Optional.of(survival)), lambda);
            PartialLikelihood likelihood = new PartialLikelihood(data, survival, ties);
            double[] theta = model.weights(0);
            return new Ridge(
                    model,
                    -likelihood.at(theta).value(),
                    -likelihood.at(new double[theta.length]).value(),
                    Concordance.of(likelihood, likelihood.scores(theta)),
                    CoxTable.hazards(likelihood, theta));
        }
    }

    /** Copies the list. */
    public CoxTable {
        hazards = List.copyOf(hazards);
    }

    /**
     * The table of a model that sites, or an earlier run, have made. What follows from single rows is not known:
     * hazards, concordance, the test by slopes, and the number of strata.
     */
    public static CoxTable of(LinearModel model, double level) {
        if (!(Losses.named(model.loss()) instanceof Cox cox)) {
            throw new InvalidInputException(
                    "the model was trained with the loss " + model.loss() + "; print its table with glm");
        }
        GlmTable table = GlmTable.of(model, level);
        Inference known = GlmTable.inference(model);
        int[] kept = estimated(known);
        double[] covariance = part(kept, (a, b) -> Inference.entry(known.covariance(), a, b));
        double[] estimates =
                Arrays.stream(kept).mapToDouble(a -> model.weight(0, a)).toArray();
        return new CoxTable(
                table,
                cox.ties(),
                (int) known.weight(),
                0,
                Test.of(known.nullDeviance() - known.deviance(), kept.length),
                Test.of(Cholesky.quadratic(covariance, estimates), kept.length),
                new Test(Double.NaN, kept.length, Double.NaN),
                new Concordance(0, 0, 0),
                List.of(),
                ProportionalHazards.of(model),
                covariance);
    }

    static int[] estimated(Inference known) {
        return IntStream.range(0, known.coefficients())
                .filter(known::isEstimated)
                .toArray();
    }

    static double[] part(int[] kept, ToDoubleBiFunction<Integer, Integer> entry) {
        return Arrays.stream(kept)
                .boxed()
                .flatMapToDouble(a -> Arrays.stream(kept).mapToDouble(b -> entry.applyAsDouble(a, b)))
                .toArray();
    }

    /** Fits the model, without a test of proportional hazards. */
    public static CoxTable of(Dataset data, Survival survival, Ties ties, double level) {
        return of(data, survival, ties, level, TimeScale.NONE);
    }

    /**
     * Fits the model.
     *
     * @param data the features, weights and offsets; labels are not used
     * @param level that of the intervals, for example 0.95
     * @param scale the function of time for a test of proportional hazards
     */
    public static CoxTable of(Dataset data, Survival survival, Ties ties, double level, TimeScale scale) {
        if (data.rows() != survival.rows()) {
            throw new IllegalArgumentException(data.rows() + " rows with " + survival.rows() + " times");
        }
        LinearModel model = fitted(data, new Cox(ties, Optional.of(survival)), 0);
        CoxTable known = of(model, level);
        PartialLikelihood likelihood = new PartialLikelihood(data, survival, ties);
        double[] theta = model.weights(0);
        int[] kept = estimated(GlmTable.inference(model));
        if (kept.length == 0) {
            throw new InvalidInputException("no feature differs among the rows, so there is nothing to estimate");
        }
        PartialLikelihood.Sums atZero = likelihood.at(new double[theta.length]);
        double score = Cholesky.quadratic(
                part(kept, (a, b) -> atZero.hessian()[a * theta.length + b]),
                Arrays.stream(kept).mapToDouble(a -> atZero.gradient()[a]).toArray());
        return new CoxTable(
                known.table,
                ties,
                known.events,
                survival.strataCount(),
                known.likelihoodRatio,
                known.wald,
                Test.of(score, kept.length),
                Concordance.of(likelihood, likelihood.scores(theta)),
                hazards(likelihood, theta),
                scale == TimeScale.NONE
                        ? Optional.empty()
                        : Optional.of(ProportionalHazards.of(
                                scale, likelihood.changes(theta, ProportionalHazards.times(scale, survival)), model)),
                known.covariance);
    }

    private static List<Hazard> hazards(PartialLikelihood likelihood, double... theta) {
        return IntStream.range(0, likelihood.survival().strataCount())
                .mapToObj(s -> {
                    double[][] hazard = likelihood.hazard(s, theta);
                    return new Hazard(s, hazard[0], hazard[1]);
                })
                .toList();
    }

    private static LinearModel fitted(Dataset data, Cox loss, double lambda) {
        try {
            return Trainer.of(loss)
                    .lambda(lambda)
                    .gap(ClassTable.GAP)
                    .with(Setting.STANDARD_ERRORS, lambda == 0 ? StandardErrors.MODEL : StandardErrors.NONE)
                    .fit(data)
                    .model();
        } catch (SeparationException e) {
            String names = e.features().stream()
                    .map(c -> "'" + (c < data.names().size() ? data.names().get(c) : "feature " + (c + 1)) + "'")
                    .collect(Collectors.joining(", "));
            throw new InvalidInputException(
                    "no estimate exists: the likelihood grows without end with " + names
                            + "; leave it out, or merge rare levels",
                    e);
        }
    }
}
