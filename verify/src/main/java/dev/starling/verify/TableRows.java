package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.Factor;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Spread;
import dev.starling.verify.loss.Whole;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * The rows of a generalised linear model, and what a table of statistics consists of, in double-double arithmetic.
 *
 * @param weights of rows; sums are those with the weights as they were given
 * @param kept the columns that have a coefficient
 */
record TableRows(Dataset rows, double[] labels, CheckedWeights weights, int[] kept, CheckedLoss loss, Spread spread) {

    private static final double LONGEST_STEP = 2;

    private static final double FAST = 0x1p-40;

    private static final int MOST_NULL_STEPS = 300;

    /**
     * What a table consists of.
     *
     * @param covariance the inverse of the expected information; entries on and below the diagonal, as all
     * @param robust the same around squared slopes, divided by a power of 1 − h
     */
    record Sums(
            long rows,
            DD weight,
            DD loss,
            DD pearson,
            DD constant,
            double sizeOfConstant,
            DD shapeSlope,
            DD shapeInformation,
            double sizeOfShape,
            DD[][] covariance,
            DD[][] robust) {}

    private CheckedLoss.Curved bends() {
        return loss.curved().orElseThrow();
    }

    private double weight(int row) {
        return Math.scalb(weights.values()[row], weights.exponent());
    }

    private DD[] row(int index) {
        DD[] all = Scales.zeros(rows.features());
        for (int k = rows.start(index); k < rows.end(index); k++) {
            all[rows.column(index, k)] = DD.of(rows.value(index, k));
        }
        return Arrays.stream(kept).mapToObj(c -> all[c]).toArray(DD[]::new);
    }

    /** The estimate that Newton's method goes on to; empty if it finds none nearby. */
    Optional<DD[]> best(DD[] start) {
        DD[] theta = start.clone();
        double before = 0;
        for (int step = 0; step < StatedTable.MOST_STEPS; step++) {
            Whole.Sums sums = Whole.Sums.of(kept.length);
            for (int i = 0; i < labels.length; i++) {
                DD margin = Scales.margin(rows, i, theta);
                DD[] x = row(i);
                sums.slope(x, bends().slope().apply(margin, labels[i]).multiply(weight(i)));
                sums.bend(x, bends().curvature().apply(margin, labels[i]).multiply(weight(i)));
            }
            Optional<Factor> factor = Factor.of(kept.length, (a, b) -> sums.hessian()[a][b]);
            if (factor.isEmpty()) {
                return Optional.empty();
            }
            DD[] forward = factor.get().forward(sums.gradient());
            DD[] moved = factor.get().backward(forward);
            for (int a = 0; a < kept.length; a++) {
                theta[kept[a]] = theta[kept[a]].subtract(moved[a]);
            }
            // Once steps shrink that fast, the next would change nothing; or only rounding is left of them.
            double squares = Factor.squares(forward).hi();
            boolean settled = squares <= FAST * before || (step > 1 && 16 * squares >= before);
            if (squares == 0 || settled) {
                return Optional.of(theta);
            }
            before = squares;
        }
        return Optional.empty();
    }

