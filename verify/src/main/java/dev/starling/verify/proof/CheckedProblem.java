package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Shares;
import java.util.Arrays;
import org.apache.commons.numbers.core.DD;

/**
 * One problem, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁, and its dual, whose points are a slope of the loss for every row.
 * Whatever the slopes are, their dual value is a lower bound on the optimum. Values are computed in double-double
 * arithmetic, objectives rounded up and dual values down.
 *
 * <p>With a free intercept (one that is not regularised, whose feature is the last), slopes must add up to 0: those of
 * the sign that outweighs the other are multiplied by a common factor below 1. Their conjugates are multiplied by it
 * too, which is at least the conjugate of the scaled slope, so that the bound stays valid.
 */
public final class CheckedProblem {

    /**
     * How much rounding may change the loss of a row in training, relative to margin and label, apart from the margin's
     * sum.
     */
    private static final double ROUNDING = 0x1p-50;

    /** How much finer double-doubles round than doubles, with room to spare. */
    private static final double FINER = 0x1p-45;

    private final CheckedLoss loss;
    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final DD weight;
    /** How many weights are regularised: all, or all but the intercept. */
    private final int regularised;

    /** λ and λ₁ times the sum of the weights. */
    private final DD ridge;

    private final DD lasso;

    public CheckedProblem(
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
        DD sum = DD.ZERO;
        for (double one : weights) {
            sum = sum.add(one);
        }
        this.weight = sum;
        this.ridge = sum.multiply(lambda);
        this.lasso = sum.multiply(l1);
    }

    /** P(θ), rounded up: it is increased by what rounding may have changed. */
    public DD objective(DD[] theta) {
        DD sum = DD.ZERO;
        double error = 0;
        for (int i = 0; i < labels.length; i++) {
            DD margin = margin(i, theta);
            sum = sum.add(loss.value(margin, labels[i]).multiply(weights[i]));
            error += change(i, margin, FINER * rounding(i, margin, theta))
                    + weights[i] * uncertainty(0) * loss.termsOfValue(margin.hi(), labels[i]);
        }
        for (int c = 0; c < regularised; c++) {
            sum = sum.add(ridge.multiply(theta[c].square()).scalb(-1)).add(lasso.multiply(theta[c].abs()));
        }
        return sum.add(error + uncertainty(theta.length) * sum.hi()).divide(weight);
    }

