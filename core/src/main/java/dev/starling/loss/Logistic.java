package dev.starling.loss;

/** ℓ(u; y) = log(1 + e^(−yu)), y = ±1: logistic regression. */
public record Logistic() implements Loss {

    /** The largest Newton step after which the series below are exact to rounding: 2 · (1/1024)⁵ ≈ 2e-15. */
    private static final double SERIES_EXACT = 0x1p-10;

    /** The largest Newton step for which the series is a better step than Newton's own. */
    private static final double SERIES_USEFUL = 0.5;

    private static final double LN2_BY_2_52 = 0x1.62e42fefa39efp-53;
    private static final long ONE_BITS = 0x3ff0000000000000L;

    @Override
    public String name() {
        return "logistic";
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
    public double smoothness() {
        return 0.25;
    }

    @Override
    public boolean isClassification() {
        return true;
    }

    @Override
    public double smallestSlope(double label) {
        return label > 0 ? -1 : 0;
    }

    @Override
    public double largestSlope(double label) {
        return label > 0 ? 0 : 1;
    }

    @Override
    public double prox(double point, double step, double label, double start) {
        return solve(point, step, label, start, true);
    }

    @Override
    public double proxSlope(double point, double step, double label, double start) {
        return solve(point, step, label, start, false);
    }

    // ℓ*(s) = p log p + (1−p) log(1−p) with p = −ys: two terms of one sign, so nothing cancels.

    @Override
    public double conjugate(double slope, double label) {
        double p = -label * slope;
        if (!(p >= 0 && p <= 1)) {
            return Double.isNaN(p) ? Double.NaN : Double.POSITIVE_INFINITY;
        }
        double first = p == 0 ? 0 : p * Elementary.log(p);
        double second = p == 1 ? 0 : (1 - p) * Elementary.log1p(-p);
        return first + second;
    }

    // The equation. Times y, with μ = ym, t = y·point and s = −yp, m + bs = point becomes
    //     μ − b p(μ) = t,     p(μ) = 1/(1 + e^μ).
    // If t ≥ −b/2 the root is μ ≥ 0 and p ≤ 1/2. Otherwise −μ solves the same equation with 1−p for p and −(t+b) for t.
    // So only μ ≥ 0 is ever solved: e = e^−μ ≤ 1 cannot overflow, and p, the smaller tail, has full relative accuracy.
    //
    // One iteration. With e at hand, p = e/(1+e), q = 1−p = 1/(1+e), and the left side g = μ − bp − t has
    //     g' = 1 + bpq,   g''/g' = −wz,   g'''/g' = w(1−6pq),   g''''/g' = −wz(1−12pq),   w = bpq/g',  z = q−p.
    // Newton's step is h = −g/g'. Inverting the Taylor series of g gives the step to the root up to O(h⁵):
    //     δ = h − a₂h² + (2a₂² − a₃)h³ + (5a₂a₃ − 5a₂³ − a₄)h⁴,     aₖ = g⁽ᵏ⁾/(k! g'),  all bounded by 1/k!,
    // and the Taylor series of p gives p(μ+δ) up to O(δ⁵), so that a step below 1/1024 needs no further exponential.
    //
    // Safety. g is increasing and concave for μ ≥ 0: Newton never passes the root from the left, and from the right it
    // lands on the left, at worst at the bracket's end. A start more than SERIES_USEFUL away is replaced by a guess.

    private static double solve(double point, double step, double label, double start, boolean marginWanted) {
        double signed = label * point;
        double side = Math.copySign(1.0, signed + 0.5 * step);
        double mirrored = 0.5 - 0.5 * side;
        double target = side * signed - mirrored * step;
        double turn = side * label;
        double lowest = target > 0 ? target : 0;
        double margin = within(lowest, target + step, turn * start);
        for (boolean guessed = false; ; ) {
            double e = Elementary.exp(-margin);
            double d = 1 + e;
            double q = 1 / d;
            double be = step * e;
            double scale = 1 / (d * d + be);
            double p = e * q;
            double pq = p * q;
            double z = q - p;
            double w = be * scale;
            double h = (be - (margin - target) * d) * (d * scale);
            double cubic = 1 - 6 * pq;
            double quartic = z * (1 - 12 * pq);
            double a = 0.5 * w * z;
            double a3 = w * cubic * (1.0 / 6);
            double aa = a * a;
            double h2 = h * h;
            double delta = h + h2 * ((a + h * (2 * aa - a3)) + h2 * (5 * a * (aa - a3) + w * quartic * (1.0 / 24)));
            if (!(Math.abs(h) > SERIES_EXACT)) {
                if (marginWanted) {
                    return turn * (margin + delta);
                }
                double bend =
                        (1 - 0.5 * z * delta) + delta * delta * (cubic * (1.0 / 6) - quartic * (1.0 / 24) * delta);
                return -label * (mirrored + side * (p - pq * delta * bend));
            }
            if (Math.abs(h) <= SERIES_USEFUL) {
                margin += delta;
            } else if (guessed) {
                margin += h;
            } else {
                guessed = true;
                margin = guess(target, step);
            }
            margin = within(lowest, target + step, margin);
        }
    }

    private static double within(double lowest, double highest, double value) {
        double raised = value > lowest ? value : lowest;
        return raised < highest ? raised : highest;
    }

    /**
     * A margin within about 0.1 of the root, from two Newton steps on the equation's logarithm, μ + log(r/(b−r)) = 0
     * with r = μ − t = bp, whose slope varies little however large b is.
     */
    private static double guess(double target, double step) {
        // Under the root: t itself, and Newton's step from μ = 0.
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

    /** The logarithm within 0.03: the bits of a double, read as an integer, are nearly linear in it. */
    private static double roughLog(double x) {
        return (Double.doubleToRawLongBits(x) - ONE_BITS) * LN2_BY_2_52 + 0.03;
    }
}