    /** The sums at the estimate, with leverages if they are asked for. */
    Sums sums(DD[] theta, int power) {
        Whole.Sums information = Whole.Sums.of(kept.length);
        long positive = 0;
        DD total = DD.ZERO;
        DD losses = DD.ZERO;
        DD pearson = DD.ZERO;
        DD constant = DD.ZERO;
        DD shapeSlope = DD.ZERO;
        DD shapeInformation = DD.ZERO;
        double sizeOfConstant = 0;
        double sizeOfShape = 0;
        for (int i = 0; i < labels.length; i++) {
            double weight = weight(i);
            if (weight > 0) {
                positive++;
                DD margin = Scales.margin(rows, i, theta);
                DD residual = spread.mean().apply(margin).subtract(labels[i]);
                DD ofRow = spread.constant(labels[i], weight);
                DD[] shape = spread.shape(margin, labels[i]);
                total = total.add(weight);
                losses = losses.add(loss.value(margin, labels[i]).multiply(weight));
                pearson = residual.hi() == 0
                        ? pearson
                        : pearson.add(residual.square()
                                .divide(spread.variance(margin))
                                .multiply(weight));
                constant = constant.add(ofRow);
                shapeSlope = shapeSlope.add(shape[0].multiply(weight));
                shapeInformation = shapeInformation.add(shape[1].multiply(weight));
                sizeOfConstant += Math.abs(ofRow.hi()) + weight;
                sizeOfShape += weight * (Math.abs(shape[0].hi()) + Math.abs(shape[1].hi()) + 1);
                information.bend(row(i), information(margin).multiply(weight));
            }
        }
        Factor factor =
                Factor.of(kept.length, (a, b) -> information.hessian()[a][b]).orElseThrow();
        DD[][] covariance = StatedTable.inverse(factor, kept.length, 1);
        return new Sums(
                positive,
                total,
                losses,
                pearson,
                constant,
                sizeOfConstant,
                shapeSlope,
                shapeInformation,
                sizeOfShape,
                covariance,
                robust(theta, factor, power));
    }

    /** The expected curvature: (d mean/d margin)²/variance. */
    private DD information(DD margin) {
        return spread.slope().apply(margin).square().divide(spread.variance(margin));
    }

    private DD[][] robust(DD[] theta, Factor factor, int power) {
        Whole.Sums squares = Whole.Sums.of(kept.length);
        for (int i = 0; i < labels.length; i++) {
            double weight = weight(i);
            DD margin = Scales.margin(rows, i, theta);
            DD[] image = factor.forward(row(i));
            DD left = DD.ONE.subtract(
                    Factor.squares(image).multiply(information(margin)).multiply(weight));
            DD slope = bends().slope().apply(margin, labels[i]).multiply(weight);
            squares.bend(
                    factor.backward(image),
                    slope.square().divide(power == 0 ? DD.ONE : power == 1 ? left : left.square()));
        }
        return squares.hessian();
    }

    /** The deviance of the best model of an intercept and offsets only; empty if there is no best one. */
    Optional<DD> nullDeviance(boolean intercept) {
        // Rows with the same label and offset count as one.
        Map<String, double[]> alike = new LinkedHashMap<>();
        for (int i = 0; i < labels.length; i++) {
            double[] one = alike.computeIfAbsent(labels[i] + " " + rows.offset(i), any -> new double[3]);
            one[0] = labels[i];
            one[1] = rows.offset(i);
            one[2] += weight(i);
        }
        DD margin = DD.ZERO;
        for (int step = 0; intercept && step <= MOST_NULL_STEPS; step++) {
            DD slope = DD.ZERO;
            DD curvature = DD.ZERO;
            for (double[] one : alike.values()) {
                DD shifted = margin.add(one[1]);
                slope = slope.add(bends().slope().apply(shifted, one[0]).multiply(one[2]));
                curvature =
                        curvature.add(bends().curvature().apply(shifted, one[0]).multiply(one[2]));
            }
            if (slope.hi() == 0) {
                break;
            }
            DD move = slope.divide(curvature);
            boolean far =
                    !(Math.abs(move.hi()) <= LONGEST_STEP) && !spread.name().equals("squared");
            margin = margin.subtract(far ? DD.of(Math.copySign(LONGEST_STEP, slope.hi())) : move);
            double size = Math.abs(move.hi());
            if (size <= FAST * Math.abs(margin.hi()) && size <= FAST) {
                break;
            }
            if (step == MOST_NULL_STEPS) {
                return Optional.empty();
            }
        }
        DD sum = DD.ZERO;
        for (double[] one : alike.values()) {
            sum = sum.add(loss.value(margin.add(one[1]), one[0]).multiply(one[2]));
        }
        return Optional.of(sum.multiply(2));
    }
}