    /** Whether P(θ) is exactly 0: no row has a loss, which only some losses allow, and no weight a price. */
    public boolean isPerfect(DD[] theta) {
        if (!(loss instanceof CheckedLoss.Quadratic)) {
            return false;
        }
        boolean free = ridge.hi() == 0 && lasso.hi() == 0;
        for (int c = 0; c < regularised; c++) {
            if (!free && theta[c].hi() != 0) {
                return false;
            }
        }
        for (int i = 0; i < labels.length; i++) {
            if (weights[i] != 0 && loss.slope(margin(i, theta), labels[i]) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * How far rounding may have moved the objective that training computed in doubles.
     *
     * @param doubts how far off the margins may be for other reasons
     */
    public double rounding(DD[] theta, double[] doubts) {
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            DD margin = margin(i, theta);
            sum += change(i, margin, doubts[i] + rounding(i, margin, theta));
        }
        return sum / weight.hi() + DoubleDoubles.RESOLUTION * objective(theta).hi();
    }

    /** How far rounding to doubles may move a margin, relative to its label. */
    private double rounding(int i, DD margin, DD[] theta) {
        return ROUNDING * (Math.abs(margin.hi()) + Math.abs(labels[i]) + Math.abs(rows.offset(i)))
                + 0x1p-53 * (8 + (rows.end(i) - rows.start(i)) / 4.0) * size(i, theta);
    }

    /** How much the weighted loss of a row changes at most if its margin is off. */
    private double change(int i, DD margin, double off) {
        double steepest = Math.max(
                Math.abs(loss.slope(margin.add(off), labels[i])), Math.abs(loss.slope(margin.add(-off), labels[i])));
        return weights[i] * steepest * off;
    }

    /** The relative error of a sum over rows, or over as many terms again, of numbers that have 30 digits. */
    private double uncertainty(int more) {
        return 0x1p-96 + 0x1p-103 * (labels.length + more);
    }

    /** The slopes of the loss at a parameter's margins, which are a dual point. */
    double[] slopes(DD[] theta) {
        double[] slopes = new double[labels.length];
        Arrays.setAll(slopes, i -> loss.slope(margin(i, theta), labels[i]));
        return slopes;
    }

    CheckedLoss loss() {
        return loss;
    }

    public Dataset data() {
        return rows;
    }

    public double[] labels() {
        return labels;
    }

    public double[] weights() {
        return weights;
    }

    /** λ times the sum of the weights of rows. */
    double ridge() {
        return ridge.hi();
    }

    /** λ₁ times the sum of the weights of rows. */
    double lasso() {
        return lasso.hi();
    }

    /** How many weights are regularised: all, or all but the intercept, which is the last. */
    public int regularised() {
        return regularised;
    }

    /** The sum of the weights of rows. */
    public double weight() {
        return weight.hi();
    }

    /** How many rows there are. */
    public int rows() {
        return labels.length;
    }

    boolean hasIntercept() {
        return regularised < rows.features();
    }

    /** The factors of positive and negative slopes. */
    private record Shares(DD rising, DD falling) {
        DD of(double slope) {
            return slope > 0 ? rising : falling;
        }
    }

    /** Returns the factors with which slopes add up to 0 if there is a free intercept. */
    private Shares shares(double[] slopes) {
        DD rising = DD.ZERO;
        DD falling = DD.ZERO;
        for (int i = 0; hasIntercept() && i < slopes.length; i++) {
            DD part = DD.ofProduct(weights[i], slopes[i]);
            rising = slopes[i] > 0 ? rising.add(part) : rising;
            falling = slopes[i] > 0 ? falling : falling.subtract(part);
        }
        DD one = DD.ONE;
        return DoubleDoubles.isMore(rising, falling)
                ? new Shares(falling.divide(rising), one)
                : DoubleDoubles.isMore(falling, rising)
                        ? new Shares(one, rising.divide(falling))
                        : new Shares(one, one);
    }

    /** D(s), rounded down: it is decreased by what rounding may have changed. */
    DD dual(double[] slopes) {
        Shares shares = shares(slopes);
        DD sum = DD.ZERO;
        double size = 0;
        for (int i = 0; i < slopes.length; i++) {
            // Of ℓ(m + o), the conjugate at s is ℓ*(s) − s·o.
            DD conjugate = loss.conjugate(slopes[i], labels[i])
                    .subtract(DD.ofProduct(slopes[i], rows.offset(i)))
                    .multiply(weights[i]);
            sum = sum.subtract(conjugate.multiply(shares.of(slopes[i])));
            double terms = loss.termsOfConjugate(slopes[i], labels[i]) + Math.abs(slopes[i] * rows.offset(i));
            size += Math.abs(conjugate.hi()) + weights[i] * terms;
        }
        sum = sum.add(-uncertainty(0) * size);
        DD[] vector = largest(slopeSum(slopes, shares), slopes);
        if (isLasso()) {
            return sum.multiply(feasible(vector)).divide(weight);
        }
        for (int c = 0; c < regularised; c++) {
            sum = sum.subtract(beyond(vector[c]).square().divide(ridge).scalb(-1));
        }
        return sum.divide(weight);
    }

    /** The sizes of the entries of Σ w s x, each increased by what rounding may have changed. */
    private DD[] largest(DD[] vector, double[] slopes) {
        double[] sizes = new double[vector.length];
        for (int i = 0; i < slopes.length; i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                sizes[column(i, k)] += Math.abs(weights[i] * slopes[i] * rows.value(i, k));
            }
        }
        DD[] largest = new DD[vector.length];
        Arrays.setAll(largest, c -> vector[c].abs().add(uncertainty(0) * sizes[c]));
        return largest;
    }

    /** Whether the l1 term is the only regulariser. */
    boolean isLasso() {
        return ridge.hi() == 0;
    }

    /**
     * The factor of slopes and their conjugates with which no entry of their vector, whose sizes are given, exceeds the
     * slope of the l1 term.
     */
    private DD feasible(DD[] vector) {
        DD scale = DD.ONE;
        for (int c = 0; c < regularised; c++) {
            DD most = lasso.divide(vector[c]);
            scale = DoubleDoubles.isMore(vector[c], lasso) && DoubleDoubles.isMore(scale, most) ? most : scale;
        }
        return scale.multiply(1 - 0x1p-52);
    }

    /** The regularised weights that belong to a dual point, with an intercept. */
    DD[] parameter(double[] slopes, double intercept) {
        DD[] theta = slopeSum(slopes, new Shares(DD.ONE, DD.ONE));
        Arrays.setAll(
                theta, c -> c < regularised ? beyond(theta[c]).divide(ridge).negate() : DD.of(intercept));
        return theta;
    }

    /** Σ w s x. */
    private DD[] slopeSum(double[] slopes, Shares shares) {
        DD[] sum = Scales.zeros(rows.features());
        for (int i = 0; i < slopes.length; i++) {
            DD scaled = DD.ofProduct(weights[i], slopes[i]).multiply(shares.of(slopes[i]));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int c = column(i, k);
                sum[c] = sum[c].add(scaled.multiply(rows.value(i, k)));
            }
        }
        return sum;
    }

    /** Soft thresholding: moves an entry towards zero by the slope of the l1 term, but not past it. */
    private DD beyond(DD entry) {
        DD size = entry.abs().subtract(lasso);
        return DoubleDoubles.isNegative(size) ? DD.ZERO : DoubleDoubles.isNegative(entry) ? size.negate() : size;
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
        Values values = rows.values(row);
        for (int k = rows.start(row); multiple != 0 && k < rows.end(row); k++) {
            sum[column(row, k)] += multiple * values.at(k);
        }
    }

    /** The dot product of a row and a vector. */
    double product(int row, double[] vector) {
        double sum = 0;
        Values values = rows.values(row);
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum += vector[column(row, k)] * values.at(k);
        }
        return sum;
    }

    DD margin(int row, DD[] theta) {
        return Scales.margin(rows, row, theta);
    }

    private double size(int row, DD[] theta) {
        double sum = 0;
        for (int k = rows.start(row); k < rows.end(row); k++) {
            sum += Math.abs(theta[column(row, k)].hi() * rows.value(row, k));
        }
        return sum;
    }

    int column(int row, int position) {
        return rows.column(row, position);
    }
}
