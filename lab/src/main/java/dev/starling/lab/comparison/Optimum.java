package dev.starling.lab.comparison;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.runtime.StopSignal;
import java.util.Arrays;
import java.util.List;

/**
 * The optimum that methods are measured against, with its certificate.
 *
 * @param objective the objective, as an average over samples, at the parameter
 * @param gap its certified relative duality gap: the true optimum is at most this much lower
 * @param certified whether the requested gap was reached
 * @param parameter θ*
 */
public record Optimum(double objective, double gap, boolean certified, List<Double> parameter) {

    private static final double SMOOTH_GAP = 1e-10;
    private static final double KINKED_GAP = 1e-6;

    /** After this many passes the reference is used as it is. */
    private static final double MOST_EPOCHS = 3000;

    /** Copies the parameter. */
    public Optimum {
        parameter = List.copyOf(parameter);
    }

    /** The divisor that makes differences from the objective relative. */
    double scale() {
        return objective > 0 ? objective : 1;
    }

    /** Computes the optimum by training on the rows, whose labels are those that the loss sees. */
    static Optimum of(Dataset rows, Loss loss, double lambda, double l1, StopSignal signal) {
        boolean smooth = loss.isDifferentiable() && l1 == 0;
        int nodes = Math.min(rows.rows(), 2);
        Fit fit = Trainer.of(loss)
                .lambda(lambda)
                .l1(l1)
                .nodes(nodes)
                .gap(smooth ? SMOOTH_GAP : KINKED_GAP)
                .maxEpochs(MOST_EPOCHS)
                .stopSignal(signal)
                .fit(rows);
        return new Optimum(
                fit.objective(),
                Math.max(0, fit.gap()),
                fit.isCertified(),
                Arrays.stream(fit.model().weights(0)).boxed().toList());
    }
}
