package dev.starling.loss;

import java.util.Optional;

/** ℓ(u; y) = log(1 + e^(−yu)), y = ±1: logistic regression. */
public record Logistic() implements MarginLoss, Likelihood {

    /** The largest Newton step for which the series below are exact up to rounding: 2 · (1/1024)⁵ ≈ 2e-15. */
    private static final double SERIES_EXACT = 0x1p-10;

    /** The largest Newton step for which the series gives a better step than Newton's. */
    private static final double SERIES_USEFUL = 0.5;

    /** The largest first Newton step after which the series nearly always lands within SERIES_EXACT of the root. */
    private static final double START_USEFUL = 1;

    /**
     * The smallest mean loss for which rounding each 1 + e and their product is no worse than rounding the sum of a
     * block.
     */
    private static final double PRODUCT_EXACT = 0x1p-7;

    private static final double LN2_BY_2_52 = 0x1.62e42fefa39efp-53;
    private static final long ONE_BITS = 0x3ff0000000000000L;

    @Override
    public String name() {
        return "logistic";
    }

    @Override
    public Optional<Loss> together() {
        return Optional.of(new Softmax());
    }

    @Override
    public double value(double margin, double label) {
        return Elementary.softplus(-label * margin);
    }

    @Override
    public double derivative(double margin, double label) {
        return -label * Elementary.sigmoid(-label * margin);
    }

    @Override
    public double curvature(double margin, double label) {
        double e = Elementary.exp(-Math.abs(margin));
        return e / ((1 + e) * (1 + e));
    }

