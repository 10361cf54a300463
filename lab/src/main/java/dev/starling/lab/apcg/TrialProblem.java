package dev.starling.lab.apcg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A small problem with the shape of an augmented graph: four coordinates whose columns of A share a kernel and that
 * have no ψ, and four outside it with an absolute value or an interval each; overlapping blocks of uneven probability.
 */
public record TrialProblem(Quadratic smooth, CompositeProblem problem, ListedBlocks sampling) {

    private static final int DIMENSION = 8;
    private static final int FREE = 4;
    private static final int[] ALL = {0, 1, 2, 3, 4, 5, 6, 7};

    /** A problem with random numbers. */
    public static TrialProblem of(long seed, boolean stronglyConvex) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[][] matrix = new double[3 + FREE][DIMENSION];
        for (int r = 0; r < 3; r++) {
            for (int i = 0; i < DIMENSION; i++) {
                matrix[r][i] = 2 * random.nextDouble() - 1;
            }
        }
        double[] weights = new double[matrix.length];
        double[] target = new double[matrix.length];
        for (int r = 0; r < matrix.length; r++) {
            weights[r] = r < 3 || stronglyConvex ? 0.5 + random.nextDouble() : 0;
            target[r] = 4 * random.nextDouble() - 2;
            if (r >= 3) {
                matrix[r][FREE + r - 3] = 0.5 + random.nextDouble();
            }
        }
        Quadratic smooth = Quadratic.of(matrix, weights, target);
        return new TrialProblem(smooth, new CompositeProblem(smooth, new Terms()), sampling(random));
    }

    /** The free coordinates together, pairs and singles of the others, and one block across. */
    private static ListedBlocks sampling(UniformRandomProvider random) {
        List<int[]> blocks = new ArrayList<>(
                List.of(new int[] {0, 1, 2, 3}, new int[] {4, 5}, new int[] {6}, new int[] {7}, new int[] {5, 7, 1}));
        double[] probabilities = random.doubles(blocks.size()).map(u -> 0.3 + u).toArray();
        double sum = Arrays.stream(probabilities).sum();
        return BlockSampling.of(
                DIMENSION,
                blocks,
                Arrays.stream(probabilities).map(p -> p / sum).toArray());
    }

    /** S, as small as the method allows. */
    public double samplingConstant() {
        return smooth.samplingConstant(sampling);
    }

    /** p_min, over the coordinates that have a ψ. */
    double smallestProbability() {
        return Arrays.stream(ALL)
                .filter(i -> i >= FREE)
                .mapToDouble(sampling::probability)
                .min()
                .orElseThrow();
    }

    /** The minimiser, by proximal gradient steps on all coordinates until they stand still. */
    public double[] minimiser() {
        double[] x = new double[DIMENSION];
        double largest = smooth.samplingConstant(BlockSampling.of(DIMENSION, List.of(ALL), new double[] {1}));
        double step = 1 / (largest * largest);
        double[] gradient = new double[DIMENSION];
        for (int t = 0; t < 400_000; t++) {
            double[] from = x;
            smooth.gradient(i -> from[i], ALL, gradient);
            double[] to = new double[DIMENSION];
            for (int i = 0; i < DIMENSION; i++) {
                to[i] = problem.separable().prox(i, x[i] - step * gradient[i], step);
            }
            if (Arrays.equals(x, to)) {
                break;
            }
            x = to;
        }
        return x;
    }

    private static final class Terms implements SeparableTerm {
        @Override
        public double value(int coordinate, double x) {
            if (coordinate < FREE) {
                return 0;
            }
            return coordinate % 2 == 0 ? 0.3 * Math.abs(x) : (Math.abs(x) <= 0.5 ? 0 : Double.POSITIVE_INFINITY);
        }

        @Override
        public double prox(int coordinate, double point, double step) {
            if (coordinate < FREE) {
                return point;
            }
            return coordinate % 2 == 0
                    ? Math.signum(point) * Math.max(0, Math.abs(point) - 0.3 * step)
                    : Math.max(-0.5, Math.min(0.5, point));
        }

        @Override
        public boolean isZero(int coordinate) {
            return coordinate < FREE;
        }
    }
}
