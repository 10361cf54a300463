package dev.starling.method.newton;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * One node's pass for a {@link CurvatureProof}: losses and gradient with as little rounding as there can be, how much
 * of it there may be, and the leverages of rows, raised to a power so that their sum tells of the largest.
 */
final class ProofPass {

    /* Where the sums are, after the gradient. */

    /** Of what margins may be wrong by. */
    static final int DISTANCES = 0;

    /** Of what rows may add to the error of the gradient, in units of the features' scales. */
    static final int SCALED_ERROR = 1;

    /** Of ‖Xx‖² in units of the basis, to the power of {@link CurvatureProof#POWER}. */
    static final int LEVERAGES = 2;

    static final int LENGTH = 3;

    /** Roundings of a slope, of its product with a value and of a compensated sum of these, with room to spare. */
    private static final int OPERATIONS = 24;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final int features;
    private final RowBlock block;
    private final double[] rests;
    private final double[] image;

    ProofPass(LocalProblem problem, PassLayout layout) {
        this.problem = problem;
        this.layout = layout;
        this.features = layout.features();
        this.block = new RowBlock(problem);
        this.rests = new double[features];
        this.image = new double[features];
    }

    /** Overwrites the sums with those of all samples at a point. */
    void sum(double[] theta, ProofBasis basis, double[] sums) {
        Arrays.fill(sums, 0, layout.length(PassSums.PROOF), 0);
        Arrays.fill(rests, 0);
        CompensatedSum loss = new CompensatedSum();
        double weight = 0;
        for (int from = 0; from < problem.samples(); from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, problem.samples() - from);
            weight += block.take(theta, from, 1, count);
            loss.add(block.evaluate(count));
            for (int k = 0; k < count; k++) {
                add(block.rows[k], k, theta, basis, sums);
            }
        }
        sums[NewtonPass.LOSS] = loss.value();
        sums[NewtonPass.WEIGHT] = weight;
        for (int c = 0; c < features; c++) {
            sums[NewtonPass.GRADIENT + c] += rests[c];
        }
        // A word may be wrong by its own rounding, in units of the features' scales.
        double words = 0;
        for (double scale : basis.scales()) {
            words += scale * SumWords.ROUNDING;
        }
        double slightlyMore = 1 + 4.0 * problem.samples() * Rounding.UNIT;
        int proof = layout.proof();
        sums[proof + SCALED_ERROR] = SumWords.up(slightlyMore * (sums[proof + SCALED_ERROR] + words));
        sums[proof + DISTANCES] = SumWords.up(slightlyMore * sums[proof + DISTANCES]);
        sums[proof + LEVERAGES] = SumWords.up(slightlyMore * sums[proof + LEVERAGES]);
        sums[NewtonPass.ERROR] = SumWords.up(slightlyMore * sums[NewtonPass.ERROR] + SumWords.ROUNDING);
    }

    private void add(int row, int k, double[] theta, ProofBasis basis, double[] sums) {
        Dataset data = problem.data();
        double distance = Rounding.ofMargin(data, row, theta);
        double bend = data.weight(row) * problem.loss().smoothness() * distance;
        double scaledSquares = 0;
        int start = data.start(row);
        for (int at = start; at < data.end(row); at++) {
            int c = data.isDense() ? at - start : data.columns()[at];
            double value = data.values()[at];
            double scaled = value * basis.scales()[c];
            scaledSquares += scaled * scaled;
            compensate(sums, c, block.slopes[k] * value);
        }
        double scaledLength = Math.sqrt(scaledSquares) * (1 + 0x1p-20);
        int proof = layout.proof();
        sums[proof + DISTANCES] += distance;
        sums[proof + SCALED_ERROR] += (bend + OPERATIONS * Rounding.UNIT * Math.abs(block.slopes[k])) * scaledLength;
        sums[NewtonPass.ERROR] += (Math.abs(block.slopes[k]) + bend) * distance;
        if (basis.leverages()) {
            // The image is rounded too.
            double length = Math.sqrt(squaredImage(row, basis))
                    + 2.0 * (features + OPERATIONS) * Rounding.UNIT * basis.length() * scaledLength;
            sums[proof + LEVERAGES] += power(length * length / basis.unit());
        }
    }

    /** Knuth's two-sum, of which the rests are kept apart. */
    private void compensate(double[] sums, int column, double term) {
        int at = NewtonPass.GRADIENT + column;
        double before = sums[at];
        double sum = before + term;
        double back = sum - before;
        sums[at] = sum;
        rests[column] += (before - (sum - back)) + (term - back);
    }

    /** ‖Xx‖². */
    private double squaredImage(int row, ProofBasis basis) {
        Dataset data = problem.data();
        Arrays.fill(image, 0);
        int start = data.start(row);
        for (int at = start; at < data.end(row); at++) {
            int c = data.isDense() ? at - start : data.columns()[at];
            double value = data.values()[at];
            for (int b = c; value != 0 && b < features; b++) {
                image[b] = Math.fma(basis.inverse()[b * features + c], value, image[b]);
            }
        }
        double squares = 0;
        for (double entry : image) {
            squares += entry * entry;
        }
        return squares;
    }

    /** x⁸. */
    private static double power(double x) {
        double square = x * x;
        double fourth = square * square;
        return fourth * fourth;
    }
}
