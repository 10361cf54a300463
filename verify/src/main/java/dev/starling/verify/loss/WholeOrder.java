package dev.starling.verify.loss;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.apache.commons.numbers.core.DD;

/**
 * Classes in an order, by proportional odds: minus the logarithm of F(ζ_y − η) − F(ζ_{y−1} − η), with F the logistic
 * function and η = xᵀβ. It is log(1 + e^(η − ζ_y)) + log(1 + e^(ζ_{y−1} − η)) − log(1 − e^(ζ_{y−1} − ζ_y)). The
 * parameter is β, then the thresholds ζ.
 *
 * @param classes the class of each row, from 0
 * @param beta β
 * @param thresholds ζ
 */
public record WholeOrder(Dataset rows, int[] classes, double[] weights, DD[] beta, DD[] thresholds) implements Whole {

    static DD[] row(Dataset rows, int index) {
        DD[] x = Scales.zeros(rows.features());
        for (int k = rows.start(index); k < rows.end(index); k++) {
            int c = rows.column(index, k);
            x[c] = DD.of(rows.value(index, k));
        }
        return x;
    }

    static DD product(DD[] x, DD[] theta, int from) {
        DD sum = DD.ZERO;
        for (int c = 0; c < x.length; c++) {
            sum = x[c].hi() == 0 ? sum : sum.add(x[c].multiply(theta[from + c]));
        }
        return sum;
    }

    /** The mean size of what is added up in a score. */
    static double largest(Dataset rows, double[] weights, DD[] theta) {
        double largest = 0;
        for (DD entry : theta) {
            largest = Math.max(largest, Math.abs(entry.hi()));
        }
        double sum = 0;
        double total = 0;
        for (int i = 0; i < weights.length; i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                sum += weights[i] * largest * Math.abs(rows.value(i, k));
            }
            sum += weights[i] * Math.abs(rows.offset(i));
            total += weights[i];
        }
        return sum / total;
    }

    @Override
    public DD[] parameter() {
        DD[] theta = Arrays.copyOf(beta, beta.length + thresholds.length);
        System.arraycopy(thresholds, 0, theta, beta.length, thresholds.length);
        return theta;
    }

    /** The direction in the parameter of ζ_c − η. */
    private DD[] direction(DD[] x, int c) {
        DD[] direction = Scales.zeros(beta.length + thresholds.length);
        for (int a = 0; a < beta.length; a++) {
            direction[a] = x[a].negate();
        }
        direction[beta.length + c] = DD.ONE;
        return direction;
    }

    private DD[] between(int c) {
        DD[] direction = Scales.zeros(beta.length + thresholds.length);
        direction[beta.length + c] = DD.ONE;
        direction[beta.length + c - 1] = DD.ONE.negate();
        return direction;
    }

    @Override
    public Sums at(DD[] theta) {
        Sums sums = Sums.of(theta.length);
        DD value = DD.ZERO;
        DD total = DD.ZERO;
        DD[] weightOf = Scales.zeros(thresholds.length + 1);
        for (int i = 0; i < classes.length; i++) {
            DD[] x = row(rows, i);
            DD score = product(x, theta, 0).add(rows.offset(i));
            total = total.add(weights[i]);
            int own = classes[i];
            weightOf[own] = weightOf[own].add(weights[i]);
            for (int side = 0; side < 2; side++) {
                int c = own - side;
                if (c >= 0 && c < thresholds.length) {
                    // Of the threshold above, log(1 + e^−z); of the one below, log(1 + e^z).
                    DD z = theta[beta.length + c].subtract(score);
                    DD away = side == 0 ? z.negate() : z;
                    DD e = DoubleDoubles.exp(away.abs().negate());
                    DD small = DoubleDoubles.log1p(e);
                    DD one = DD.ONE.divide(DD.ONE.add(e));
                    DD chance = DoubleDoubles.isNegative(away) ? e.multiply(one) : one;
                    value = value.add((DoubleDoubles.isNegative(away) ? small : small.add(away)).multiply(weights[i]));
                    DD[] direction = direction(x, c);
                    sums.slope(direction, (side == 0 ? chance.negate() : chance).multiply(weights[i]));
                    sums.bend(direction, e.multiply(one).multiply(one).multiply(weights[i]));
                }
            }
        }
        for (int c = 1; c < thresholds.length; c++) {
            DD e = DoubleDoubles.exp(theta[beta.length + c - 1].subtract(theta[beta.length + c]));
            DD rest = DD.ONE.subtract(e);
            value = value.subtract(DoubleDoubles.log(rest).multiply(weightOf[c]));
            sums.slope(between(c), e.divide(rest).negate().multiply(weightOf[c]));
            sums.bend(between(c), e.divide(rest.square()).multiply(weightOf[c]));
        }
        return sums.mean(value, total);
    }

    /** Of −log(1 − e^−t), the third derivative is e^−t (1 + e^−t)/(1 − e^−t)³ and falls with t. */
    @Override
    public double third(ToDoubleFunction<DD[]> length, double radius) {
        double sum = 0;
        double total = 0;
        double[] weightOf = new double[thresholds.length + 1];
        for (int i = 0; i < classes.length; i++) {
            DD[] x = row(rows, i);
            weightOf[classes[i]] += weights[i];
            total += weights[i];
            for (int c = Math.max(0, classes[i] - 1); c <= Math.min(classes[i], thresholds.length - 1); c++) {
                double own = length.applyAsDouble(direction(x, c));
                sum += weights[i] * own * own * own * MOMENT;
            }
        }
        for (int c = 1; c < thresholds.length; c++) {
            double own = length.applyAsDouble(between(c));
            double least = thresholds[c].subtract(thresholds[c - 1]).hi() - radius * own;
            double e = StrictMath.exp(-least);
            double rest = -StrictMath.expm1(-least);
            sum += least > 0
                    ? weightOf[c] * own * own * own * e * (1 + e) / (rest * rest * rest)
                    : Double.POSITIVE_INFINITY;
        }
        return sum / total;
    }

    @Override
    public double rounding() {
        return 0x1p-44 * (1 + largest(rows, weights, parameter()));
    }
}
