package dev.starling.recipe.basis;

import java.util.Arrays;

/**
 * Polynomials of degrees 1 to d, as R's {@code poly} makes them: powers, or polynomials that are orthogonal to each
 * other and to a constant over the numbers that they were made for. The latter follow from p₀ = 1 and pₖ₊₁(x) = (x −
 * αₖ) pₖ(x) − nₖ/nₖ₋₁ pₖ₋₁(x), where nₖ is the sum of the squares of pₖ; each is divided by its norm.
 */
public final class Polynomials implements Basis {

    private final int degree;

    /** α₀ to α of the degree less 1, then n₀ to n of the degree; empty for powers. */
    private final double[] constants;

    private Polynomials(int degree, double... constants) {
        this.degree = degree;
        this.constants = constants;
    }

    /** The powers of a number. */
    public static Polynomials powers(int degree) {
        return new Polynomials(degree);
    }

    /** Orthogonal polynomials with known constants, as {@link #constants} returns them. */
    public static Polynomials orthogonal(double... constants) {
        return new Polynomials(constants.length / 2, constants);
    }

    /** The constants of the polynomials up to a degree that are orthogonal over these numbers. */
    public static double[] constants(int degree, double... numbers) {
        double[] constants = new double[2 * degree + 1];
        double[] before = new double[numbers.length];
        double[] now = new double[numbers.length];
        Arrays.fill(now, 1);
        double norm = numbers.length;
        double normBefore = 1;
        constants[degree] = norm;
        for (int k = 0; k < degree; k++) {
            // Around the mean, so that numbers far from 0 lose no digits.
            double origin = k == 0 ? numbers[0] : constants[0];
            double moment = 0;
            for (int i = 0; i < numbers.length; i++) {
                moment += (numbers[i] - origin) * now[i] * now[i];
            }
            double alpha = origin + moment / norm;
            double ratio = k == 0 ? 0 : norm / normBefore;
            double next = 0;
            for (int i = 0; i < numbers.length; i++) {
                double value = (numbers[i] - alpha) * now[i] - ratio * before[i];
                before[i] = now[i];
                now[i] = value;
                next += value * value;
            }
            constants[k] = alpha;
            constants[degree + k + 1] = next;
            normBefore = norm;
            norm = next;
        }
        return constants;
    }

    @Override
    public int width() {
        return degree;
    }

    @Override
    public void at(double number, double[] values) {
        double before = 0;
        double now = 1;
        for (int k = 0; k < degree; k++) {
            if (constants.length == 0) {
                now *= number;
                values[k] = now;
                continue;
            }
            double ratio = k == 0 ? 0 : constants[degree + k] / constants[degree + k - 1];
            double next = (number - constants[k]) * now - ratio * before;
            before = now;
            now = next;
            values[k] = now / Math.sqrt(constants[degree + k + 1]);
        }
    }
}