    /**
     * One exponential e = e^−|u| and one division per sample give all three results. The logarithms of 1 + e are added
     * up as the logarithm of their product, which cannot overflow in a block. If they are so small that the rounding of
     * 1 + e matters, they are computed one by one.
     */
    @Override
    public double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        if (weights != null) {
            return MarginLoss.super.evaluate(count, margins, labels, weights, slopes, curvatures);
        }
        double product = 1;
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double label = labels[k];
            double z = -label * margins[k];
            double e = Elementary.exp(-Math.abs(z));
            double q = 1 / (1 + e);
            double p = z > 0 ? 1 : e;
            slopes[k] = -label * (p * q);
            curvatures[k] = e * (q * q);
            product *= 1 + e;
            sum += Math.max(z, 0);
        }
        double total = sum + Elementary.log(product);
        return total < PRODUCT_EXACT * count ? sumOfValues(count, margins, labels) : total;
    }

    private double sumOfValues(int count, double[] margins, double[] labels) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            sum += value(margins[k], labels[k]);
        }
        return sum;
    }

    @Override
    public boolean isClassification() {
        return true;
    }

    @Override
    public String family() {
        return "binomial";
    }

    @Override
    public double response(double label) {
        return (label + 1) / 2;
    }

    @Override
    public double variance(double mean) {
        return mean * (1 - mean);
    }

    @Override
    public double varianceSlope(double mean) {
        return 1 - 2 * mean;
    }

    @Override
    public Link link() {
        return Link.LOGIT;
    }

    @Override
    public double smoothness() {
        return 0.25;
    }

    /** ℓ'' falls on both sides of 0. */
    @Override
    public double leastCurvature(double from, double to, double label) {
        return Math.min(curvature(from, label), curvature(to, label));
    }

    @Override
    public double mostCurvature(double from, double to, double label) {
        return from <= 0 && to >= 0 ? smoothness() : Math.max(curvature(from, label), curvature(to, label));
    }

    @Override
    public double selfConcordance() {
        return 1;
    }

    // ℓ*(s) = p log p + (1−p) log(1−p) with p = −ys: two terms of the same sign, so nothing cancels.

    @Override
    public double conjugateInDomain(double slope, double label) {
        double p = -label * slope;
        double first = p == 0 ? 0 : p * Elementary.log(p);
        double second = p == 1 ? 0 : (1 - p) * Elementary.log1p(-p);
        return first + second;
    }

    // The equation. Multiplied by y, with μ = ym, t = y·point and s = −yp, m + bs = point becomes
    //     μ − b p(μ) = t,     p(μ) = 1/(1 + e^μ),
    // and −μ solves the same equation with 1−p for p and −(t+b) for t. So it is enough to work with μ ≥ 0, the other
    // half being its mirror image: e = e^−μ ≤ 1 cannot overflow, and the smaller tail p has full relative accuracy.
    //
    // One iteration. Given e, p = e/(1+e), q = 1−p = 1/(1+e), and the function g = μ − bp − t has
    //     g' = 1 + bpq,   g''/g' = −wz,   g'''/g' = wC,   g''''/g' = −wQ,
    //     w = bpq/g',   v = 1−w = 1/g',   z = q−p,   C = 1−6pq,   Q = z(1−12pq).
    // Newton's step is h = −g/g'. Inverting the Taylor series of g gives the step to the root, δ; inserting that into
    // the Taylor series of p gives p at the root, both up to O(h⁵):
    //     δ = h + wz/2 h² + (w²z²/2 − wC/6) h³ + (5w³z³/8 − 5w²zC/12 + wQ/24) h⁴
    //     p(μ+δ) = p − pq h (1 + v h (−z/2 + (C/6 − wz²/2) h + (5wzC/12 − 5w²z³/8 − Q/24) h²)).
    // For a step below 1/1024 that is exact up to rounding, so with a good start one exponential is enough.

    /**
     * Does the first iteration here, mirrored by the sign of the start instead of the root. The exponential, both
     * divisions and all coefficients then depend only on the start and the step, so that a processor can compute them
     * before the point is known.
     */
    @Override
    public double proxSlope(double point, double step, double label, double start) {
        double side = Math.copySign(1.0, label * start);
        double turn = side * label;
        double mirrored = 0.5 - 0.5 * side;
        double margin = Math.abs(start);
        double e = Elementary.exp(-margin);
        double d = 1 + e;
        double be = step * e;
        double scale = 1 / Math.fma(d, d, be);

        double over = margin - Math.fma(turn, point, -mirrored * step);
        double h = Math.fma(-over, d, be) * d * scale;
        if (Math.abs(h) <= SERIES_EXACT) {
            return Math.fma(-turn, tail(h, e, d, be, scale), -label * mirrored);
        }
        double q = 1 / d;
        double better =
                Math.abs(h) <= SERIES_USEFUL ? margin + seriesStep(h, be * scale, (1 - e) * q, e * q * q) : margin;
        return solve(point, step, label, turn * better, false);
    }

    /**
     * With the slope at the start, the first iteration needs no exponential. If its Newton step is at most
     * START_USEFUL, it gets so close to the root that the second iteration, with one exponential, is nearly always the
     * last. What does not depend on the point is kept separate, so that a processor can compute it before the point is
     * known.
     */
    @Override
    public double proxSlope(double point, double step, double label, double start, double startSlope) {
        double side = Math.copySign(1.0, label * start);
        double turn = side * label;
        double mirrored = 0.5 - 0.5 * side;
        double offset = -mirrored * step;
        double margin = Math.abs(start);
        double p = mirrored - turn * startSlope;
        double q = 1 - p;
        double pq = p * q;
        double v = 1 / Math.fma(step, pq, 1);

        double h = Math.fma(turn * v, point, (offset - (margin - step * p)) * v);
        if (!(Math.abs(h) <= START_USEFUL)) {
            return solve(point, step, label, Double.NaN, false);
        }
        margin += seriesStep(h, step * pq * v, q - p, pq);
        double over = margin - Math.fma(turn, point, offset);
        double e = Elementary.exp(-margin);
        double d = 1 + e;
        double be = step * e;
        double scale = 1 / Math.fma(d, d, be);
        h = Math.fma(-over, d, be) * d * scale;
        if (Math.abs(h) <= SERIES_EXACT) {
            return Math.fma(-turn, tail(h, e, d, be, scale), -label * mirrored);
        }
        return solve(point, step, label, turn * margin, false);
    }

    @Override
    public double prox(double point, double step, double label, double start) {
        return solve(point, step, label, start, true);
    }

    /**
     * Iterates from any start, mirrored so that the root is μ ≥ 0. There g is increasing and concave: Newton's method
     * never overshoots the root from the left, and from the right it lands on the left, at worst at the end of the
     * bracket [t, t + b]. If the start is NaN, or the Newton step from it is longer than SERIES_USEFUL, it is replaced
     * by a guess.
     */
    private static double solve(double point, double step, double label, double start, boolean marginWanted) {
        double signed = label * point;
        double side = Math.copySign(1.0, signed + 0.5 * step);
        double mirrored = 0.5 - 0.5 * side;
        double target = side * signed - mirrored * step;
        double turn = side * label;
        double lowest = Math.max(target, 0);
        double highest = target + step;
        boolean guessed = Double.isNaN(start);
        double margin = within(lowest, highest, guessed ? guess(target, step) : turn * start);
        while (true) {
            double e = Elementary.exp(-margin);
            double d = 1 + e;
            double be = step * e;
            double scale = 1 / Math.fma(d, d, be);
            double h = Math.fma(target - margin, d, be) * d * scale;
            double w = be * scale;
            double q = 1 / d;
            double z = (1 - e) * q;
            double pq = e * q * q;
            if (!(Math.abs(h) > SERIES_EXACT)) {
                return marginWanted
                        ? turn * (margin + seriesStep(h, w, z, pq))
                        : Math.fma(-turn, tail(h, e, d, be, scale), -label * mirrored);
            }
            if (Math.abs(h) <= SERIES_USEFUL) {
                margin += seriesStep(h, w, z, pq);
            } else if (guessed) {
                margin += h;
            } else {
                guessed = true;
                margin = guess(target, step);
            }
            margin = within(lowest, highest, margin);
        }
    }

    /** δ, the step to the root. */
    private static double seriesStep(double h, double w, double z, double pq) {
        double wz = w * z;
        double wc = w * Math.fma(-6, pq, 1);
        double wz2 = wz * wz;
        double third = Math.fma(wc, -1.0 / 6, 0.5 * wz2);
        double fourth = wz * Math.fma(Math.fma(-12, pq, 1), 1.0 / 24, Math.fma(wc, -5.0 / 12, 0.625 * wz2));
        return Math.fma(h * h, Math.fma(h, Math.fma(h, fourth, third), 0.5 * wz), h);
    }

    /** p at the root, a Newton step h away from where e = e^−μ, d = 1 + e, be = b e and scale = 1/(d² + be). */
    private static double tail(double h, double e, double d, double be, double scale) {
        double q = 1 / d;
        double p = e * q;
        double pq = p * q;
        double z = (1 - e) * q;
        double wz = be * scale * z;
        double wzz = wz * z;
        double c = Math.fma(-6, pq, 1);
        double second = Math.fma(c, 1.0 / 6, -0.5 * wzz);
        double third = Math.fma(wz, Math.fma(c, 5.0 / 12, -0.625 * wzz), z * Math.fma(-12, pq, 1) * (-1.0 / 24));
        double bend = Math.fma(h, Math.fma(h, third, second), -0.5 * z);
        return Math.fma(-pq * h, Math.fma(d * d * scale * h, bend, 1), p);
    }

    private static double within(double lowest, double highest, double value) {
        double raised = value > lowest ? value : lowest;
        return raised < highest ? raised : highest;
    }

    /**
     * A margin within about 0.1 of the root, from two Newton steps on the equation in logarithmic form, μ +
     * log(r/(b−r)) = 0 with r = μ − t = bp, whose slope varies little however large b is.
     */
    private static double guess(double target, double step) {
        // Lower bounds on the root: t, and the Newton step from μ = 0.
        double lowest = Math.max(target, (target + 0.5 * step) / (1 + 0.25 * step));
        double highest = target + 0.5 * step;
        double margin = within(lowest, highest, target + 1);
        for (int i = 0; i < 2; i++) {
            double r = margin - target;
            if (!(r > 0)) {
                return margin;
            }
            double rest = step - r;
            double h = margin + roughLog(r / rest);
            margin = within(lowest, highest, margin - h / (1 + step / (r * rest)));
        }
        return margin;
    }

    /** The logarithm up to an error of 0.03: the bits of a double, read as an integer, are nearly linear in it. */
    private static double roughLog(double x) {
        return (Double.doubleToRawLongBits(x) - ONE_BITS) * LN2_BY_2_52 + 0.03;
    }
}
