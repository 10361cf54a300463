package dev.starling.spark;

import dev.starling.loss.Losses;
import dev.starling.method.Method;
import dev.starling.network.Topology;

/**
 * How Starling's estimators are set up, in Spark's manner: every setter returns the estimator.
 *
 * @param <E> the estimator
 */
public interface StarlingEstimator<E extends StarlingEstimator<E>> extends StarlingParams {

    /** This estimator, as what it is. */
    E self();

    /** Sets the weight column; empty if rows have none. */
    default E setWeightCol(String value) {
        set(weightCol(), value);
        return self();
    }

    /** Sets the regularisation λ in mean loss + λ/2‖coefficients‖². */
    default E setRegParam(double value) {
        set(regParam(), value);
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

    /** Sets whether to fit an intercept. */
    default E setFitIntercept(boolean value) {
        set(fitIntercept(), value);
        return self();
    }

    /**
     * Sets the value of the feature whose coefficient makes the intercept: the larger, the less that is regularised.
     */
    default E setInterceptScaling(double value) {
        set(interceptScaling(), value);
        return self();
    }

    /** Sets whether features are scaled to deviation 1 for training. */
    default E setStandardization(boolean value) {
        set(standardization(), value);
        return self();
    }

    /**
     * Sets the loss, as {@link dev.starling.loss.Losses#named} takes it.
     *
     * @throws dev.starling.data.InvalidInputException if there is none of that name
     */
    default E setLoss(String value) {
        Losses.named(value);
        set(loss(), value);
        return self();
    }

    /**
     * Sets how the optimum is looked for, as {@link dev.starling.method.Method#named} takes it.
     *
     * @throws dev.starling.data.InvalidInputException if there is none of that name
     */
    default E setMethod(String value) {
        Method.named(value);
        set(method(), value);
        return self();
    }

    /** Sets the number of nodes; 0 for one per partition, as far as there are slots. */
    default E setNodes(int value) {
        set(nodes(), value);
        return self();
    }

    /**
     * Sets the graph, as {@link dev.starling.network.Topology#named} takes it.
     *
     * @throws dev.starling.data.InvalidInputException if there is none of that name
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

    /** Sets the delay τ of a message, in proximal steps, to tune for; 0 for a typical network. */
    default E setDelay(double value) {
        set(delay(), value);
        return self();
    }

    /** Sets the directory of checkpoints, reachable from all executors; empty for none. */
    default E setCheckpointDir(String value) {
        set(checkpointDir(), value);
        return self();
    }

    /** Sets the passes over the data between checkpoints. */
    default E setCheckpointInterval(int value) {
        set(checkpointInterval(), value);
        return self();
    }
}
