package dev.starling.spark.params;

import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import dev.starling.settings.Scaling;

/**
 * The setters of Starling's estimators; as is usual in Spark, every setter returns the estimator.
 *
 * @param <E> the estimator
 */
public interface StarlingEstimator<E extends StarlingEstimator<E>> extends StarlingParams<E> {

    /** Sets the weight column; empty if rows have none. */
    default E setWeightCol(String value) {
        return with(weightCol(), value);
    }

    /** Sets the offset column, whose numbers are added to the rows' scores; empty if rows have none. */
    default E setOffsetCol(String value) {
        return with(offsetCol(), value);
    }

    /** Sets the columns that identify rows and, with cv, determine their folds. */
    default E setIdCols(String[] value) {
        return with(idCols(), value);
    }

    /** Sets the regularisation λ in mean loss + λ/2‖coefficients‖². */
    default E setRegParam(double value) {
        return with(regParam(), value);
    }

    /** Sets the share of the l1 norm in the penalty, as in MLlib. */
    default E setElasticNetParam(double value) {
        return with(elasticNetParam(), value);
    }

    /** Sets the λ₁ of an additional term λ₁‖coefficients‖₁. */
    default E setL1Param(double value) {
        return with(l1Param(), value);
    }

    /** Sets the folds of a cross-validation that chooses the penalty: a number, or sites; empty for none. */
    default E setCv(String value) {
        return with(cv(), value);
    }

    /** Sets the column whose cell determines a row's fold; empty for none. */
    default E setCvGroupsCol(String value) {
        return with(cvGroupsCol(), value);
    }

    /** Sets which penalty cross-validation chooses: min or 1se. */
    default E setCvRule(String value) {
        return with(cvRule(), value);
    }

    /**
     * Sets the values of λ to solve for, from which cross-validation chooses if there is one, or how many there are.
     */
    default E setLambdaPath(String value) {
        return with(lambdaPath(), value);
    }

    /** Sets the shares of the l1 term along the path of λ; empty for no such term. */
    default E setL1Ratios(String value) {
        return with(l1Ratios(), value);
    }

    /** Sets weights by label, such as {@code 0=1,1=2.5}; empty if all classes have the same weight. */
    default E setClassWeights(String value) {
        return with(classWeights(), value);
    }

    /** Sets the fraction of rows that is held out from training to evaluate the model; 0 for none. */
    default E setHoldout(double value) {
        return with(holdout(), value);
    }

    /** Sets the relative duality gap to reach. */
    default E setTol(double value) {
        return with(tol(), value);
    }

    /** Sets the largest number of passes over the data. */
    default E setMaxIter(int value) {
        return with(maxIter(), value);
    }

    /** Sets the largest number of seconds for which nodes train; 0 for no limit. */
    default E setMaxSeconds(double value) {
        return with(maxSeconds(), value);
    }

    /** Sets whether to fit an intercept. */
    default E setFitIntercept(boolean value) {
        return with(fitIntercept(), value);
    }

    /**
     * Sets the value of the constant feature whose coefficient gives the intercept: the larger it is, the less the
     * intercept is regularised. Unless this is set, the intercept is not regularised if the method allows that.
     */
    default E setInterceptScaling(double value) {
        return with(interceptScaling(), value);
    }

    /** Sets whether features are scaled for training. */
    default E setStandardization(boolean value) {
        return with(standardization(), value);
    }

    /**
     * Sets how features are scaled, by a name that {@link dev.starling.settings.Scaling#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setScaling(String value) {
        Scaling.named(value);
        return with(scaling(), value);
    }

    /**
     * Sets the loss, by a name that {@link dev.starling.loss.Losses#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setLoss(String value) {
        Losses.named(value);
        return with(loss(), value);
    }

    /** Sets how exactly values are kept for training: exact, or float, which rounds them. */
    default E setPrecision(String value) {
        return with(precision(), value);
    }

    /**
     * Sets the method by which the optimum is found: auto, or one of {@link dev.starling.method.Methods#names}.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setMethod(String value) {
        if (!value.equals(Methods.AUTO)) {
            Methods.named(value);
        }
        return with(method(), value);
    }

    /** Sets the number of nodes; 0 for one per partition, but not more than the cluster has slots. */
    default E setNodes(int value) {
        return with(nodes(), value);
    }

    /**
     * Sets the topology, by a name that {@link dev.starling.network.Topology#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setTopology(String value) {
        Topology.named(value);
        return with(topology(), value);
    }

    /** Sets the seed of all random choices. */
    default E setSeed(long value) {
        return with(seed(), value);
    }

    /**
     * Sets the delay τ of a message for which the method is tuned, in proximal steps; 0 for that of a typical network.
     */
    default E setDelay(double value) {
        return with(delay(), value);
    }

    /** Sets the directory of checkpoints, which all executors must be able to reach; empty for none. */
    default E setCheckpointDir(String value) {
        return with(checkpointDir(), value);
    }

    /** Sets the number of passes over the data between checkpoints. */
    default E setCheckpointInterval(int value) {
        return with(checkpointInterval(), value);
    }
}
