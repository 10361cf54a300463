package dev.starling.spark.mllib;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.model.Provenance;
import dev.starling.spark.StarlingClassifier;
import dev.starling.spark.StarlingRegressor;
import dev.starling.spark.frame.FitJob;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.ParamSettings;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.rows.Decision;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.sql.Dataset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A problem of MLlib's in Starling's terms: the mean loss of rows whose features are scaled, with penalties on the
 * coefficients of the scaled ones.
 *
 * @param loss the name of the loss
 * @param l2 λ in λ/2‖θ‖²
 * @param l1 λ₁ in λ₁‖θ‖₁
 * @param intercept whether there is an intercept, which is not regularised
 * @param tolerance the gap that is good enough
 * @param scales what each feature is multiplied by; 0 for those that MLlib leaves out
 */
record Training(String loss, double l2, double l1, boolean intercept, double tolerance, double... scales) {

    private static final Logger LOG = LoggerFactory.getLogger("dev.starling.spark");

    /** The gap that is asked for where MLlib's users ask for less: Newton's method hardly takes longer. */
    private static final double GAP = 1e-9;

    private static final int PASSES = 1000;

    /** What there is to solve, once the moments of all rows are known; every node finds out by itself. */
    interface Problem extends Serializable {

        /** @throws InvalidInputException if it is left to MLlib */
        Training of(Moments moments);

        /** The same for the nodes of a job. */
        default Decision decision() {
            return new Decision() {
                private static final long serialVersionUID = 1;

                @Override
                public double[] facts(dev.starling.data.Dataset rows) {
                    return Moments.facts(rows);
                }

                @Override
                public double[] merged(double[] one, double[] other) {
                    return Moments.merged(one, other);
                }

                @Override
                public Decided of(double[] facts, Map<String, String> settings) {
                    Training training = Problem.this.of(Moments.of(facts));
                    return new Decided(training.settings(), training.scales);
                }
            };
        }
    }

    /** Coefficients of the features as they were, and how they were found. */
    record Solved(TrainedModel trained, Moments moments, double... scales) {

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
            throw new InvalidInputException(reason);
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
            if (!(e instanceof InvalidInputException)) {
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
     * Solves a problem, in one pass over Spark's rows.
     *
     * @param classes whether labels are classes
     * @param columns the columns to use
     * @throws InvalidInputException if it is left to MLlib, or the gap is not reached
     */
    static Solved solve(Problem problem, boolean classes, Dataset<?> rows, Columns columns, String estimator) {
        StarlingParams<?> params = classes ? new StarlingClassifier() : new StarlingRegressor();
        columns.weight().ifPresent(name -> params.set(params.weightCol(), name));
        columns.offset().ifPresent(name -> params.set(params.offsetCol(), name));
        FitJob.Outcome outcome = FitJob.ofVectors(
                columns.used(rows), params, columns.features(), columns.label(), classes, problem.decision());
        Moments moments = Moments.of(outcome.facts());
        Training training = problem.of(moments);
        Provenance made = outcome.model().model().provenance();
        double gap = made.certificate().relativeGap();
        leaveIf(
                !(gap <= Math.max(training.tolerance, GAP)),
                "a gap of " + GAP + " was asked for and " + gap + " reached");
        leaveIf(
                training.intercept && !made.settings().get("intercept").equals("true"),
                "no method finds an intercept that is not regularised for the loss " + training.loss + " and "
                        + training.scales.length + " features");
        LOG.info(
                "{} is trained by Starling: the objective {} is at most {} of its value above the optimum",
                estimator,
                made.certificate().objective(),
                gap);
        return new Solved(outcome.model(), moments, training.scales);
    }

    private Map<String, String> settings() {
        StarlingClassifier params = new StarlingClassifier()
                .setLoss(loss)
                .setRegParam(l2)
                .setL1Param(l1)
                .setFitIntercept(intercept)
                .setStandardization(false)
                .setTol(Math.min(tolerance, GAP))
                .setMaxIter(PASSES);
        return ParamSettings.of(params).toMap();
    }

    /** The numbers as MLlib keeps them. */
    static DenseVector vector(double... values) {
        return new DenseVector(values);
    }
}
