package dev.starling.method.newton;

import dev.starling.method.sums.GapBound;
import dev.starling.problem.Rounding;

/**
 * The duality gap of an elastic net at a point θ, from the totals of a pass: with u = −mean s x, s the slopes there,
 * and a scale α, the dual point αs proves
 *
 * <pre>P − D ≤ (1−α) mean ℓ + Σ (λ/2 θ² + λ₁|θ| − αuθ) + ‖soft(αu, λ₁)‖²/(2λ),</pre>
 *
 * since ℓ*(αs) ≤ αℓ*(s) for losses that are nowhere negative. Near the optimum α = 1 is best; far from it, a smaller α
 * proves much more, especially if λ is small. Without a ridge, α has to be so small that no entry of αu exceeds λ₁ in
 * absolute value.
 *
 * @param gap the gap as computed
 * @param most an upper bound on the gap in exact arithmetic, if margins, slopes and losses were exact
 */
record NetGap(double gap, double most) {

    /** The number of bisections to find the best scale. */
    private static final int HALVINGS = 30;

    /** The number of roundings in a loss and in adding it to a sum, with room to spare. */
    private static final int OPERATIONS = 2048;

    /** The number of roundings in a scale, with room to spare. */
    private static final int SCALE_OPERATIONS = 8;

    /**
     * What a pass has revealed about a point, restricted to weights that are regularised.
     *
     * @param pull u
     * @param spread a bound on the distance of u from its exact value, due to rounding
     * @param theta θ; entries beyond the length of u are ignored
     * @param prices λ₁ for each entry, or 0 for an entry that only the ridge regularises
     * @param ridge λ
     * @param loss the mean loss
     * @param unsure a bound on the rounding error of the mean loss
     */
    record At(double[] pull, double spread, double[] theta, double[] prices, double ridge, double loss, double unsure) {

        /**
         * Returns the smallest gap that can be proven.
         *
         * @param shrunk what balancing the slopes for a free intercept adds to the gap; 0 without one
         * @param slack an upper bound on that in exact arithmetic
         */
        NetGap gap(double shrunk, double slack) {
            if (ridge == 0) {
                // What rounding may do to the scale is no part of the gap as computed.
                double computed = feasibleScale(0);
                double feasible = feasibleScale(1);
                NetGap certain = scaled(feasible).plus(feasible * shrunk, feasible * slack);
                return new NetGap(Math.min(certain.most, scaled(computed).gap + computed * shrunk), certain.most);
            }
            NetGap plain = unscaled().plus(shrunk, slack);
            double scale = bestScale(loss - shrunk);
            if (scale == 1) {
                return plain;
            }
            NetGap scaled = scaled(scale).plus(scale * shrunk, scale * slack);
            return scaled.most < plain.most ? scaled : plain;
        }

        /**
         * Returns the largest scale for which no entry of αu exceeds its price.
         *
         * @param rounding 1 if that has to be certain, 0 if rounding is left out
         */
        private double feasibleScale(int rounding) {
            double scale = 1;
            for (int c = 0; c < pull.length; c++) {
                double size = Math.abs(pull[c]) + rounding * spread;
                scale = size > prices[c] ? Math.min(scale, prices[c] / size) : scale;
            }
            return (1 - SCALE_OPERATIONS * Rounding.UNIT) * scale;
        }

        /**
         * Returns the gap for α = 1: ‖λθ − (u − r)‖²/(2λ) + Σ (λ₁|θ| − rθ), where r is u with each entry clipped to
         * [−λ₁, λ₁]. No term is negative, so no digits cancel.
         */
        private NetGap unscaled() {
            double squares = 0;
            double norm = 0;
            double price = 0;
            double unsureOf = 0;
            for (int c = 0; c < pull.length; c++) {
                double entry = theta[c];
                double held = Math.max(-prices[c], Math.min(prices[c], pull[c]));
                double rest = pull[c] - held;
                double misfit = Math.fma(ridge, entry, -rest);
                squares += misfit * misfit;
                norm += entry * entry;
                price += (prices[c] - Math.copySign(1, entry) * held) * Math.abs(entry);
                // Where |u| exceeds λ₁ by more than rounding could cause, |r| is exactly λ₁.
                unsureOf += rest * entry > 0 && Math.abs(rest) > spread ? 0 : entry * entry;
            }
            return new NetGap(
                    squares / (2 * ridge) + price,
                    GapBound.most(squares, norm, ridge, spread, pull.length)
                            + (1 + (pull.length + 4) * Rounding.UNIT) * (price + spread * Math.sqrt(unsureOf)));
        }

        /**
         * Returns the scale with the largest dual value, α·(mean ℓ + uᵀθ) − ‖soft(αu, λ₁)‖²/(2λ), which is concave in
         * α.
         */
        private double bestScale(double kept) {
            double slope = kept;
            for (int c = 0; c < pull.length; c++) {
                slope = Math.fma(pull[c], theta[c], slope);
            }
            if (rises(1, slope)) {
                return 1;
            }
            double low = 0;
            double high = 1;
            for (int k = 0; k < HALVINGS; k++) {
                double middle = (low + high) / 2;
                boolean rises = rises(middle, slope);
                low = rises ? middle : low;
                high = rises ? high : middle;
            }
            return low;
        }

        private boolean rises(double scale, double slope) {
            double fall = 0;
            for (int c = 0; c < pull.length; c++) {
                double size = Math.abs(pull[c]);
                fall += Math.max(0, scale * size - prices[c]) * size;
            }
            return slope * ridge > fall;
        }

        private NetGap scaled(double scale) {
            double value = (1 - scale) * loss;
            double size = value;
            double squares = 0;
            double norm = 0;
            double most = 0;
            for (int c = 0; c < pull.length; c++) {
                double price = (ridge / 2 * Math.abs(theta[c]) + prices[c]) * Math.abs(theta[c]);
                double gain = scale * pull[c] * theta[c];
                double rest = Math.max(0, scale * Math.abs(pull[c]) - prices[c]);
                value += price - gain;
                size += price + Math.abs(gain);
                squares += rest * rest;
                norm += theta[c] * theta[c];
                most = Math.max(most, prices[c]);
            }
            double length = Math.sqrt(squares);
            double longest = (1 + pull.length * Rounding.UNIT) * length
                    + scale * spread
                    + 4 * Rounding.UNIT * most * Math.sqrt(pull.length);
            // Without a ridge no entry exceeds its price, whatever rounding did.
            double beyond = ridge == 0 ? 0 : squares / (2 * ridge);
            double further = ridge == 0 ? 0 : (longest - length) * (longest + length) / (2 * ridge);
            double gap = value + beyond;
            double error = (OPERATIONS + 4 * pull.length) * Rounding.UNIT * (size + beyond)
                    + (1 - scale) * unsure
                    + scale * spread * Math.sqrt(norm)
                    + further;
            return new NetGap(gap, gap + error);
        }
    }

    NetGap plus(double moreGap, double moreMost) {
        return new NetGap(gap + moreGap, most + moreMost);
    }
}
