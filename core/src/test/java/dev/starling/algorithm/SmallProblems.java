package dev.starling.algorithm;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.Problem;
import java.util.SplittableRandom;

/** Small random problems and the plain way to drive programs by hand. */
final class SmallProblems {

    private SmallProblems() {}

    /** Gaussian-like rows with labels ±1 or real, weights between a half and two. */
    static Problem random(int rows, int features, Loss loss, double lambda, int nodes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] values = new float[rows * features];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5);
        }
        double[] labels = new double[rows];
        double[] weights = new double[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = loss.isClassification() ? random.nextInt(2) * 2 - 1 : 4 * random.nextDouble() - 2;
            weights[i] = 0.5 + 1.5 * random.nextDouble();
        }
        Dataset data = Dataset.dense(features, values, labels).withWeights(weights);
        return Problem.deal(data, loss, lambda, nodes);
    }

    /** The same rows stored sparsely. */
    static Problem sparse(Problem problem, double lambda) {
        Dataset data = problem.nodes().get(0).data().laidOut(false);
        return Problem.deal(data, problem.nodes().get(0).loss(), lambda, problem.size());
    }
}
