package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import java.util.Arrays;
import org.apache.commons.numbers.core.DD;

/**
 * The problem of classes that are told apart all at once, mean (ln Σ_k e^η_k − η_y) + (λ/2) Σ_k ‖θ_k‖² + λ₁ Σ_k ‖θ_k‖₁,
 * and its dual, whose points are a probability of every class for each row: their value is the mean entropy less
 * ‖soft(v, λ₁)‖²/(2λ), where v is the mean of (p − e_y) xᵀ and soft makes all entries smaller by λ₁, or 0. Without λ no
 * entry may exceed λ₁. Intercepts that are not regularised require that every class is as probable as it is frequent.
 * Values are computed in double-double arithmetic.
 */
public final class JointClasses {

    /** How much rounding may change the loss of a row in training, relative to its margins. */
    private static final double ROUNDING = 0x1p-50;

    private final Dataset rows;
    private final int[] classes;
    private final double[] weights;
    private final double lambda;
    private final double l1;
    private final int regularised;
    private final DD weight;

    /**
     * Creates the problem.
     *
     * @param classes the class of each row, from 0
     * @param weights the weight of each row
     * @param regularised the number of features whose weights are regularised: all, or all but the last one
     */
    public JointClasses(Dataset rows, int[] classes, double[] weights, double lambda, double l1, int regularised) {
        this.rows = rows;
        this.classes = classes;
        this.weights = weights;
        this.lambda = lambda;
        this.l1 = l1;
        this.regularised = regularised;
        this.weight = Arrays.stream(weights).mapToObj(DD::of).reduce(DD.ZERO, DD::add);
    }

    /** P(θ). */
    public DD objective(DD[][] theta) {
        DD sum = DD.ZERO;
        for (int i = 0; i < classes.length; i++) {
            DD[] margins = margins(i, theta);
            DD top = largest(margins);
            DD total = DD.ZERO;
            for (DD margin : margins) {
                total = total.add(DoubleDoubles.exp(margin.subtract(top)));
            }
            DD loss = DoubleDoubles.log(total).add(top.subtract(margins[classes[i]]));
            sum = sum.add(loss.multiply(weights[i]));
        }
        DD norm = DD.ZERO;
        DD length = DD.ZERO;
        for (DD[] block : theta) {
            for (int c = 0; c < regularised; c++) {
                norm = norm.add(block[c].square());
                length = length.add(block[c].abs());
            }
        }
        return sum.divide(weight).add(norm.multiply(lambda).scalb(-1)).add(length.multiply(l1));
    }

    /** The value of a dual point that follows from the probabilities at a parameter. */
    public DD dual(DD[][] theta) {
        DD[] mix = new DD[theta.length];
        DD part = regularised < theta[0].length ? balancing(theta, mix) : DD.ZERO;
        Point point = point(theta, part, mix, DD.ONE);
        if (lambda == 0) {
            DD largest = DD.ZERO;
            for (DD[] block : point.slopes) {
                for (int c = 0; c < regularised; c++) {
                    largest = DoubleDoubles.isMore(block[c].abs(), largest) ? block[c].abs() : largest;
                }
            }
            return DoubleDoubles.isMore(largest, DD.of(l1))
                    ? point(theta, part, mix, DD.of(l1).divide(largest)).entropy
                    : point.entropy;
        }
        DD norm = DD.ZERO;
        for (DD[] block : point.slopes) {
            for (int c = 0; c < regularised; c++) {
                DD beyond = block[c].abs().subtract(DD.of(l1));
                norm = DoubleDoubles.isNegative(beyond) ? norm : norm.add(beyond.square());
            }
        }
        return point.entropy.subtract(norm.divide(DD.of(lambda)).scalb(-1));
    }

    /**
     * Finds the least part of every row's probabilities to replace, and by what, so that every class becomes as
     * probable as it is frequent.
     *
     * @param mix where to put the replacement
     */
    private DD balancing(DD[][] theta, DD[] mix) {
        DD[] likely = new DD[mix.length];
        DD[] frequent = new DD[mix.length];
        Arrays.fill(likely, DD.ZERO);
        Arrays.fill(frequent, DD.ZERO);
        for (int i = 0; i < classes.length; i++) {
            DD[] p = probabilities(margins(i, theta), classes[i]);
            for (int k = 0; k < p.length; k++) {
                likely[k] = likely[k].add(p[k].multiply(weights[i]));
            }
            frequent[classes[i]] = frequent[classes[i]].add(weights[i]);
        }
        DD part = DD.ZERO;
        for (int k = 0; k < mix.length; k++) {
            DD needed = likely[k].subtract(frequent[k]).divide(likely[k]);
            part = DoubleDoubles.isMore(needed, part) ? needed : part;
        }
        for (int k = 0; k < mix.length; k++) {
            DD left = frequent[k].subtract(likely[k].multiply(DD.ONE.subtract(part)));
            mix[k] = part.hi() > 0 && !DoubleDoubles.isNegative(left) ? left.divide(weight.multiply(part)) : DD.ZERO;
        }
        return part;
    }

