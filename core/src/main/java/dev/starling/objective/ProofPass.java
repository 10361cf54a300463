package dev.starling.objective;

import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * One node's pass for a proof by curvature: losses and gradient with as little rounding as possible, bounds on that
 * rounding, and the leverages of rows, raised to a power so that their sum bounds the largest one closely.
 */
record ProofPass(LocalProblem problem, PassLayout layout) {

    /** The number of roundings in a slope, with room to spare. */
    private static final int OPERATIONS = 24;

    /** A squared error that is so large says little, and rows together would exceed what can be added up. */
    private static final double MOST_SQUARE = 0x1p40;

    /** Overwrites the sums with those over all samples at a point. */
    void sum(double[] theta, ProofBasis basis, double[] sums) {
        int numbers = layout.length(PassSums.PROOF);
        double values = problem.valuesPerRow();
        double work = 4 * values + (basis.leverages() ? values * layout.parameters() / 2 : 0);
        RowLengths lengths =
                basis.leverages() ? new RowLengths(problem.data(), basis.inverse(), layout.parameters(), false) : null;
        Sums total = new Sums(problem, layout, theta, basis, lengths, sums);
        Blocks.sum(
                problem.samples(),
                Blocks.rows(values, work, 2 * numbers),
                2 * numbers,
                total,
                () -> new Sums(
                        problem,
                        layout,
                        theta,
                        basis,
                        lengths == null ? null : lengths.another(),
                        new double[numbers]));
        total.finish();
        basis.roundUp(sums, layout, problem.samples());
    }

    /** The sums over a block of rows, or over several. */
    private static final class Sums implements Blocks.Part<Sums> {

        private final LocalProblem problem;
        private final PassLayout layout;
        private final int features;
        private final RowBlock block;
        private final RowSample all;
        private final CompensatedVector gradient;
        private final double[] theta;
        private final ProofBasis basis;

        /** Null unless lengths are needed. */
        private final RowLengths lengths;

        private final double[] sums;
        private final boolean convex;

        /** What is lost of a row's part in a compensated sum of products that are split, relative to it. */
        private final double ofSums;

        private CompensatedSum loss;
        private double weight;

        Sums(
                LocalProblem problem,
                PassLayout layout,
                double[] theta,
                ProofBasis basis,
                RowLengths lengths,
                double[] sums) {
            this.problem = problem;
            this.layout = layout;
            this.features = layout.parameters();
            this.block = new RowBlock(problem, true);
            this.all = RowSample.every(1, problem.samples());
            this.theta = theta;
            this.basis = basis;
            this.lengths = lengths;
            this.sums = sums;
            this.convex = problem.loss().isConvex();
            this.ofSums = 2 * Rounding.UNIT * Rounding.UNIT * problem.samples() * (problem.samples() + OPERATIONS);
            this.gradient = new CompensatedVector(sums, PassLayout.GRADIENT, features);
            clear();
        }

        @Override
        public void clear() {
            Arrays.fill(sums, 0, layout.length(PassSums.PROOF), 0);
            gradient.clear();
            loss = new CompensatedSum();
            weight = 0;
        }

        @Override
        public void sum(int first, int end) {
            for (int from = first; from < end; from += Loss.BLOCK) {
                int count = Math.min(Loss.BLOCK, end - from);
                weight += block.take(theta, all, from, count);
                block.refine(theta, count);
                loss.add(block.evaluate(count));
                block.refineSlopes(count);
                for (int k = 0; k < count; k++) {
                    add(block.rows[k], k);
                }
            }
        }

        @Override
        public void add(Sums next) {
            gradient.add(next.gradient);
            sums[PassLayout.ERROR] += next.sums[PassLayout.ERROR];
            for (int k = layout.proof(); k < layout.length(PassSums.PROOF); k++) {
                sums[k] += next.sums[k];
            }
            loss.add(next.loss);
            weight += next.weight;
        }

        /** The gradient is rounded, once it is added up; a bound on a row counts what its sum with others loses. */
        void finish() {
            sums[PassLayout.LOSS] = loss.value();
            sums[PassLayout.WEIGHT] = weight;
            gradient.finish();
            for (int c = 0; c < features; c++) {
                sums[layout.proof() + PassLayout.SCALED_ERROR] +=
                        Rounding.UNIT * Math.abs(sums[PassLayout.GRADIENT + c]) * basis.scales()[c];
            }
        }

        private void add(int row, int k) {
            Dataset data = problem.data();
            double distance = block.distances[k];
            double bend = block.curvatureWithin(k, distance) * distance;
            double scaledSquares = 0;
            int start = data.start(row);
            for (int at = start; at < data.end(row); at++) {
                int c = data.column(row, at);
                double value = data.value(row, at);
                double scaled = value * basis.scales()[c];
                scaledSquares += scaled * scaled;
                double product = block.slopes[k] * value;
                gradient.add(c, product);
                gradient.addRest(c, Math.fma(block.slopes[k], value, -product) + block.rests[k] * value);
            }
            double scaledLength = Math.sqrt(scaledSquares) * (1 + 0x1p-20);
            int proof = layout.proof();
            sums[proof + PassLayout.DISTANCES] += basis.radius() > 0 ? 0 : distance;
            double size = Math.abs(block.slopes[k]);
            double own = block.errors[k] < 0 ? bend + OPERATIONS * Rounding.UNIT * size : block.errors[k];
            double inUnits = own / Rounding.UNIT;
            double square = inUnits * inUnits / block.curvatures[k];
            boolean known = convex && square < MOST_SQUARE;
            sums[proof + PassLayout.SQUARED_ERROR] += known ? square : 0;
            sums[proof + PassLayout.SCALED_ERROR] += (ofSums * size + (known ? 0 : own)) * scaledLength;
            sums[PassLayout.ERROR] += (Math.abs(block.slopes[k]) + bend) * distance;
            if (basis.leverages()) {
                // Xx is rounded too.
                double length =
                        lengths.of(row) + 2.0 * (features + OPERATIONS) * Rounding.UNIT * basis.length() * scaledLength;
                if (basis.radius() > 0) {
                    double third = block.third(k, length * basis.radius());
                    sums[proof + PassLayout.DISTANCES] += length * length * block.third(k, distance) * distance;
                    sums[proof + PassLayout.LEVERAGES] += length * length * length * third;
                } else {
                    sums[proof + PassLayout.LEVERAGES] += basis.raised(length * length);
                }
            }
        }
    }
}
