package dev.starling.spark;

import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Regulariser;
import java.io.Serializable;

/**
 * What all tasks of a run must know alike, apart from the rows.
 *
 * @param bias the value of the intercept's feature; 0 for none
 * @param delay τ; 0 to take {@link #typicalDelay}
 */
record Settings(
        String lossName,
        Method method,
        double lambda,
        double gap,
        double maxPasses,
        float bias,
        boolean standardize,
        String topology,
        long seed,
        double delay,
        int checkpointPasses)
        implements Serializable {

    /** What a message takes between two machines of a rack, or between two processes, over TLS. */
    private static final double LINK_MICROS = 40;

    /** What a proximal step takes, and what every stored value of its row adds. */
    private static final double STEP_MICROS = 0.1;

    private static final double VALUE_MICROS = 0.012;

    static Settings of(StarlingParams params, boolean classification) {
        Loss loss = Losses.named(params.getLoss());
        if (loss.isClassification() != classification) {
            throw new InvalidInputException("loss " + loss.name() + " is for "
                    + (classification
                            ? "numbers; use StarlingRegressor, or a loss for classes such as logistic"
                            : "classes; use StarlingClassifier, or a loss for numbers such as squared"));
        }
        Topology.named(params.getTopology());
        Method method = Method.named(params.getMethod());
        requireCompatible(method, loss);
        return new Settings(
                loss.name(),
                method,
                params.getRegParam(),
                params.getTol(),
                params.getMaxIter(),
                params.getFitIntercept() ? (float) params.getInterceptScaling() : 0f,
                params.getStandardization(),
                params.getTopology(),
                params.getSeed(),
                params.getDelay(),
                params.getCheckpointInterval());
    }

    /** Whether the method can take the loss does not depend on the data: the driver knows. */
    private static void requireCompatible(Method method, Loss loss) {
        Solver.requireSuits(method, loss, new Regulariser.SquaredNorm());
    }

    Loss loss() {
        return Losses.named(lossName);
    }

    StoppingRule rule() {
        return new StoppingRule(gap, maxPasses);
    }

    Network network(int size) {
        return Topology.named(topology).build(size, seed);
    }

    /**
     * The delay τ to tune for: a function of the data's shape, never of a clock, so that every attempt gives the same
     * bits.
     */
    double delayFor(int features, double valuesPerRow) {
        return delay > 0 ? delay : typicalDelay(features, valuesPerRow);
    }

    private static double typicalDelay(int features, double valuesPerRow) {
        double vectors = 5 + 2.0 * features / Math.max(1, valuesPerRow);
        return vectors + LINK_MICROS / (STEP_MICROS + VALUE_MICROS * valuesPerRow);
    }
}
