package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.numbers.core.DD;

/**
 * Coordinate ascent, for problems with many features: a pass takes one step on the slope of every row, the others
 * fixed, and then updates the intercept.
 */
final class CoordinateAscent implements DualSearch {

    private static final double MOST_REACH = 0x1p100;
    private static final int HALVINGS = 60;

    private final CheckedProblem problem;
    private final SplittableRandom random = new SplittableRandom(1);
    private final double[] slopes;
    private double intercept;

    /**
     * The centre of the penalty (σ/2c)(b − centre)² on a free intercept b during steps on slopes. With it, b = centre −
     * (c/σ) Σ w s, and after each pass the centre moves to b. If kinks leave the sum of the slopes undetermined, this
     * drives it to 0.
     */
    private double centre;

    /** c, the mean square of a row. */
    private final double looseness;

    private int passes;

    CoordinateAscent(CheckedProblem problem, DD[] theta) {
        this.problem = problem;
        this.slopes = problem.slopes(theta);
        this.intercept = problem.hasIntercept() ? theta[problem.regularised()].hi() : 0;
        this.centre = intercept;
        double squares = 0;
        for (int i = 0; i < slopes.length; i++) {
            squares += squareOf(i) / slopes.length;
        }
        this.looseness = squares;
    }

    /** Makes as many passes as all before, because judging slopes takes longer than improving them. */
    @Override
    public int advance(int mostPasses) {
        int more = Math.min(mostPasses, Math.max(1, passes));
        for (int pass = 0; pass < more; pass++) {
            improve();
        }
        passes += more;
        return more;
    }

    @Override
    public double[] slopes() {
        return slopes;
    }

    @Override
    public DD[] parameter() {
        return problem.parameter(slopes, intercept);
    }

    private void improve() {
        double[] sum = problem.slopeSum(slopes);
        double sigma = problem.ridge();
        Dataset rows = problem.data();
        int bias = problem.regularised();
        for (int i : shuffled()) {
            double margin = problem.hasIntercept() ? sigma * centre - looseness * sum[bias] : 0;
            for (int k = rows.start(i); k < lastRegularised(i); k++) {
                double entry = sum[problem.column(i, k)];
                margin -= rows.value(i, k) * Math.copySign(Math.max(0, Math.abs(entry) - problem.lasso()), entry);
            }
            double square = squareOf(i) + (problem.hasIntercept() ? looseness : 0);
            double step = problem.weights()[i] * square / sigma;
            if (step > 0) {
                double better = problem.loss()
                        .proximalSlope(margin / sigma + rows.offset(i) + step * slopes[i], step, problem.labels()[i]);
                problem.addTo(sum, i, problem.weights()[i] * (better - slopes[i]));
                slopes[i] = better;
            }
        }
        if (problem.hasIntercept()) {
            centre -= looseness * sum[bias] / sigma;
            improveIntercept();
        }
    }

    private double squareOf(int row) {
        Dataset rows = problem.data();
        double square = 0;
        for (int k = rows.start(row); k < lastRegularised(row); k++) {
            square += rows.value(row, k) * rows.value(row, k);
        }
        return square;
    }

    /** The intercept's feature is the last of every row. */
    private int lastRegularised(int row) {
        return problem.data().end(row) - (problem.hasIntercept() ? 1 : 0);
    }

    /** Finds, by bisection, the intercept at which the slopes of the losses add up to 0. */
    private void improveIntercept() {
        DD[] theta = parameter();
        double[] margins = new double[slopes.length];
        Arrays.setAll(margins, i -> problem.margin(i, theta).add(-intercept).hi());
        double reach = 1;
        while (reach < MOST_REACH && slopeAt(margins, -reach) > 0 == slopeAt(margins, reach) > 0) {
            reach *= 2;
        }
        double low = -reach;
        double high = reach;
        for (int halving = 0; halving < HALVINGS; halving++) {
            double middle = (low + high) / 2;
            if (slopeAt(margins, middle) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        intercept = (low + high) / 2;
    }

    private double slopeAt(double[] margins, double shift) {
        double sum = 0;
        for (int i = 0; i < margins.length; i++) {
            sum += problem.weights()[i] * problem.loss().slope(DD.ofSum(margins[i], shift), problem.labels()[i]);
        }
        return sum;
    }

    private int[] shuffled() {
        int[] order = new int[slopes.length];
        for (int i = 0; i < order.length; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
