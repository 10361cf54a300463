package dev.starling.loss;

/**
 * Solves the two monotone equations behind the defaults of {@link Loss}: m + step · ℓ'(m) = point and ℓ'(u) = s.
 *
 * <p>Both are solved within a bracket by Chandrupatla's method: inverse quadratic interpolation if that is certain to
 * help, bisection otherwise.
 */
final class MonotoneRoot {

    /** A limit that is never reached: bisection alone narrows any bracket to adjacent doubles in 2100 steps. */
    private static final int MOST_STEPS = 4400;

    private final Loss loss;
    private final double label;
    private final double slopeFactor;
    private final double marginFactor;
    private final double target;

    /** The ends of the bracket, where the function has the opposite signs of {@code valueA} and {@code valueB}. */
    private double a;

    private double b;
    private double valueA;
    private double valueB;

    /** The increasing function marginFactor · u + slopeFactor · ℓ'(u) − target. */
    private MonotoneRoot(Loss loss, double label, double marginFactor, double slopeFactor, double target) {
        this.loss = loss;
        this.label = label;
        this.marginFactor = marginFactor;
        this.slopeFactor = slopeFactor;
        this.target = target;
    }

    static double prox(Loss loss, double point, double step, double label, double start) {
        double reach = step * loss.derivative(point, label);
        if (reach == 0) {
            return point;
        }
        // ℓ' is increasing, so the function has the opposite sign at point − step ℓ'(point), and the root is between.
        MonotoneRoot root = new MonotoneRoot(loss, label, 1, step, point);
        double far = Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, point - reach));
        root.bracket(point, far);
        root.narrow(start);
        root.solve();
        return root.best();
    }

    static double conjugate(Loss loss, double slope, double label) {
        if (!(slope >= loss.smallestSlope(label) && slope <= loss.largestSlope(label))) {
            return Double.isNaN(slope) ? Double.NaN : Double.POSITIVE_INFINITY;
        }
        MonotoneRoot root = new MonotoneRoot(loss, label, 0, 1, slope);
        double atZero = root.at(0);
        if (atZero == 0) {
            return -loss.value(0, label);
        }
        double direction = atZero > 0 ? -1 : 1;
        double near = 0;
        double far = direction;
        double affine = -loss.value(0, label);
        double gain = Double.POSITIVE_INFINITY;
        while (root.at(far) * direction < 0) {
            double next = slope * far - loss.value(far, label);
            double nextGain = next - affine;
            if (!(nextGain > 0) || nextGain <= 4 * Math.ulp(slope * far)) {
                // The supremum is finite and approached at infinity. Since far doubles each time, what is left is at
                // most the last gain.
                return Math.max(affine, next) + Math.max(0, Math.min(gain, nextGain));
            }
            affine = next;
            gain = nextGain;
            near = far;
            far *= 2;
            if (Double.isInfinite(far)) {
                return Double.POSITIVE_INFINITY;
            }
        }
        root.bracket(near, far);
        root.solve();
        return Math.min(root.conjugateBound(root.a, root.b), root.conjugateBound(root.b, root.a));
    }

    /**
     * By convexity, s·v − ℓ(v) ≤ s·u − ℓ(u) + (s − ℓ'(u))(v − u), which within the bracket is largest at one of its
     * ends.
     */
    private double conjugateBound(double u, double other) {
        double affine = target * u - loss.value(u, label);
        return affine + Math.max(0, (target - loss.derivative(u, label)) * (other - u));
    }

    private double at(double u) {
        return (marginFactor * u - target) + slopeFactor * loss.derivative(u, label);
    }

    private void bracket(double from, double to) {
        a = from;
        b = to;
        valueA = at(from);
        valueB = at(to);
    }

    /** Replaces one end of the bracket by a guess inside it, depending on the sign of the function there. */
    private void narrow(double guess) {
        if (guess > Math.min(a, b) && guess < Math.max(a, b)) {
            double value = at(guess);
            if (value > 0 == valueA > 0) {
                a = guess;
                valueA = value;
            } else {
                b = guess;
                valueB = value;
            }
        }
    }

    private double best() {
        return Math.abs(valueA) < Math.abs(valueB) ? a : b;
    }

    private void solve() {
        double fraction = 0.5;
        for (int step = 0; step < MOST_STEPS && valueA != 0 && valueB != 0; step++) {
            double inside = between(fraction);
            if (inside == a || inside == b) {
                return;
            }
            double value = at(inside);
            double last;
            double valueLast;
            if (value > 0 == valueA > 0) {
                last = a;
                valueLast = valueA;
            } else {
                last = b;
                valueLast = valueB;
                b = a;
                valueB = valueA;
            }
            a = inside;
            valueA = value;
            fraction = interpolate(last, valueLast);
        }
    }

    /**
     * The point at a fraction of the way from a to b, strictly inside if there is a double between them; the midpoint
     * is computed without overflow.
     */
    private double between(double fraction) {
        double inside = fraction == 0.5 ? 0.5 * a + 0.5 * b : a + fraction * (b - a);
        return Math.max(Math.nextUp(Math.min(a, b)), Math.min(Math.nextDown(Math.max(a, b)), inside));
    }

    /** The next fraction of the way from a to b. */
    private double interpolate(double last, double valueLast) {
        double xi = (a - b) / (last - b);
        double phi = (valueA - valueB) / (valueLast - valueB);
        if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) {
            return 0.5;
        }
        double fraction = valueA / (valueB - valueA) * (valueLast / (valueB - valueLast))
                + (last - a) / (b - a) * (valueA / (valueLast - valueA)) * (valueB / (valueLast - valueB));
        double least = Math.ulp(Math.max(Math.abs(a), Math.abs(b))) / Math.abs(b - a);
        return fraction >= 0 && fraction <= 1 ? Math.max(least, Math.min(1 - least, fraction)) : 0.5;
    }
}
