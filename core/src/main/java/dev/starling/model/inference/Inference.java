package dev.starling.model.inference;

import dev.starling.model.StandardErrors;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What tests and intervals need to know about a fit without regularisation besides its coefficients: a few sums over
 * all rows, the inverse of the information, and bounds on the errors of all of it. Coefficients are those of the
 * features, then that of the intercept if there is one; matrices are lower triangles, row by row, with zeros for
 * coefficients that are left out.
 *
 * @param rows the number of rows with a positive weight
 * @param weight the sum of the weights
 * @param deviance the residual deviance
 * @param devianceError how much greater than the least possible it may be, rounding included
 * @param nullDeviance that of a model of the intercept and offsets only; NaN if there is none
 * @param nullDevianceError a bound on its error
 * @param pearson Pearson's X²
 * @param pearsonError a bound on its error
 * @param constant the part of the log-likelihood that no coefficient changes
 * @param shapeSlope the slope of the log-likelihood by the family's own parameter, such as the size of a negative
 *     binomial; 0 if it has none
 * @param shapeError a bound on its error
 * @param shapeInformation minus its derivative by the same parameter
 * @param intercept whether the last coefficient is that of an intercept
 * @param estimateErrors a bound on the error of each coefficient
 * @param covariance the inverse of the expected information; times the dispersion, it is the covariance
 * @param relativeErrors a bound on the relative error of the root of each of its diagonal entries
 * @param kind which standard errors were asked for
 * @param clusters the number of clusters; without these, that of strata with an intercept of their own; 0 if there are
 *     none
 * @param robust the robust covariance, without factors for the number of rows; empty if none was asked for
 * @param robustErrors a bound on the error of the root of each of its diagonal entries
 * @param degrees the degrees of freedom of each coefficient's test, if they have their own; otherwise empty
 * @param degreesError a bound on their relative error
 * @param heterogeneity how much nodes differ
 * @param curves for each group and each interval, how many rows have the event and how many leave without it, then
 *     those that are left; empty if not asked for
 * @param changes what a test of coefficients that change with time needs: the gradient and the lower triangles of the
 *     second derivatives by them and the coefficients, and by them alone; empty if not asked for
 * @param random the fit with a random intercept per cluster, if that was asked for
 */
public record Inference(
        double rows,
        double weight,
        double deviance,
        double devianceError,
        double nullDeviance,
        double nullDevianceError,
        double pearson,
        double pearsonError,
        double constant,
        double shapeSlope,
        double shapeError,
        double shapeInformation,
        boolean intercept,
        double[] estimateErrors,
        double[] covariance,
        double[] relativeErrors,
        StandardErrors kind,
        double clusters,
        double[] robust,
        double[] robustErrors,
        double[] degrees,
        double degreesError,
        SiteDifferences heterogeneity,
        double[] curves,
        double[] changes,
        Optional<RandomIntercept> random) {

    /** The number of coefficients, those that are left out included. */
    public int coefficients() {
        return estimateErrors.length;
    }

    /** The number of coefficients that are estimated. */
    public int estimated() {
        return (int)
                IntStream.range(0, coefficients()).filter(this::isEstimated).count();
    }

    /** Whether a coefficient is estimated rather than left out. */
    public boolean isEstimated(int k) {
        return entry(covariance, k, k) > 0;
    }

    /** The number of rows less that of the estimated coefficients. */
    public double degreesOfFreedom() {
        return rows - estimated();
    }

    /** Returns a copy with the deviance of a model of the intercept and offsets only. */
    public Inference withNullDeviance(double value, double error) {
        return with(value, error, heterogeneity, curves, changes, random);
    }

    /** Returns a copy with how much nodes differ. */
    public Inference withHeterogeneity(SiteDifferences found) {
        return with(nullDeviance, nullDevianceError, found, curves, changes, random);
    }

    /** Returns a copy with counts of events by interval. */
    public Inference withCurves(double[] counts) {
        return with(nullDeviance, nullDevianceError, heterogeneity, counts, changes, random);
    }

    /** Returns a copy with what a test of coefficients that change with time needs. */
    public Inference withChanges(double[] found) {
        return with(nullDeviance, nullDevianceError, heterogeneity, curves, found, random);
    }

    /** Returns a copy with a fit that has a random intercept per cluster. */
    public Inference withRandom(RandomIntercept found) {
        return with(nullDeviance, nullDevianceError, heterogeneity, curves, changes, Optional.of(found));
    }

    /** Returns a copy that shares no array with this. */
    public Inference copy() {
        return with(
                nullDeviance,
                nullDevianceError,
                heterogeneity.copy(),
                curves.clone(),
                changes.clone(),
                random.map(RandomIntercept::copy));
    }

    private Inference with(
            double ofNullModel,
            double ofNullModelError,
            SiteDifferences ofNodes,
            double[] ofTimes,
            double[] ofChanges,
            Optional<RandomIntercept> ofClusters) {
        return new Inference(
                rows,
                weight,
                deviance,
                devianceError,
                ofNullModel,
                ofNullModelError,
                pearson,
                pearsonError,
                constant,
                shapeSlope,
                shapeError,
                shapeInformation,
                intercept,
                estimateErrors.clone(),
                covariance.clone(),
                relativeErrors.clone(),
                kind,
                clusters,
                robust.clone(),
                robustErrors.clone(),
                degrees.clone(),
                degreesError,
                ofNodes,
                ofTimes,
                ofChanges,
                ofClusters);
    }

    /** An entry of a symmetric matrix of which only the lower triangle is kept. */
    public static double entry(double[] triangle, int i, int j) {
        int row = Math.max(i, j);
        return triangle[row * (row + 1) / 2 + Math.min(i, j)];
    }
}
