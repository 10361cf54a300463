package dev.starling.cli.verify;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import java.util.Arrays;

/**
 * One problem, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁, and its dual, whose points are a slope of the loss for every row.
 * Whatever the slopes are, their dual value is a lower bound on the optimum. Values are computed in double-double
 * arithmetic.
 *
 * <p>With a free intercept (one that is not regularised, whose feature is the last), slopes must add up to 0: those of
 * the sign that outweighs the other are multiplied by a common factor below 1. Their conjugates are multiplied by it
 * too, which is at least the conjugate of the scaled slope, so that the bound stays valid.
 */
final class CheckedProblem {

    /**
     * How much rounding may change the loss of a row in training, relative to margin and label, apart from the margin's
     * sum.
     */
    private static final double ROUNDING = 0x1p-50;

    private final CheckedLoss loss;
    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final DoubleDouble weight;
    /** How many weights are regularised: all, or all but the intercept. */
    private final int regularised;

    /** λ and λ₁ times the sum of the weights. */
    private final DoubleDouble ridge;

    private final DoubleDouble lasso;

    CheckedProblem(
            CheckedLoss loss,
            Dataset rows,
            double[] labels,
            double[] weights,
            double lambda,
            double l1,
            int regularised) {
        this.loss = loss;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        this.regularised = regularised;
        DoubleDouble sum = DoubleDouble.ZERO;
        for (double one : weights) {
            sum = sum.plus(one);
        }
        this.weight = sum;
        this.ridge = sum.times(lambda);
        this.lasso = sum.times(l1);
    }