    /** The mean entropy of probabilities, and v. */
    private record Point(DD entropy, DD[][] slopes) {}

    /**
     * The values of (1 − part) p + part · mix, moved towards certainty of each row's own class.
     *
     * @param kept how much of it is kept
     */
    private Point point(DD[][] theta, DD part, DD[] mix, DD kept) {
        DD entropy = DD.ZERO;
        DD[][] slopes = new DD[theta.length][theta[0].length];
        for (DD[] block : slopes) {
            Arrays.fill(block, DD.ZERO);
        }
        for (int i = 0; i < classes.length; i++) {
            DD[] p = probabilities(margins(i, theta), classes[i]);
            DD others = DD.ZERO;
            for (int k = 0; k < p.length; k++) {
                DD mixed = part.hi() > 0 ? p[k].multiply(DD.ONE.subtract(part)).add(mix[k].multiply(part)) : p[k];
                p[k] = mixed.multiply(kept);
                others = k == classes[i] ? others : others.add(p[k]);
            }
            p[classes[i]] = DD.ONE.subtract(others);
            for (int k = 0; k < p.length; k++) {
                if (p[k].hi() > 0) {
                    entropy = entropy.subtract(
                            p[k].multiply(DoubleDoubles.log(p[k])).multiply(weights[i]));
                }
                DD slope = (k == classes[i] ? others.negate() : p[k]).multiply(weights[i]);
                for (int at = rows.start(i); at < rows.end(i); at++) {
                    int column = rows.column(i, at);
                    slopes[k][column] = slopes[k][column].add(slope.multiply(rows.value(i, at)));
                }
            }
        }
        for (DD[] block : slopes) {
            Arrays.setAll(block, c -> block[c].divide(weight));
        }
        return new Point(entropy.divide(weight), slopes);
    }

    /** Probabilities that add up to 1: that of the row's own class is what the others leave. */
    private static DD[] probabilities(DD[] margins, int own) {
        DD top = largest(margins);
        DD[] p = new DD[margins.length];
        Arrays.setAll(p, k -> DoubleDoubles.exp(margins[k].subtract(top)));
        DD total = Arrays.stream(p).reduce(DD.ZERO, DD::add);
        DD others = DD.ZERO;
        for (int k = 0; k < p.length; k++) {
            p[k] = p[k].divide(total);
            others = k == own ? others : others.add(p[k]);
        }
        DD rest = DD.ONE.subtract(others);
        p[own] = DoubleDoubles.isNegative(rest) ? DD.ZERO : rest;
        return p;
    }

    /**
     * How far rounding may have moved the objective that training computed in doubles. The slopes of a row add up to at
     * most 2, without their signs.
     *
     * @param doubts how far off the margins may be for other reasons
     */
    public double rounding(DD[][] theta, double[] doubts) {
        double sum = 0;
        for (int i = 0; i < classes.length; i++) {
            double size = 0;
            for (DD[] block : theta) {
                double own = 0;
                for (int at = rows.start(i); at < rows.end(i); at++) {
                    own += Math.abs(block[rows.column(i, at)].hi() * rows.value(i, at));
                }
                size = Math.max(size, own);
            }
            double products = 0x1p-53 * (8 + (rows.end(i) - rows.start(i)) / 4.0) * size;
            sum += 2 * weights[i] * (doubts[i] + ROUNDING * size + products);
        }
        return sum / weight.hi() + DoubleDoubles.RESOLUTION * objective(theta).hi();
    }

    private DD[] margins(int row, DD[][] theta) {
        DD[] margins = new DD[theta.length];
        Arrays.setAll(margins, k -> Scales.margin(rows, row, theta[k]));
        return margins;
    }

    private static DD largest(DD[] values) {
        DD largest = values[0];
        for (DD value : values) {
            largest = DoubleDoubles.isMore(value, largest) ? value : largest;
        }
        return largest;
    }
}
