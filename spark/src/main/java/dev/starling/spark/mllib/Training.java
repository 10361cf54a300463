package dev.starling.spark.mllib;

import dev.starling.certificate.Certificate;
import dev.starling.spark.StarlingClassifier;
import dev.starling.spark.StarlingRegressor;
import dev.starling.spark.frame.FitJob;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.StarlingEstimator;
import dev.starling.spark.params.StarlingParams;
import java.util.Arrays;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A problem of MLlib's in Starling's terms: the mean loss of rows whose features are scaled, with penalties on the
 * coefficients of the scaled ones.
 *
 * @param loss the name of the loss
 * @param classes whether labels are classes
 * @param l2 λ in λ/2‖θ‖²
 * @param l1 λ₁ in λ₁‖θ‖₁
 * @param intercept whether there is an intercept, which is not regularised
 * @param tolerance the gap that is good enough
 * @param scales what each feature is multiplied by; 0 for those that MLlib leaves out
 */
record Training(
        String loss, boolean classes, double l2, double l1, boolean intercept, double tolerance, double... scales) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.starling.spark");

    /** The gap that is asked for where MLlib's users ask for less: Newton's method hardly takes longer. */
    private static final double GAP = 1e-9;

    private static final int PASSES = 1000;

    /** Something that is left to MLlib. */
    static final class NotOursException extends RuntimeException {

        private static final long serialVersionUID = 1;

        NotOursException(String reason) {
            super(reason);
        }
    }

    /** Coefficients of the features as they were, and how they were found. */
    record Solved(TrainedModel trained, double... scales) {

        double objective() {
            return certificate().objective();
        }

        private Certificate certificate() {
            return trained.model().provenance().certificate();
        }

        /** The coefficients of one score. */
        double[] coefficients(int score) {
            double[] weights = trained.model().weights(score).clone();
            Arrays.setAll(weights, j -> weights[j] * scales[j]);
            return weights;
        }

        double intercept() {
            return intercept(0);
        }

        double intercept(int score) {
            return trained.model().intercept(score);
        }

        int passes() {
            return (int) Math.ceil(certificate().epochs());
        }
    }

    /** Leaves something to MLlib. */
    static void leaveIf(boolean notOurs, String reason) {
        if (notOurs) {
            throw new NotOursException(reason);
        }
    }

    /**
     * Trains with Starling or, if that cannot be done for whatever reason, with MLlib; the log says which.
     *
     * @param estimator what is trained, for the log
     */
    static <M> M orElse(String estimator, Callable<M> starling, Supplier<M> mllib) {
        String reason;
        try {
            return starling.call();
        } catch (Exception e) {
            if (isCancelled(e)) {
                throw sneaky(e);
            }
            reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            if (!(e instanceof NotOursException)) {
                reason = e.getClass().getSimpleName() + ": " + reason;
            }
        } catch (LinkageError | ServiceConfigurationError e) {
            reason = e + "; this Spark is not one that Starling knows";
        }
        LOG.warn("{} is trained by MLlib: {}", estimator, reason);
        return mllib.get();
    }

    private static boolean isCancelled(Exception e) {
        boolean cancelled = Thread.currentThread().isInterrupted() || e instanceof InterruptedException;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            cancelled |= cause instanceof SparkThrowable spark
                    && String.valueOf(spark.getCondition())
                            .toUpperCase(Locale.ROOT)
                            .contains("CANCEL");
        }
        return cancelled;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception e) throws E {
        throw (E) e;
    }

    /**
     * Solves the problem.
     *
     * @param columns the columns to use
     * @throws NotOursException if the gap is not reached
     */
    Solved solve(Dataset<?> rows, Columns columns, String estimator) {
        Dataset<Row> used = columns.used(rows);
        StarlingParams<?> params =
                classes ? settings(new StarlingClassifier(), columns) : settings(new StarlingRegressor(), columns);
        TrainedModel trained = FitJob.ofVectors(used, params, columns.features(), columns.label(), classes, scales);
        double gap = trained.model().provenance().certificate().relativeGap();
        leaveIf(!(gap <= Math.max(tolerance, GAP)), "a gap of " + GAP + " was asked for and " + gap + " reached");
        leaveIf(
                intercept
                        && !trained.model()
                                .provenance()
                                .settings()
                                .get("intercept")
                                .equals("true"),
                "no method finds an intercept that is not regularised for the loss " + loss + " and " + scales.length
                        + " features");
        LOG.info(
                "{} is trained by Starling: the objective {} is at most {} of its value above the optimum",
                estimator,
                trained.model().provenance().certificate().objective(),
                gap);
        return new Solved(trained, scales);
    }

    private <E extends StarlingEstimator<E>> E settings(E estimator, Columns columns) {
        return estimator
                .setLoss(loss)
                .setRegParam(l2)
                .setL1Param(l1)
                .setFitIntercept(intercept)
                .setStandardization(false)
                .setTol(Math.min(tolerance, GAP))
                .setMaxIter(PASSES)
                .setWeightCol(columns.weight().orElse(""))
                .setOffsetCol(columns.offset().orElse(""));
    }

    /** The numbers as MLlib keeps them. */
    static DenseVector vector(double... values) {
        return new DenseVector(values);
    }
}