    /** P(θ). */
    DoubleDouble objective(DoubleDouble[] theta) {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int i = 0; i < labels.length; i++) {
            sum = sum.plus(loss.value(margin(i, theta), labels[i]).times(weights[i]));
        }
        for (int c = 0; c < regularised; c++) {
            sum = sum.plus(ridge.times(theta[c].squared()).half()).plus(lasso.times(theta[c].abs()));
        }
        return sum.over(weight);
    }

    /**
     * How far rounding may have moved the objective that training computed in doubles.
     *
     * @param doubts how far off the margins may be for other reasons
     */
    double rounding(DoubleDouble[] theta, double[] doubts) {
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            DoubleDouble margin = margin(i, theta);
            double off = doubts[i]
                    + ROUNDING * (Math.abs(margin.high()) + Math.abs(labels[i]) + Math.abs(rows.shift(i)))
                    + 0x1p-53 * (8 + (rows.end(i) - rows.start(i)) / 4.0) * size(i, theta);
            double steepest = Math.max(
                    Math.abs(loss.slope(margin.plus(off), labels[i])),
                    Math.abs(loss.slope(margin.plus(-off), labels[i])));
            sum += weights[i] * steepest * off;
        }
        return sum / weight.high() + Checker.RESOLUTION * objective(theta).high();
    }

    /** The slopes of the loss at a parameter's margins, which are a dual point. */
    double[] slopes(DoubleDouble[] theta) {
        double[] slopes = new double[labels.length];
        Arrays.setAll(slopes, i -> loss.slope(margin(i, theta), labels[i]));
        return slopes;
    }

    CheckedLoss loss() {
        return loss;
    }

    Dataset data() {
        return rows;
    }

    double[] labels() {
        return labels;
    }

    double[] weights() {
        return weights;
    }

    /** λ times the sum of the weights of rows. */
    double ridge() {
        return ridge.high();
    }

    /** λ₁ times the sum of the weights of rows. */
    double lasso() {
        return lasso.high();
    }

    /** How many weights are regularised: all, or all but the intercept, which is the last. */
    int regularised() {
        return regularised;
    }

    /** The sum of the weights of rows. */
    double weight() {
        return weight.high();
    }

    /** How many rows there are. */
    int rows() {
        return labels.length;
    }

    boolean hasIntercept() {
        return regularised < rows.features();
    }

    /** The factors of positive and negative slopes. */
    private record Shares(DoubleDouble rising, DoubleDouble falling) {
        DoubleDouble of(double slope) {
            return slope > 0 ? rising : falling;
        }
    }

    /** Returns the factors with which slopes add up to 0 if there is a free intercept. */
    private Shares shares(double[] slopes) {
        DoubleDouble rising = DoubleDouble.ZERO;
        DoubleDouble falling = DoubleDouble.ZERO;
        for (int i = 0; hasIntercept() && i < slopes.length; i++) {
            DoubleDouble part = DoubleDouble.product(weights[i], slopes[i]);
            rising = slopes[i] > 0 ? rising.plus(part) : rising;
            falling = slopes[i] > 0 ? falling : falling.minus(part);
        }
        DoubleDouble one = DoubleDouble.ONE;
        return rising.isMoreThan(falling)
                ? new Shares(falling.over(rising), one)
                : falling.isMoreThan(rising) ? new Shares(one, rising.over(falling)) : new Shares(one, one);
    }

    /** D(s). */
    DoubleDouble dual(double[] slopes) {
        Shares shares = shares(slopes);
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int i = 0; i < slopes.length; i++) {
            // Of ℓ(m + o), the conjugate at s is ℓ*(s) − s·o.
            DoubleDouble conjugate = loss.conjugate(slopes[i], labels[i])
                    .minus(DoubleDouble.product(slopes[i], rows.shift(i)))
                    .times(weights[i]);
            sum = sum.minus(conjugate.times(shares.of(slopes[i])));
        }
        DoubleDouble[] vector = slopeSum(slopes, shares);
        if (isLasso()) {
            return sum.times(feasible(vector)).over(weight);
        }
        for (int c = 0; c < regularised; c++) {
            sum = sum.minus(beyond(vector[c]).squared().over(ridge).half());
        }
        return sum.over(weight);
    }

    /** Whether the l1 term is the only regulariser. */
    boolean isLasso() {
        return ridge.high() == 0;
    }

    /**
     * The factor of slopes and their conjugates with which no entry of their vector exceeds the slope of the l1 term.
     */
    private DoubleDouble feasible(DoubleDouble[] vector) {
        DoubleDouble scale = DoubleDouble.ONE;
        for (int c = 0; c < regularised; c++) {
            DoubleDouble most = lasso.over(vector[c].abs());
            scale = vector[c].abs().isMoreThan(lasso) && scale.isMoreThan(most) ? most : scale;
        }
        return scale.times(1 - 0x1p-52);
    }

    /** The regularised weights that belong to a dual point, with an intercept. */
    DoubleDouble[] parameter(double[] slopes, double intercept) {
        DoubleDouble[] theta = slopeSum(slopes, new Shares(DoubleDouble.ONE, DoubleDouble.ONE));
        Arrays.setAll(
                theta, c -> c < regularised ? beyond(theta[c]).over(ridge).negated() : DoubleDouble.of(intercept));
        return theta;
    }

    /** Σ w s x. */
    private DoubleDouble[] slopeSum(double[] slopes, Shares shares) {
        DoubleDouble[] sum = Scales.zeros(rows.features());
        for (int i = 0; i < slopes.length; i++) {
            DoubleDouble scaled = DoubleDouble.product(weights[i], slopes[i]).times(shares.of(slopes[i]));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int c = column(i, k);
                sum[c] = sum[c].plus(scaled.times(rows.values().at(k)));
            }
        }
        return sum;
    }

    /** Soft thresholding: moves an entry towards zero by the slope of the l1 term, but not past it. */
    private DoubleDouble beyond(DoubleDouble entry) {
        DoubleDouble size = entry.abs().minus(lasso);
        return size.isNegative() ? DoubleDouble.ZERO : entry.isNegative() ? size.negated() : size;
    }

    /** Σ w s x in doubles. */
    double[] slopeSum(double[] slopes) {
        double[] sum = new double[rows.features()];
        for (int i = 0; i < slopes.length; i++) {
            addTo(sum, i, weights[i] * slopes[i]);
        }
        return sum;
    }

    /** Adds a multiple of a row. */
    void addTo(double[] sum, int row, double multiple) {
        Values values = rows.values();
        for (int k = rows.start(row); multiple != 0 && k < rows.end(row); k++) {
            sum[column(row, k)] += multiple * values.at(k);
        }
    }

    /** The dot product of a row and a vector. */
    double product(int row, double[] vector) {
        double sum = 0;
        Values values = rows.values();
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum += vector[column(row, k)] * values.at(k);
        }
        return sum;
    }

    DoubleDouble margin(int row, DoubleDouble[] theta) {
        DoubleDouble sum = DoubleDouble.of(rows.shift(row));
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum = sum.plus(theta[column(row, k)].times(rows.values().at(k)));
        }
        return sum;
    }

    private double size(int row, DoubleDouble[] theta) {
        double sum = 0;
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum += Math.abs(theta[column(row, k)].high() * rows.values().at(k));
        }
        return sum;
    }

    int column(int row, int position) {
        return rows.isDense() ? position - rows.start(row) : rows.columns()[position];
    }
}
