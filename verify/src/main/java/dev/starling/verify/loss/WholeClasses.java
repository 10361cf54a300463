package dev.starling.verify.loss;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.apache.commons.numbers.core.DD;

/**
 * Classes that are told apart all at once without a regulariser: ln Σ_k e^η_k − η_y, where the first class has η = 0
 * and the others a block of the parameter each.
 *
 * @param classes the class of each row, from 0
 * @param scores the weights of every class, of which differences to the first count
 */
public record WholeClasses(Dataset rows, int[] classes, double[] weights, DD[][] scores) implements Whole {

    @Override
    public DD[] parameter() {
        int features = rows.features();
        DD[] theta = new DD[(scores.length - 1) * features];
        Arrays.setAll(theta, a -> scores[1 + a / features][a % features].subtract(scores[0][a % features]));
        return theta;
    }

    @Override
    public Sums at(DD[] theta) {
        int features = rows.features();
        int blocks = scores.length - 1;
        Sums sums = Sums.of(theta.length);
        DD value = DD.ZERO;
        DD total = DD.ZERO;
        for (int i = 0; i < classes.length; i++) {
            DD[] x = WholeOrder.row(rows, i);
            DD[] margins = new DD[blocks + 1];
            margins[0] = DD.ZERO;
            for (int k = 0; k < blocks; k++) {
                margins[k + 1] = WholeOrder.product(x, theta, k * features);
            }
            DD top = Arrays.stream(margins)
                    .reduce((a, b) -> DoubleDoubles.isMore(a, b) ? a : b)
                    .orElseThrow();
            DD[] p = new DD[blocks + 1];
            Arrays.setAll(p, k -> DoubleDoubles.exp(margins[k].subtract(top)));
            DD all = Arrays.stream(p).reduce(DD.ZERO, DD::add);
            value = value.add(DoubleDoubles.log(all)
                    .add(top.subtract(margins[classes[i]]))
                    .multiply(weights[i]));
            total = total.add(weights[i]);
            for (int k = 1; k <= blocks; k++) {
                DD own = p[k].divide(all);
                DD slope = (k == classes[i] ? own.subtract(1) : own).multiply(weights[i]);
                for (int a = 0; a < features; a++) {
                    int at = (k - 1) * features + a;
                    sums.gradient()[at] = sums.gradient()[at].add(slope.multiply(x[a]));
                    for (int l = 1; l <= k; l++) {
                        DD other = p[l].divide(all);
                        DD scaled = own.multiply(k == l ? DD.ONE.subtract(other) : other.negate())
                                .multiply(x[a])
                                .multiply(weights[i]);
                        for (int b = 0; b < (k == l ? a + 1 : features); b++) {
                            int to = (l - 1) * features + b;
                            sums.hessian()[at][to] = sums.hessian()[at][to].add(scaled.multiply(x[b]));
                        }
                    }
                }
            }
        }
        return sums.mean(value, total);
    }

    /** Scores of two classes differ along a direction by no more than the sum of the lengths of their rows. */
    @Override
    public double third(ToDoubleFunction<DD[]> length, double radius) {
        int features = rows.features();
        double sum = 0;
        double total = 0;
        for (int i = 0; i < classes.length; i++) {
            DD[] x = WholeOrder.row(rows, i);
            double longest = 0;
            for (int k = 0; k < scores.length - 1; k++) {
                DD[] block = Scales.zeros((scores.length - 1) * features);
                System.arraycopy(x, 0, block, k * features, features);
                longest = Math.max(longest, length.applyAsDouble(block));
            }
            double width = 2 * longest;
            sum += weights[i] * width * width * width * MOMENT;
            total += weights[i];
        }
        return sum / total;
    }

    @Override
    public double rounding() {
        return 0x1p-44 * (1 + WholeOrder.largest(rows, weights, parameter()));
    }
}
