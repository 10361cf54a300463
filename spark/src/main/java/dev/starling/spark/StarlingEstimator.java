package dev.starling.spark;

import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import dev.starling.settings.Scaling;

/**
 * The setters of Starling's estimators; as is usual in Spark, every setter returns the estimator.
 *
 * @param <E> the estimator
 */
public interface StarlingEstimator<E extends StarlingEstimator<E>> extends StarlingParams {

    /** This estimator, with its own type. */
    @SuppressWarnings("unchecked")
    default E self() {
        return (E) this;
    }

    /** Sets the weight column; empty if rows have none. */
    default E setWeightCol(String value) {
        set(weightCol(), value);
        return self();
    }

    /** Sets the offset column, whose numbers are added to the rows' scores; empty if rows have none. */
    default E setOffsetCol(String value) {
        set(offsetCol(), value);
        return self();
    }

    /** Sets the columns that identify rows and, with cv, determine their folds. */
    default E setIdCols(String[] value) {
        set(idCols(), value);
        return self();
    }

    /** Sets the regularisation λ in mean loss + λ/2‖coefficients‖². */
    default E setRegParam(double value) {
        set(regParam(), value);
        return self();
    }

    /** Sets the share of the l1 norm in the penalty, as in MLlib. */
    default E setElasticNetParam(double value) {
        set(elasticNetParam(), value);
        return self();
    }

    /** Sets the λ₁ of an additional term λ₁‖coefficients‖₁. */
    default E setL1Param(double value) {
        set(l1Param(), value);
        return self();
    }

    /** Sets the folds of a cross-validation that chooses the penalty: a number, or sites; empty for none. */
    default E setCv(String value) {
        set(cv(), value);
        return self();
    }

    /** Sets the column whose cell determines a row's fold; empty for none. */
    default E setCvGroupsCol(String value) {
        set(cvGroupsCol(), value);
        return self();
    }

    /** Sets which penalty cross-validation chooses: min or 1se. */
    default E setCvRule(String value) {
        set(cvRule(), value);
        return self();
    }

    /** Sets the values of λ from which cross-validation chooses, or how many of them there are. */
    default E setLambdaPath(String value) {
        set(lambdaPath(), value);
        return self();
    }

    /** Sets the shares of the l1 term from which cross-validation chooses; empty for no such term. */
    default E setL1Ratios(String value) {
        set(l1Ratios(), value);
        return self();
    }

    /** Sets weights by label, such as {@code 0=1,1=2.5}; empty if all classes have the same weight. */
    default E setClassWeights(String value) {
        set(classWeights(), value);
        return self();
    }

    /** Sets the fraction of rows that is held out from training to evaluate the model; 0 for none. */
    default E setHoldout(double value) {
        set(holdout(), value);
        return self();
    }

    /** Sets the relative duality gap to reach. */
    default E setTol(double value) {
        set(tol(), value);
        return self();
    }

    /** Sets the largest number of passes over the data. */
    default E setMaxIter(int value) {
        set(maxIter(), value);
        return self();
    }

    /** Sets the largest number of seconds for which nodes train; 0 for no limit. */
    default E setMaxSeconds(double value) {
        set(maxSeconds(), value);
        return self();
    }

    /** Sets whether to fit an intercept. */
    default E setFitIntercept(boolean value) {
        set(fitIntercept(), value);
        return self();
    }

    /**
     * Sets the value of the constant feature whose coefficient gives the intercept: the larger it is, the less the
     * intercept is regularised. Unless this is set, the intercept is not regularised if the method allows that.
     */
    default E setInterceptScaling(double value) {
        set(interceptScaling(), value);
        return self();
    }

    /** Sets whether features are scaled for training. */
    default E setStandardization(boolean value) {
        set(standardization(), value);
        return self();
    }

    /**
     * Sets how features are scaled, by a name that {@link dev.starling.settings.Scaling#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setScaling(String value) {
        Scaling.named(value);
        set(scaling(), value);
        return self();
    }

    /**
     * Sets the loss, by a name that {@link dev.starling.loss.Losses#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setLoss(String value) {
        Losses.named(value);
        set(loss(), value);
        return self();
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
        set(method(), value);
        return self();
    }

    /** Sets the number of nodes; 0 for one per partition, but not more than the cluster has slots. */
    default E setNodes(int value) {
        set(nodes(), value);
        return self();
    }

    /**
     * Sets the topology, by a name that {@link dev.starling.network.Topology#named} accepts.
     *
     * @throws dev.starling.data.InvalidInputException if the name is unknown
     */
    default E setTopology(String value) {
        Topology.named(value);
        set(topology(), value);
        return self();
    }

    /** Sets the seed of all random choices. */
    default E setSeed(long value) {
        set(seed(), value);
        return self();
    }

    /**
     * Sets the delay τ of a message for which the method is tuned, in proximal steps; 0 for that of a typical network.
     */
    default E setDelay(double value) {
        set(delay(), value);
        return self();
    }

    /** Sets the directory of checkpoints, which all executors must be able to reach; empty for none. */
    default E setCheckpointDir(String value) {
        set(checkpointDir(), value);
        return self();
    }

    /** Sets the number of passes over the data between checkpoints. */
    default E setCheckpointInterval(int value) {
        set(checkpointInterval(), value);
        return self();
    }
}
