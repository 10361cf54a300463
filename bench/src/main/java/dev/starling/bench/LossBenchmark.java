package dev.starling.bench;

import dev.starling.loss.Elementary;
import dev.starling.loss.Logistic;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * The one-dimensional solve of a logistic step, with and without a good starting point, and the exponential inside it.
 */
public class LossBenchmark extends KernelBenchmark {

    private static final int COUNT = 4096;

    private final Logistic logistic = new Logistic();
    private final double[] points = new double[COUNT];
    private final double[] steps = new double[COUNT];
    private final double[] labels = new double[COUNT];
    private final double[] nearby = new double[COUNT];

    /** Draws points, steps and starting points as they occur in training. */
    @Setup
    public void prepare() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < COUNT; i++) {
            points[i] = 6 * random.nextDouble() - 3;
            steps[i] = StrictMath.exp(6 * random.nextDouble() - 1);
            labels[i] = random.nextBoolean() ? 1 : -1;
            double margin = logistic.prox(points[i], steps[i], labels[i], 0);
            nearby[i] = margin + 1e-3 * (random.nextDouble() - 0.5);
        }
    }

    /**
     * Starts from a margin within 1/2000 of the solution; each step depends on the one before, like those of a node.
     */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double proxSlopeWarm() {
        double slope = 0;
        for (int i = 0; i < COUNT; i++) {
            slope = logistic.proxSlope(points[i] + 1e-9 * slope, steps[i], labels[i], nearby[i]);
        }
        return slope;
    }

    /** Starts from zero. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double proxSlopeCold() {
        double slope = 0;
        for (int i = 0; i < COUNT; i++) {
            slope = logistic.proxSlope(points[i] + 1e-9 * slope, steps[i], labels[i], 0);
        }
        return slope;
    }

    /** Our own exponential; each call depends on the one before. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double exponential() {
        double result = 0;
        for (int i = 0; i < COUNT; i++) {
            result = Elementary.exp(points[i] + 1e-9 * result);
        }
        return result;
    }

    /** The exponential of the JDK, for comparison. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double exponentialOfTheJdk() {
        double result = 0;
        for (int i = 0; i < COUNT; i++) {
            result = Math.exp(points[i] + 1e-9 * result);
        }
        return result;
    }
}
