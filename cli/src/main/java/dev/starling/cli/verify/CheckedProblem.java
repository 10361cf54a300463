package dev.starling.cli.verify;

import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One problem, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁, with a dual point: a slope of the loss for every row. Whatever the
 * slopes are, their dual value is a lower bound on the optimum; values are computed in double-double arithmetic, while
 * the slopes themselves are looked for in plain doubles.
 *
 * <p>Where the last feature is that of an intercept which is not regularised, slopes must add up to 0: those of the
 * heavier sign count for less, all by one factor, and so do their conjugates, which is no less than they are.
 */
final class CheckedProblem {

    /** How far off training's loss of a row may be, relative to margin and label, apart from the margin's sum. */
    private static final double ROUNDING = 0x1p-50;

    private static final double MOST_REACH = 0x1p100;
    private static final int HALVINGS = 60;

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
    private final double[] slopes;
    private double intercept;

    /**
     * A free intercept as the steps on slopes have it: kept near this by a price of (σ/2c)(b − centre)², it is centre −
     * (c/σ) Σ w s, and the centre follows it. Where kinks leave it open what slopes add up to, that makes it 0.
     */
    private double centre;

    /** c, the mean square of a row. */
    private final double looseness;

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
        this.slopes = new double[labels.length];
        double squares = 0;
        for (int i = 0; i < labels.length; i++) {
            for (int k = rows.start(i); k < lastRegularised(i); k++) {
                squares += (double) rows.values()[k] * rows.values()[k] / labels.length;
            }
        }
        this.looseness = squares;
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
     * @param doubts what the margins may be wrong by for other reasons
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

    /** Takes the slopes at a parameter's margins for the dual point. */
    void start(DoubleDouble[] theta) {
        Arrays.setAll(slopes, i -> loss.slope(margin(i, theta), labels[i]));
        intercept = hasIntercept() ? theta[regularised].high() : 0;
        centre = intercept;
    }

    /** The sum of the weights of rows. */
    double weight() {
        return weight.high();
    }

    /** How many rows there are. */
    int rows() {
        return labels.length;
    }

    private boolean hasIntercept() {
        return regularised < rows.features();
    }

    /** What slopes count for. */
    private record Shares(DoubleDouble rising, DoubleDouble falling) {
        DoubleDouble of(double slope) {
            return slope > 0 ? rising : falling;
        }
    }

    /** Such that slopes add up to 0 where there is a free intercept. */
    private Shares shares() {
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
    DoubleDouble dual() {
        Shares shares = shares();
        DoubleDouble sum = DoubleDouble.ZERO;
        for (int i = 0; i < slopes.length; i++) {
            // Of ℓ(m + o), the conjugate at s is ℓ*(s) − s·o.
            DoubleDouble conjugate = loss.conjugate(slopes[i], labels[i])
                    .minus(DoubleDouble.product(slopes[i], rows.shift(i)))
                    .times(weights[i]);
            sum = sum.minus(conjugate.times(shares.of(slopes[i])));
        }
        DoubleDouble[] vector = slopeSum(shares);
        if (isLasso()) {
            return sum.times(feasible(vector)).over(weight);
        }
        for (int c = 0; c < regularised; c++) {
            sum = sum.minus(beyond(vector[c]).squared().over(ridge).half());
        }
        return sum.over(weight);
    }

    /** Whether nothing but the l1 term regularises: then no dual point but the first is looked for. */
    boolean isLasso() {
        return ridge.high() == 0;
    }

    /**
     * The scale of slopes, and of their conjugates, with which no entry of their vector is beyond the l1 term's slope.
     */
    private DoubleDouble feasible(DoubleDouble[] vector) {
        DoubleDouble scale = DoubleDouble.ONE;
        for (int c = 0; c < regularised; c++) {
            DoubleDouble most = lasso.over(vector[c].abs());
            scale = vector[c].abs().isMoreThan(lasso) && scale.isMoreThan(most) ? most : scale;
        }
        return scale.times(1 - 0x1p-52);
    }

    /** The parameter that belongs to the dual point: its objective is an upper bound on the optimum. */
    DoubleDouble[] parameter() {
        DoubleDouble[] theta = slopeSum(new Shares(DoubleDouble.ONE, DoubleDouble.ONE));
        Arrays.setAll(
                theta, c -> c < regularised ? beyond(theta[c]).over(ridge).negated() : DoubleDouble.of(intercept));
        return theta;
    }

    /** Σ w s x. */
    private DoubleDouble[] slopeSum(Shares shares) {
        DoubleDouble[] sum = Scales.zeros(rows.features());
        for (int i = 0; i < slopes.length; i++) {
            DoubleDouble scaled = DoubleDouble.product(weights[i], slopes[i]).times(shares.of(slopes[i]));
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

    /**
     * Betters the dual point: one step on the slope of every row, in random order, all others held; then a free
     * intercept.
     */
    void improve(SplittableRandom random) {
        double[] sum = Arrays.stream(slopeSum(new Shares(DoubleDouble.ONE, DoubleDouble.ONE)))
                .mapToDouble(DoubleDouble::high)
                .toArray();
        double sigma = ridge.high();
        double kept = lasso.high();
        float[] values = rows.values();
        for (int i : shuffled(random)) {
            double margin = hasIntercept() ? sigma * centre - looseness * sum[regularised] : 0;
            double square = hasIntercept() ? looseness : 0;
            for (int k = rows.start(i); k < lastRegularised(i); k++) {
                double entry = sum[column(i, k)];
                margin -= values[k] * Math.copySign(Math.max(0, Math.abs(entry) - kept), entry);
                square += (double) values[k] * values[k];
            }
            double step = weights[i] * square / sigma;
            if (step > 0) {
                double better = loss.proximalSlope(margin / sigma + rows.shift(i) + step * slopes[i], step, labels[i]);
                double move = weights[i] * (better - slopes[i]);
                slopes[i] = better;
                for (int k = rows.start(i); k < rows.end(i); k++) {
                    sum[column(i, k)] += move * values[k];
                }
            }
        }
        if (hasIntercept()) {
            centre -= looseness * sum[regularised] / sigma;
            improveIntercept();
        }
    }

    /** The intercept's feature is the last of every row. */
    private int lastRegularised(int row) {
        return hasIntercept() ? rows.end(row) - 1 : rows.end(row);
    }

    /** Where the losses' slopes add up to 0, found by halving. */
    private void improveIntercept() {
        DoubleDouble[] theta = parameter();
        double[] margins = new double[labels.length];
        Arrays.setAll(margins, i -> margin(i, theta).plus(-intercept).high());
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
            sum += weights[i] * loss.slope(DoubleDouble.sum(margins[i], shift), labels[i]);
        }
        return sum;
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
        DoubleDouble sum = DoubleDouble.of(rows.shift(row));
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
