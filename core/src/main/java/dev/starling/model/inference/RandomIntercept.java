package dev.starling.model.inference;

import java.util.Arrays;

/**
 * A fit with a random intercept for every cluster, to which a search has converged.
 *
 * @param deviation the standard deviation τ of the intercepts
 * @param residual that of the residuals; 1 if the family has none
 * @param criterion minus twice the restricted log-likelihood of gaussian responses; of others minus twice the
 *     log-likelihood, less the part that no coefficient changes
 * @param decrement the length of the last step in standard errors
 * @param nodes the nodes of each integral; 0 if none was needed
 * @param clusters the number of clusters
 * @param coefficients those of the features, then that of the intercept if there is one
 * @param covariance the lower triangle of their covariances, row by row, with zeros for those left out
 */
public record RandomIntercept(
        double deviation,
        double residual,
        double criterion,
        double decrement,
        double nodes,
        double clusters,
        double[] coefficients,
        double[] covariance) {

    private static final int NUMBERS = 6;

    /** All numbers in a row, as model files have them. */
    public double[] numbers() {
        double[] all = Arrays.copyOf(
                new double[] {deviation, residual, criterion, decrement, nodes, clusters},
                NUMBERS + coefficients.length + covariance.length);
        System.arraycopy(coefficients, 0, all, NUMBERS, coefficients.length);
        System.arraycopy(covariance, 0, all, NUMBERS + coefficients.length, covariance.length);
        return all;
    }

    /** A copy that shares no array with this. */
    RandomIntercept copy() {
        return of(numbers(), coefficients.length);
    }

    /** The fit whose numbers a model file has. */
    public static RandomIntercept of(double[] all, int coefficients) {
        return new RandomIntercept(
                all[0],
                all[1],
                all[2],
                all[3],
                all[4],
                all[5],
                Arrays.copyOfRange(all, NUMBERS, NUMBERS + coefficients),
                Arrays.copyOfRange(all, NUMBERS + coefficients, all.length));
    }
}
