package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.loss.Ties;
import dev.starling.model.Inference;
import dev.starling.model.LinearModel;
import java.util.Arrays;
import java.util.List;
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
            return new Test(statistic, degrees, Distributions.chiSquareTail(statistic, degrees));
        }
    }

    /**
     * The cumulative hazard of a stratum after each of its events, for rows whose features and offset are 0.
     *
     * @param stratum the stratum, numbered from 0
     */
    public record Hazard(int stratum, double[] times, double[] cumulative) {}

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
        int[] kept = IntStream.range(0, known.coefficients())
                .filter(known::isEstimated)
                .toArray();
        double[][] covariance = new double[kept.length][kept.length];
        double[] estimates = new double[kept.length];
        for (int a = 0; a < kept.length; a++) {
            estimates[a] = model.weight(0, kept[a]);
            for (int b = 0; b < kept.length; b++) {
                covariance[a][b] = Inference.entry(known.covariance(), kept[a], kept[b]);
            }
        }
        double[] solved = Symmetric.solve(covariance, estimates);
        double wald = IntStream.range(0, kept.length)
                .mapToDouble(a -> estimates[a] * solved[a])
                .sum();
        return new CoxTable(
                table,
                cox.ties(),
                (int) known.weight(),
                0,
                Test.of(known.nullDeviance() - known.deviance(), kept.length),
                Test.of(wald, kept.length),
                new Test(Double.NaN, kept.length, Double.NaN),
                new Concordance(0, 0, 0),
                List.of(),
                Arrays.stream(covariance).flatMapToDouble(Arrays::stream).toArray());
    }

    /**
     * Fits the model.
     *
     * @param data the features, weights and offsets; labels are not used
     * @param level that of the intervals, for example 0.95
     */
    public static CoxTable of(Dataset data, Survival survival, Ties ties, double level) {
        return new CoxFit(data, survival, ties).table(level);
    }
}
