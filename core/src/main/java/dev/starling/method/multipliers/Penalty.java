package dev.starling.method.multipliers;

import dev.starling.internal.Vectors;
import java.util.Arrays;

/**
 * The regulariser, (λ/2)‖θ‖² + λ₁‖θ‖₁ over the weights that are regularised.
 *
 * @param lambda λ, greater than 0
 * @param l1 λ₁, at least 0
 * @param regularised how many weights are regularised: all, or all but an intercept, which is last
 */
record Penalty(double lambda, double l1, int regularised) {

    boolean isSmooth() {
        return l1 == 0;
    }

    /** Returns λ₁ for every weight, but 0 for an intercept. */
    double[] prices(int features) {
        double[] prices = new double[features];
        Arrays.fill(prices, 0, regularised, l1);
        return prices;
    }

    double value(double[] theta) {
        return lambda / 2 * Vectors.dotInTurn(theta, theta, regularised) + l1 * length(theta);
    }

    /** Returns ‖θ‖₁, or 0 if λ₁ is 0. */
    double length(double[] theta) {
        double sum = 0;
        for (int c = 0; l1 > 0 && c < regularised; c++) {
            sum += Math.abs(theta[c]);
        }
        return sum;
    }

    /** Returns the slope of λ₁‖θ‖₁ along a direction, just after a step. */
    double kinkSlope(double[] theta, double[] direction, double step) {
        double sum = 0;
        for (int c = 0; l1 > 0 && c < regularised; c++) {
            double at = Math.fma(step, direction[c], theta[c]);
            sum += at == 0 ? Math.abs(direction[c]) : Math.signum(at) * direction[c];
        }
        return l1 * sum;
    }

    /**
     * How far slopes s and θ are from being optimal together. With u = −mean of w s x, the force with which losses pull
     * at the weights, they add ‖soft(u, λ₁) − λθ‖²/(2λ) + Σ (λ₁|θ| − clip(u, λ₁) θ) to the gap, of which neither part
     * is ever negative.
     *
     * @param squares ‖soft(u, λ₁) − λθ‖²
     * @param price Σ (λ₁|θ| − clip(u, λ₁) θ)
     * @param pull ‖u‖ if there is an l1 term, otherwise 0: the rounding error of u is proportional to it
     */
    record Residual(double squares, double price, double pull) {}

    /**
     * Returns the residual at a point.
     *
     * @param gradient λθ − u
     */
    Residual residual(double[] theta, double[] gradient) {
        if (isSmooth()) {
            return new Residual(Vectors.dotInTurn(gradient, gradient, gradient.length), 0, 0);
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
        return new Residual(squares, price, Math.sqrt(pull));
    }
}
