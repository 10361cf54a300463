package dev.starling.spark.params;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.StringArrayParam;

/**
 * The Params of Starling's estimators and models that are about training, with their getters.
 *
 * @param <E> the type of the estimator or model
 */
public interface StarlingParams<E> extends ParamOwner<E> {

    /** Param for the weight column; empty if rows have none. */
    default Param<String> weightCol() {
        return ownParams().text("weightCol");
    }

    /** Param for the offset column, whose numbers are added to the rows' scores; empty if rows have none. */
    default Param<String> offsetCol() {
        return ownParams().text("offsetCol");
    }

    /** Param for the columns that identify rows and, with cv, determine their folds. */
    default StringArrayParam idCols() {
        return ownParams().texts("idCols");
    }

    /** Param for the regularisation λ in mean loss + λ/2‖coefficients‖². */
    default DoubleParam regParam() {
        return ownParams().number("regParam");
    }

    /** Param for the share of the l1 norm in the penalty, as in MLlib. */
    default DoubleParam elasticNetParam() {
        return ownParams().number("elasticNetParam");
    }

    /** Param for the λ₁ of an additional term λ₁‖coefficients‖₁. */
    default DoubleParam l1Param() {
        return ownParams().number("l1Param");
    }

    /** Param for the folds of a cross-validation that chooses the penalty: a number, or sites; empty for none. */
    default Param<String> cv() {
        return ownParams().text("cv");
    }

    /** Param for the column whose cell determines a row's fold; empty for none. */
    default Param<String> cvGroupsCol() {
        return ownParams().text("cvGroupsCol");
    }

    /** Param for which penalty cross-validation chooses: min or 1se. */
    default Param<String> cvRule() {
        return ownParams().text("cvRule");
    }

    /**
     * Param for the values of λ to solve for, from which cross-validation chooses if there is one, or how many there
     * are.
     */
    default Param<String> lambdaPath() {
        return ownParams().text("lambdaPath");
    }

    /** Param for the shares of the l1 term along the path of λ; empty for no such term. */
    default Param<String> l1Ratios() {
        return ownParams().text("l1Ratios");
    }

    /** Param for weights by label, such as {@code 0=1,1=2.5}; empty if all classes have the same weight. */
    default Param<String> classWeights() {
        return ownParams().text("classWeights");
    }

    /** Param for the fraction of rows that is held out from training to evaluate the model. */
    default DoubleParam holdout() {
        return ownParams().number("holdout");
    }

    /** Param for the relative duality gap to reach. */
    default DoubleParam tol() {
        return ownParams().number("tol");
    }

    /** Param for the largest number of passes over the data. */
    default IntParam maxIter() {
        return ownParams().whole("maxIter");
    }

    /** Param for the largest number of seconds for which nodes train; 0 for no limit. */
    default DoubleParam maxSeconds() {
        return ownParams().number("maxSeconds");
    }

    /** Param for whether to fit an intercept. */
    default BooleanParam fitIntercept() {
        return ownParams().truth("fitIntercept");
    }

    /**
     * Param for the value of the constant feature whose coefficient gives the intercept: the larger it is, the less the
     * intercept is regularised. Unless this is set, the intercept is not regularised if the method allows that.
     */
    default DoubleParam interceptScaling() {
        return ownParams().number("interceptScaling");
    }

    /** Param for whether features are scaled for training. */
    default BooleanParam standardization() {
        return ownParams().truth("standardization");
    }

    /** Param for how features are scaled, a name that {@link dev.starling.settings.Scaling#named} accepts. */
    default Param<String> scaling() {
        return ownParams().text("scaling");
    }

    /** Param for the loss, a name that {@link dev.starling.loss.Losses#named} accepts. */
    default Param<String> loss() {
        return ownParams().text("loss");
    }

    /** Param for how exactly values are kept for training: exact or float. */
    default Param<String> precision() {
        return ownParams().text("precision");
    }

    /**
     * Param for the method by which the optimum is found: auto, or one of {@link dev.starling.method.Methods#names}.
     */
    default Param<String> method() {
        return ownParams().text("method");
    }

    /** Param for the number of nodes; 0 for one per partition, but not more than the cluster has slots. */
    default IntParam nodes() {
        return ownParams().whole("nodes");
    }

    /** Param for the topology, a name that {@link dev.starling.network.Topology#named} accepts. */
    default Param<String> topology() {
        return ownParams().text("topology");
    }

    /** Param for the seed of all random choices. */
    default LongParam seed() {
        return ownParams().longWhole("seed");
    }

    /**
     * Param for the delay τ of a message for which the method is tuned, in proximal steps; 0 for that of a typical
     * network.
     */
    default DoubleParam delay() {
        return ownParams().number("delay");
    }

    /** Param for the directory of checkpoints, which all executors must be able to reach; empty for none. */
    default Param<String> checkpointDir() {
        return ownParams().text("checkpointDir");
    }

