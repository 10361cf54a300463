package dev.starling.support;

import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Small random problems of the kinds that rounding is hard on. */
public final class NastyProblems {

    /** The losses that {@link ExactObjective} knows, those without kinks first. */
    public static final List<String> LOSSES = List.of(
            "logistic",
            "squared",
            "squared-hinge",
            "huber(1.0)",
            "hinge",
            "absolute",
            "quantile(0.3)",
            "epsilon-insensitive(0.1)");

    private static final int SMOOTH = 4;
    private static final int KINDS = 8;

    private NastyProblems() {}

    /**
     * A problem.
     *
     * @param seed what it was made from
     */
    public record Nasty(long seed, Dataset data, String loss, double lambda, int nodes) {

        /** Whether its loss has no kinks. */
        public boolean isSmooth() {
            return LOSSES.indexOf(loss) < SMOOTH;
        }

        @Override
        public String toString() {
            return "seed " + seed + ": " + data + ", " + loss + ", lambda " + lambda + ", " + nodes + " nodes";
        }
    }

    /** Problems with the seeds 0, 1, …. */
    public static Stream<Nasty> of(int count) {
        return IntStream.range(0, count).mapToObj(NastyProblems::one);
    }

    private static Nasty one(int seed) {
        Random random = new Random(seed);
        String loss = LOSSES.get(seed % LOSSES.size());
        int kind = seed / LOSSES.size() % KINDS;
        boolean classes = List.of("logistic", "hinge", "squared-hinge").contains(loss);
        int rows = kind == 0 ? (classes ? 2 : 1) : kind == 1 ? 5 + random.nextInt(10) : 2 + random.nextInt(30);
        int features = kind == 1 ? 60 + random.nextInt(60) : 1 + random.nextInt(6);
        double[][] x = new double[rows][features];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < features; c++) {
                x[i][c] = (float) random.nextGaussian();
            }
            spoil(kind, x, i);
            boolean positive = kind == 4 ? x[i][0] > 0 : random.nextBoolean();
            y[i] = classes ? (positive ? 1 : -1) : random.nextGaussian() * (kind == 5 ? 1e3 : 1);
        }
        if (classes) {
            // A problem of one class is refused.
            y[0] = -y[rows - 1];
        }
        double lambda = Math.pow(10, -12 + 13 * random.nextDouble());
        return new Nasty(seed, Dataset.of(x, y), loss, lambda, 1 + random.nextInt(Math.min(5, rows)));
    }

    private static void spoil(int kind, double[][] x, int row) {
        int last = x[row].length - 1;
        switch (kind) {
            case 2 -> x[row] = row == 0 ? x[0] : x[0].clone();
            case 3 -> {
                x[row][last] = 1;
                x[row][0] = x[row][last / 2];
            }
            case 5 -> {
                for (int c = 0; c <= last; c++) {
                    x[row][c] *= c % 2 == 0 ? 1e6f : 1e-6f;
                }
            }
            case 6 -> x[row] = Arrays.stream(x[row]).map(v -> 1000 + v * 1e-3).toArray();
            case 7 -> x[row] = Arrays.stream(x[row]).map(v -> v * v * v * v * v).toArray();
            default -> {
                // As drawn.
            }
        }
    }
}
