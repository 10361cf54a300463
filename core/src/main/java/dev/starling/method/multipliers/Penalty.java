package dev.starling.method.multipliers;

import java.util.Arrays;

/**
 * The regulariser, (λ/2)‖θ‖² + λ₁‖θ‖₁ over the weights that are regularised.
 *
 * @param lambda λ, more than 0
 * @param l1 λ₁, 0 or more
 * @param regularised how many weights that is about: all, or all but an intercept, the last
 */
record Penalty(double lambda, double l1, int regularised) {

    boolean isSmooth() {
        return l1 == 0;
    }

    /** λ₁ for every weight, and 0 for an intercept. */
    double[] prices(int features) {
        double[] prices = new double[features];
        Arrays.fill(prices, 0, regularised, l1);
        return prices;
    }

    double value(double[] theta) {
        return lambda / 2 * SemismoothNewton.dot(theta, theta, regularised) + l1 * length(theta);
    }

    /** ‖θ‖₁; 0 where it has no price. */
    double length(double[] theta) {
        double sum = 0;
        for (int c = 0; l1 > 0 && c < regularised; c++) {
            sum += Math.abs(theta[c]);
        }
        return sum;
    }

    /** How fast λ₁‖θ‖₁ grows along a direction, just after a step. */
    double kinkSlope(double[] theta, double[] direction, double step) {
        double sum = 0;
        for (int c = 0; l1 > 0 && c < regularised; c++) {
            double at = Math.fma(step, direction[c], theta[c]);
            sum += at == 0 ? Math.abs(direction[c]) : Math.signum(at) * direction[c];
        }
        return l1 * sum;
    }

    /**
     * What slopes lack of being optimal together with θ, where u = −mean of w s x is what losses pull weights by: the
     * gap is ‖soft(u, λ₁) − λθ‖²/(2λ) + Σ (λ₁|θ| − clip(u, λ₁) θ), both never negative.
     *
     * @param squares ‖soft(u, λ₁) − λθ‖²
     * @param price Σ (λ₁|θ| − clip(u, λ₁) θ)
     * @param pull ‖u‖ where it is clipped, otherwise 0: what the rounding of u is in proportion to
     */
    record Lack(double squares, double price, double pull) {}

    /**
     * The lack at a point.
     *
     * @param gradient λθ − u
     */
    Lack lack(double[] theta, double[] gradient) {
        if (isSmooth()) {
            return new Lack(SemismoothNewton.dot(gradient, gradient, gradient.length), 0, 0);
        }
        double squares = 0;
        double price = 0;
        double pull = 0;
        for (int c = 0; c < gradient.length; c++) {
            double rest = gradient[c];
            if (c < regularised) {
                double u = lambda * theta[c] - gradient[c];
                double clipped = Math.max(-l1, Math.min(l1, u));
                rest = lambda * theta[c] - (u - clipped);
                price += Math.max(0, l1 * Math.abs(theta[c]) - clipped * theta[c]);
                pull = Math.fma(u, u, pull);
            }
            squares = Math.fma(rest, rest, squares);
        }
        return new Lack(squares, price, Math.sqrt(pull));
    }
}
