package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * One node's pass for a proof by curvature: losses and gradient with as little rounding as possible, bounds on that
 * rounding, and the leverages of rows, raised to a power so that their sum bounds the largest one closely.
 */
final class ProofPass {

    /**
     * The number of roundings in a slope, in its product with a value and in a compensated sum of these, with room to
     * spare.
     */
    private static final int OPERATIONS = 24;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final int features;
    private final RowBlock block;
    private final double[] remainders;
    private final double[] image;

    ProofPass(LocalProblem problem, PassLayout layout) {
        this.problem = problem;
        this.layout = layout;
        this.features = layout.parameters();
        this.block = new RowBlock(problem);
        this.remainders = new double[features];
        this.image = new double[features];
    }

    /** Overwrites the sums with those over all samples at a point. */
    void sum(double[] theta, ProofBasis basis, double[] sums) {
        Arrays.fill(sums, 0, layout.length(PassSums.PROOF), 0);
        Arrays.fill(remainders, 0);
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
        sums[PassLayout.LOSS] = loss.value();
        sums[PassLayout.WEIGHT] = weight;
        for (int c = 0; c < features; c++) {
            sums[PassLayout.GRADIENT + c] += remainders[c];
        }
        // The words that are added up are rounded too; in units of the features' scales.
        double words = 0;
        for (double scale : basis.scales()) {
            words += scale * SumWords.ROUNDING;
        }
        double slightlyMore = 1 + 4.0 * problem.samples() * Rounding.UNIT;
        int proof = layout.proof();
        sums[proof + PassLayout.SCALED_ERROR] =
                SumWords.up(slightlyMore * (sums[proof + PassLayout.SCALED_ERROR] + words));
        sums[proof + PassLayout.DISTANCES] = SumWords.up(slightlyMore * sums[proof + PassLayout.DISTANCES]);
        sums[proof + PassLayout.LEVERAGES] = SumWords.up(slightlyMore * sums[proof + PassLayout.LEVERAGES]);
        sums[PassLayout.ERROR] = SumWords.up(slightlyMore * sums[PassLayout.ERROR] + SumWords.ROUNDING);
    }

    private void add(int row, int k, double[] theta, ProofBasis basis, double[] sums) {
        Dataset data = problem.data();
        double distance = Rounding.ofMargin(problem, row, theta);
        double bend = block.curvatureWithin(k, distance) * distance;
        double scaledSquares = 0;
        int start = data.start(row);
        for (int at = start; at < data.end(row); at++) {
            int c = data.isDense() ? at - start : data.columns()[at];
            double value = data.values().at(at);
            double scaled = value * basis.scales()[c];
            scaledSquares += scaled * scaled;
            compensate(sums, c, block.slopes[k] * value);
        }
        double scaledLength = Math.sqrt(scaledSquares) * (1 + 0x1p-20);
        int proof = layout.proof();
        sums[proof + PassLayout.DISTANCES] += distance;
        sums[proof + PassLayout.SCALED_ERROR] +=
                (bend + OPERATIONS * Rounding.UNIT * Math.abs(block.slopes[k])) * scaledLength;
        sums[PassLayout.ERROR] += (Math.abs(block.slopes[k]) + bend) * distance;
        if (basis.leverages()) {
            // Xx is rounded too.
            double length = Math.sqrt(squaredImage(row, basis))
                    + 2.0 * (features + OPERATIONS) * Rounding.UNIT * basis.length() * scaledLength;
            sums[proof + PassLayout.LEVERAGES] += basis.raised(length * length);
        }
    }

    /** Adds by Knuth's two-sum, which keeps the rounding errors separately. */
    private void compensate(double[] sums, int column, double term) {
        int at = PassLayout.GRADIENT + column;
        double before = sums[at];
        double sum = before + term;
        double back = sum - before;
        sums[at] = sum;
        remainders[column] += (before - (sum - back)) + (term - back);
    }

    /** Returns ‖Xx‖² of a row x. */
    private double squaredImage(int row, ProofBasis basis) {
        Dataset data = problem.data();
        Arrays.fill(image, 0);
        int start = data.start(row);
        for (int at = start; at < data.end(row); at++) {
            int c = data.isDense() ? at - start : data.columns()[at];
            double value = data.values().at(at);
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
}
