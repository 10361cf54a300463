package dev.starling.lab.general;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Least squares with a penalty on the length of every group of coefficients, so that whole groups become small: every
 * node has some rows and, beside them, its share of the penalties, each a function of one block of θ.
 */
public final class GroupLasso {

    private GroupLasso() {}

    /** ½(aᵀθ − b)². */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(double[] features, double target, double smoothness) implements ProximalFunction {

        static Row of(double[] features, double target) {
            return new Row(
                    features, target, Arrays.stream(features).map(x -> x * x).sum());
        }

        private double miss(double[] theta) {
            double sum = -target;
            for (int c = 0; c < theta.length; c++) {
                sum += features[c] * theta[c];
            }
            return sum;
        }

        @Override
        public double value(double[] theta) {
            double miss = miss(theta);
            return miss * miss / 2;
        }

        @Override
        public void gradient(double[] theta, double[] into) {
            double miss = miss(theta);
            Arrays.setAll(into, c -> miss * features[c]);
        }

        @Override
        public void prox(double[] point, double step, double[] into) {
            double along = step * miss(point) / (1 + step * smoothness);
            Arrays.setAll(into, c -> point[c] - along * features[c]);
        }
    }

    /**
     * Moreau's envelope of weight·‖θ_g‖, where g are the coordinates from..to: weight·‖θ_g‖ − weight²·rounding/2
     * outside a ball, a parabola inside.
     */
    record Block(int from, int to, double weight, double rounding) implements ProximalFunction {

        private double length(double[] theta) {
            double sum = 0;
            for (int c = from; c < to; c++) {
                sum += theta[c] * theta[c];
            }
            return Math.sqrt(sum);
        }

        @Override
        public double value(double[] theta) {
            double length = length(theta);
            return length <= weight * rounding
                    ? length * length / (2 * rounding)
                    : weight * length - weight * weight * rounding / 2;
        }

        @Override
        public void gradient(double[] theta, double[] into) {
            double scale = Math.min(1 / rounding, weight / length(theta));
            Arrays.fill(into, 0);
            for (int c = from; c < to; c++) {
                into[c] = scale * theta[c];
            }
        }

        /** The gradient at the proximal point has the point's direction: only the length has to be found. */
        @Override
        public void prox(double[] point, double step, double[] into) {
            double length = length(point);
            double scale =
                    length <= weight * (rounding + step) ? rounding / (rounding + step) : 1 - step * weight / length;
            System.arraycopy(point, 0, into, 0, point.length);
            for (int c = from; c < to; c++) {
                into[c] *= scale;
            }
        }

        @Override
        public double smoothness() {
            return 1 / rounding;
        }
    }

    /**
     * Rows whose targets depend on the first of the groups alone, and an equal share of the penalties at every node.
     */
    public static GeneralProblem sites(int sites, int rows, int groups, int size, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        int dimension = groups * size;
        List<LocalFunctions> nodes = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            List<ProximalFunction> functions = new ArrayList<>();
            for (int j = 0; j < rows; j++) {
                double[] features =
                        random.doubles(dimension).map(share -> 2 * share - 1).toArray();
                double target = random.nextDouble() - 0.5;
                for (int c = 0; c < size; c++) {
                    target += (c + 1) * features[c];
                }
                functions.add(Row.of(features, target));
            }
            for (int g = 0; g < groups; g++) {
                functions.add(new Block(g * size, (g + 1) * size, 0.2 * rows, 1.0 / rows));
            }
            nodes.add(LocalFunctions.of(dimension, functions, 0.1 * rows));
        }
        return new GeneralProblem(nodes);
    }

    /** Least squares without penalties, where ω_i is another quadratic at every node: no multiple of ‖θ‖². */
    public static GeneralProblem ownQuadratics(int sites, int rows, int dimension, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<LocalFunctions> nodes = new ArrayList<>();
        for (LocalFunctions node : sites(sites, rows, 1, dimension, seed).nodes()) {
            List<ProximalFunction> rowsOnly = node.functions().subList(0, rows);
            double[] omega = random.doubles(dimension)
                    .map(share -> 0.1 * rows * (1 + 9 * share))
                    .toArray();
            nodes.add(LocalFunctions.of(rowsOnly, omega));
        }
        return new GeneralProblem(nodes);
    }
}