    /** Param for the number of passes over the data between checkpoints. */
    default IntParam checkpointInterval() {
        return ownParams().whole("checkpointInterval");
    }

    /** Returns the weight column; empty if rows have none. */
    default String getWeightCol() {
        return getOrDefault(weightCol());
    }

    /** Returns the offset column, whose numbers are added to the rows' scores; empty if rows have none. */
    default String getOffsetCol() {
        return getOrDefault(offsetCol());
    }

    /** Returns the columns that identify rows and, with cv, determine their folds. */
    default String[] getIdCols() {
        return getOrDefault(idCols());
    }

    /** Returns the regularisation λ in mean loss + λ/2‖coefficients‖². */
    default double getRegParam() {
        return (Double) getOrDefault(regParam());
    }

    /** Returns the share of the l1 norm in the penalty, as in MLlib. */
    default double getElasticNetParam() {
        return (Double) getOrDefault(elasticNetParam());
    }

    /** Returns the λ₁ of an additional term λ₁‖coefficients‖₁. */
    default double getL1Param() {
        return (Double) getOrDefault(l1Param());
    }

    /** Returns the folds of a cross-validation that chooses the penalty: a number, or sites; empty for none. */
    default String getCv() {
        return getOrDefault(cv());
    }

    /** Returns the column whose cell determines a row's fold; empty for none. */
    default String getCvGroupsCol() {
        return getOrDefault(cvGroupsCol());
    }

    /** Returns which penalty cross-validation chooses: min or 1se. */
    default String getCvRule() {
        return getOrDefault(cvRule());
    }

    /**
     * Returns the values of λ to solve for, from which cross-validation chooses if there is one, or how many there are.
     */
    default String getLambdaPath() {
        return getOrDefault(lambdaPath());
    }

    /** Returns the shares of the l1 term along the path of λ; empty for no such term. */
    default String getL1Ratios() {
        return getOrDefault(l1Ratios());
    }

    /** Returns weights by label, such as {@code 0=1,1=2.5}; empty if all classes have the same weight. */
    default String getClassWeights() {
        return getOrDefault(classWeights());
    }

    /** Returns the fraction of rows that is held out from training to evaluate the model. */
    default double getHoldout() {
        return (Double) getOrDefault(holdout());
    }

    /** Returns the relative duality gap to reach. */
    default double getTol() {
        return (Double) getOrDefault(tol());
    }

    /** Returns the largest number of passes over the data. */
    default int getMaxIter() {
        return (Integer) getOrDefault(maxIter());
    }

    /** Returns the largest number of seconds for which nodes train; 0 for no limit. */
    default double getMaxSeconds() {
        return (Double) getOrDefault(maxSeconds());
    }

    /** Returns whether to fit an intercept. */
    default boolean getFitIntercept() {
        return (Boolean) getOrDefault(fitIntercept());
    }

    /**
     * Returns the value of the constant feature whose coefficient gives the intercept: the larger it is, the less the
     * intercept is regularised. Unless this is set, the intercept is not regularised if the method allows that.
     */
    default double getInterceptScaling() {
        return (Double) getOrDefault(interceptScaling());
    }

    /** Returns whether features are scaled for training. */
    default boolean getStandardization() {
        return (Boolean) getOrDefault(standardization());
    }

    /** Returns how features are scaled, a name that {@link dev.starling.settings.Scaling#named} accepts. */
    default String getScaling() {
        return getOrDefault(scaling());
    }

    /** Returns the loss, a name that {@link dev.starling.loss.Losses#named} accepts. */
    default String getLoss() {
        return getOrDefault(loss());
    }

    /** Returns how exactly values are kept for training: exact or float. */
    default String getPrecision() {
        return getOrDefault(precision());
    }

    /** Returns the method by which the optimum is found: auto, or one of {@link dev.starling.method.Methods#names}. */
    default String getMethod() {
        return getOrDefault(method());
    }

    /** Returns the number of nodes; 0 for one per partition, but not more than the cluster has slots. */
    default int getNodes() {
        return (Integer) getOrDefault(nodes());
    }

    /** Returns the topology, a name that {@link dev.starling.network.Topology#named} accepts. */
    default String getTopology() {
        return getOrDefault(topology());
    }

    /** Returns the seed of all random choices. */
    default long getSeed() {
        return (Long) getOrDefault(seed());
    }

    /**
     * Returns the delay τ of a message for which the method is tuned, in proximal steps; 0 for that of a typical
     * network.
     */
    default double getDelay() {
        return (Double) getOrDefault(delay());
    }

    /** Returns the directory of checkpoints, which all executors must be able to reach; empty for none. */
    default String getCheckpointDir() {
        return getOrDefault(checkpointDir());
    }

    /** Returns the number of passes over the data between checkpoints. */
    default int getCheckpointInterval() {
        return (Integer) getOrDefault(checkpointInterval());
    }
}
