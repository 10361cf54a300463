package dev.starling.bench;

import dev.starling.loss.Elementary;
import dev.starling.loss.Logistic;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** The one-dimensional solve of a logistic step, from a good start and from none, and the exponential inside it. */
public class LossBenchmark extends KernelBenchmark {

    private static final int COUNT = 4096;

    private final Logistic logistic = new Logistic();
    private final double[] points = new double[COUNT];
    private final double[] steps = new double[COUNT];
    private final double[] labels = new double[COUNT];
    private final double[] nearby = new double[COUNT];

    /** Points, steps and starts as they come up in training. */
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

    /** From a margin within 1/2000 of the answer; the steps wait for each other as those of a node do. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double proxSlopeWarm() {
        double slope = 0;
        for (int i = 0; i < COUNT; i++) {
            slope = logistic.proxSlope(points[i] + 1e-9 * slope, steps[i], labels[i], nearby[i]);
        }
        return slope;
    }

    /** From zero. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double proxSlopeCold() {
        double slope = 0;
        for (int i = 0; i < COUNT; i++) {
            slope = logistic.proxSlope(points[i] + 1e-9 * slope, steps[i], labels[i], 0);
        }
        return slope;
    }

    /** Our own exponential, each waiting for the one before. */
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
