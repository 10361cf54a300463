package dev.starling.cli.verify;

import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One problem, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁, with a dual point: a slope of the loss for every row. Whatever the
 * slopes are, their dual value is a lower bound on the optimum; values are computed in double-double arithmetic, while
 * the slopes themselves are looked for in plain doubles.
 */
final class CheckedProblem {

    /** How far off training's loss of a row may be, relative to margin and label, apart from the margin's sum. */
    private static final double ROUNDING = 0x1p-50;

    private final CheckedLoss loss;
    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final DoubleDouble weight;
    /** λ and λ₁ times the sum of the weights. */
    private final DoubleDouble ridge;

    private final DoubleDouble lasso;
    private final double[] slopes;

    CheckedProblem(CheckedLoss loss, Dataset rows, double[] labels, double[] weights, double lambda, double l1) {
        this.loss = loss;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        DoubleDouble sum = DoubleDouble.ZERO;
        for (double one : weights) {
            sum = sum.plus(one);
        }
        this.weight = sum;
        this.ridge = sum.times(lambda);
        this.lasso = sum.times(l1);
        this.slopes = new double[labels.length];
    }

    /** P(θ). */
    DoubleDouble objective(DoubleDouble[] theta) {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int i = 0; i < labels.length; i++) {
            sum = sum.plus(loss.value(margin(i, theta), labels[i]).times(weights[i]));
        }
        for (DoubleDouble entry : theta) {
            sum = sum.plus(ridge.times(entry.squared()).half()).plus(lasso.times(entry.abs()));
        }
        return sum.over(weight);
    }

    /**
     * How far rounding may have moved the objective that training computed in doubles.
     *
     * @param doubts what the margins may be wrong by for other reasons
     */
    double rounding(DoubleDouble[] theta, double[] doubts) {
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            DoubleDouble margin = margin(i, theta);
            double off = doubts[i]
                    + ROUNDING * (Math.abs(margin.high()) + Math.abs(labels[i]))
                    + 0x1p-53 * (8 + (rows.end(i) - rows.start(i)) / 4.0) * size(i, theta);
            double steepest = Math.max(
                    Math.abs(loss.slope(margin.plus(off), labels[i])),
                    Math.abs(loss.slope(margin.plus(-off), labels[i])));
            sum += weights[i] * steepest * off;
        }
        return sum / weight.high() + Checker.RESOLUTION * objective(theta).high();
    }

    /** Takes the slopes at a parameter's margins for the dual point. */
    void start(DoubleDouble[] theta) {
        Arrays.setAll(slopes, i -> loss.slope(margin(i, theta), labels[i]));
    }

    /** D(s). */
    DoubleDouble dual() {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int i = 0; i < slopes.length; i++) {
            sum = sum.minus(loss.conjugate(slopes[i], labels[i]).times(weights[i]));
        }
        for (DoubleDouble entry : slopeSum()) {
            DoubleDouble beyond = beyond(entry);
            sum = sum.minus(beyond.squared().over(ridge).half());
        }
        return sum.over(weight);
    }

    /** The parameter that belongs to the dual point: its objective is an upper bound on the optimum. */
    DoubleDouble[] parameter() {
        return Arrays.stream(slopeSum())
                .map(entry -> beyond(entry).over(ridge).negated())
                .toArray(DoubleDouble[]::new);
    }

    /** Σ w s x. */
    private DoubleDouble[] slopeSum() {
        DoubleDouble[] sum = Scales.zeros(rows.features());
        for (int i = 0; i < slopes.length; i++) {
            DoubleDouble scaled = DoubleDouble.product(weights[i], slopes[i]);
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int c = column(i, k);
                sum[c] = sum[c].plus(scaled.times(rows.values()[k]));
            }
        }
        return sum;
    }

    /** An entry moved towards zero by the l1 term's slope, and zero on the way. */
    private DoubleDouble beyond(DoubleDouble entry) {
        DoubleDouble size = entry.abs().minus(lasso);
        return size.isNegative() ? DoubleDouble.ZERO : entry.isNegative() ? size.negated() : size;
    }

    /** Betters the dual point: one step on the slope of every row, in random order, all others held. */
    void improve(SplittableRandom random) {
        double[] sum = Arrays.stream(slopeSum()).mapToDouble(DoubleDouble::high).toArray();
        double sigma = ridge.high();
        double kept = lasso.high();
        float[] values = rows.values();
        for (int i : shuffled(random)) {
            double margin = 0;
            double square = 0;
            for (int k = rows.start(i); k < rows.end(i); k++) {
                double entry = sum[column(i, k)];
                margin -= values[k] * Math.copySign(Math.max(0, Math.abs(entry) - kept), entry);
                square += (double) values[k] * values[k];
            }
            double step = weights[i] * square / sigma;
            if (step > 0) {
                double better = loss.proximalSlope(margin / sigma + step * slopes[i], step, labels[i]);
                double move = weights[i] * (better - slopes[i]);
                slopes[i] = better;
                for (int k = rows.start(i); k < rows.end(i); k++) {
                    sum[column(i, k)] += move * values[k];
                }
            }
        }
    }

    private int[] shuffled(SplittableRandom random) {
        int[] order = new int[slopes.length];
        for (int i = 0; i < order.length; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    private DoubleDouble margin(int row, DoubleDouble[] theta) {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum = sum.plus(theta[column(row, k)].times(rows.values()[k]));
        }
        return sum;
    }

    private double size(int row, DoubleDouble[] theta) {
        double sum = 0;
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum += Math.abs(theta[column(row, k)].high() * rows.values()[k]);
        }
        return sum;
    }

    private int column(int row, int position) {
        return rows.isDense() ? position - rows.start(row) : rows.columns()[position];
    }
}
