package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Locale;

/**
 * The table of a Cox regression.
 *
 * @param table the coefficients, which are logarithms of hazard ratios, and the likelihoods
 * @param ties how events at the same time are treated
 * @param events the number of events
 * @param strata the number of strata
 * @param likelihoodRatio the test of all coefficients by the likelihoods
 * @param wald the one by estimates and their covariances
 * @param score the one by the slopes where all coefficients are 0
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

    /** What is assumed of events at the same time. */
    public enum Ties {
        /** That they happened one after another, in any order. */
        EFRON,
        /** That each of them happened while all were still at risk. */
        BRESLOW;

        /** The way with a name. */
        public static Ties named(String name) {
            for (Ties one : values()) {
                if (one.text().equals(name)) {
                    return one;
                }
            }
            throw InvalidInputException.unknownName("ties", name, List.of("efron", "breslow"));
        }

        /** Its name. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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
     * Fits the model.
     *
     * @param data the features, weights and offsets; labels are not used
     * @param level that of the intervals, for example 0.95
     */
    public static CoxTable of(Dataset data, Survival survival, Ties ties, double level) {
        return new CoxFit(data, survival, ties).table(level);
    }
}
