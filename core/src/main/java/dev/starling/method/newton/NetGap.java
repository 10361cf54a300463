package dev.starling.method.newton;

import dev.starling.problem.Rounding;

/**
 * The duality gap of an elastic net at a point θ, from the totals of a pass: with u = −mean s x, s the slopes there,
 * and a scale α, the dual point αs proves
 *
 * <pre>P − D ≤ (1−α) mean ℓ + Σ (λ/2 θ² + λ₁|θ| − αuθ) + ‖soft(αu, λ₁)‖²/(2λ),</pre>
 *
 * since ℓ*(αs) ≤ αℓ*(s) for losses that are nowhere negative. Near the optimum α = 1 is best; far from it, and the more
 * so the smaller λ is, a smaller α proves much more.
 *
 * @param gap the gap as it is computed
 * @param most what it is in exact arithmetic, at the most, if margins, slopes and losses are
 */
record NetGap(double gap, double most) {

    /** So many halvings find the best scale. */
    private static final int HALVINGS = 30;

    /** Roundings of a loss and of its part of a sum, with room to spare. */
    private static final int OPERATIONS = 2048;

    /**
     * The least gap that can be proven.
     *
     * @param ridge λ
     * @param spread how far from the exact vector rounding may have taken u
     */
    static NetGap of(double[] sums, double[] theta, double ridge, double l1, double spread) {
        double weight = sums[NewtonPass.WEIGHT];
        double[] pull = new double[theta.length];
        for (int c = 0; c < pull.length; c++) {
            pull[c] = -sums[NewtonPass.GRADIENT + c] / weight;
        }
        NetGap plain = unscaled(pull, theta, ridge, l1, spread);
        double loss = sums[NewtonPass.LOSS] / weight;
        double scale = scale(pull, theta, loss, ridge, l1);
        if (scale == 1) {
            return plain;
        }
        double unsure = sums[NewtonPass.ERROR] / weight;
        NetGap scaled = scaled(scale, pull, theta, loss, unsure, ridge, l1, spread);
        return scaled.most < plain.most ? scaled : plain;
    }

    /**
     * For α = 1, with r the number of [−λ₁, λ₁] nearest to each entry of u: ‖λθ − (u − r)‖²/(2λ) + Σ (λ₁|θ| − rθ). No
     * term is negative, so that no digits cancel.
     */
    private static NetGap unscaled(double[] pull, double[] theta, double ridge, double l1, double spread) {
        double squares = 0;
        double norm = 0;
        double price = 0;
        double unsure = 0;
        for (int c = 0; c < theta.length; c++) {
            double entry = theta[c];
            double held = Math.max(-l1, Math.min(l1, pull[c]));
            double rest = pull[c] - held;
            double misfit = Math.fma(ridge, entry, -rest);
            squares += misfit * misfit;
            norm += entry * entry;
            price += (l1 - Math.copySign(1, entry) * held) * Math.abs(entry);
            // Where u is beyond λ₁ by more than rounding, r is λ₁ whatever rounding did.
            unsure += rest * entry > 0 && Math.abs(rest) > spread ? 0 : entry * entry;
        }
        return new NetGap(
                squares / (2 * ridge) + price,
                Newton.most(squares, norm, ridge, spread, theta.length)
                        + (1 + (theta.length + 4) * Rounding.UNIT) * (price + spread * Math.sqrt(unsure)));
    }

    /** The scale with the largest dual value, α·(mean ℓ + uᵀθ) − ‖soft(αu, λ₁)‖²/(2λ), which is concave in it. */
    private static double scale(double[] pull, double[] theta, double loss, double ridge, double l1) {
        double slope = loss;
        for (int c = 0; c < pull.length; c++) {
            slope = Math.fma(pull[c], theta[c], slope);
        }
        if (rises(1, slope, pull, ridge, l1)) {
            return 1;
        }
        double low = 0;
        double high = 1;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = (low + high) / 2;
            boolean rises = rises(middle, slope, pull, ridge, l1);
            low = rises ? middle : low;
            high = rises ? high : middle;
        }
        return low;
    }

    private static boolean rises(double scale, double slope, double[] pull, double ridge, double l1) {
        double fall = 0;
        for (double entry : pull) {
            fall += Math.max(0, scale * Math.abs(entry) - l1) * Math.abs(entry);
        }
        return slope * ridge > fall;
    }

    private static NetGap scaled(
            double scale,
            double[] pull,
            double[] theta,
            double loss,
            double unsure,
            double ridge,
            double l1,
            double spread) {
        double value = (1 - scale) * loss;
        double size = value;
        double squares = 0;
        double norm = 0;
        for (int c = 0; c < theta.length; c++) {
            double price = (ridge / 2 * Math.abs(theta[c]) + l1) * Math.abs(theta[c]);
            double gain = scale * pull[c] * theta[c];
            double rest = Math.max(0, scale * Math.abs(pull[c]) - l1);
            value += price - gain;
            size += price + Math.abs(gain);
            squares += rest * rest;
            norm += theta[c] * theta[c];
        }
        double length = Math.sqrt(squares);
        double longest = (1 + theta.length * Rounding.UNIT) * length
                + scale * spread
                + 4 * Rounding.UNIT * l1 * Math.sqrt(theta.length);
        double gap = value + squares / (2 * ridge);
        double error = (OPERATIONS + 4 * theta.length) * Rounding.UNIT * (size + squares / (2 * ridge))
                + (1 - scale) * unsure
                + scale * spread * Math.sqrt(norm)
                + (longest - length) * (longest + length) / (2 * ridge);
        return new NetGap(gap, gap + error);
    }
}
