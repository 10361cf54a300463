package dev.starling.method.multipliers;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/** The numbers that belong to each of a node's samples. */
final class Samples implements Stateful {

    /**
     * So many samples are visited by a call. The virtual machine compiles what is called often for good; a few calls
     * with long loops would stay in code that counts its iterations for most of a run.
     */
    static final int RUN = 32;

    final LocalProblem problem;
    final Dataset data;
    final int count;
    final Kinks kinks;
    final double[] margins;
    final double[] multipliers;

    /** The slopes that were released last. */
    final double[] slopes;

    /** The change of each margin along the last direction. */
    final double[] changes;

    /** k if sums are over every k-th sample; 0 before the first sum. */
    int stride;

    Samples(LocalProblem problem) {
        this.problem = problem;
        this.data = problem.data();
        this.count = problem.samples();
        this.kinks = new Kinks((PiecewiseLinearLoss) problem.loss());
        this.margins = new double[count];
        this.multipliers = new double[count];
        this.slopes = new double[count];
        this.changes = new double[count];
    }

    /** Returns the number of samples in a sum with this stride. */
    int visits(int strideOfSum) {
        return (int) ((count + strideOfSum - 1L) / strideOfSum);
    }

    double label(int sample) {
        return data.label(problem.row(sample));
    }

    double weight(int sample) {
        return data.weight(problem.row(sample));
    }

    boolean isHeld(int sample) {
        return kinks.holds(slopes[sample], label(sample));
    }

    /** Acts on the samples of a sum, of which every {@link #stride}-th in a range is one. */
    void inSum(double numbersOfEach, Loops.Range action) {
        Loops.overRows(visits(stride), Loops.rows(numbersOfEach), (first, end) -> {
            for (int from = first; from < end; from += RUN) {
                int to = Math.min(end, from + RUN);
                action.over(from * stride, (to - 1) * stride + 1);
            }
        });
    }

    /** Computes the products of the samples of a sum with a vector. */
    void multiply(double[] vector, double[] products) {
        inSum(problem.valuesPerRow(), (from, to) -> {
            for (int j = from; j < to; j += stride) {
                products[j] = data.dot(problem.row(j), vector);
            }
        });
    }

    @Override
    public void state(State s) throws IOException {
        for (double[] values : new double[][] {margins, multipliers, slopes, changes}) {
            s.vector(values);
        }
        stride = s.number(stride);
    }
}
