package dev.starling.recipe.basis;

import java.util.Arrays;

/**
 * B-splines over given knots, as R's {@code bs} makes them, and natural cubic splines, as {@code ns} makes them: those
 * combinations of cubic B-splines that are straight lines beyond the boundaries. Beyond the boundaries B-splines go on
 * as the polynomials they are next to them.
 */
public final class Spline implements Basis {

    private final int order;
    private final double[] knots;
    private final int functions;
    private final boolean natural;
    private final int left;

    /** For natural splines, what makes the conditions at both boundaries hold: two reflections. */
    private final double[][] reflections;

    private final double[] work;
    private final double[] lower;
    private final double[] slopes;
    private final double[] upper;

    /**
     * @param inner the knots between the boundaries, ascending
     * @param intercept whether the functions add up to 1, so that they replace an intercept
     */
    private Spline(int degree, double[] inner, double low, double high, boolean natural, boolean intercept) {
        this.order = degree + 1;
        this.natural = natural;
        this.left = intercept ? 0 : 1;
        this.knots = new double[inner.length + 2 * order];
        Arrays.fill(knots, 0, order, low);
        System.arraycopy(inner, 0, knots, order, inner.length);
        Arrays.fill(knots, order + inner.length, knots.length, high);
        this.functions = inner.length + order;
        this.work = new double[functions];
        this.reflections = natural ? reflections(low, high) : new double[0][];
        this.lower = natural ? constrained(low, 0) : work;
        this.upper = natural ? constrained(high, 0) : work;
        this.slopes = natural ? slopes(low, high) : work;
    }

    /** B-splines of a degree. */
    public static Spline ofDegree(int degree, double[] inner, double low, double high, boolean intercept) {
        return new Spline(degree, inner, low, high, false, intercept);
    }

    /** Natural cubic splines. */
    public static Spline natural(double[] inner, double low, double high, boolean intercept) {
        return new Spline(3, inner, low, high, true, intercept);
    }

    @Override
    public int width() {
        return functions - left - (natural ? 2 : 0);
    }

    @Override
    public void at(double number, double[] values) {
        double low = knots[0];
        double high = knots[knots.length - 1];
        if (natural && (number < low || number > high)) {
            double[] boundary = number < low ? lower : upper;
            int slope = number < low ? 0 : width();
            double beyond = number < low ? number - low : number - high;
            for (int k = 0; k < width(); k++) {
                values[k] = boundary[k] + beyond * slopes[slope + k];
            }
            return;
        }
        splines(number);
        if (natural) {
            reflect(work);
        }
        System.arraycopy(work, left + (natural ? 2 : 0), values, 0, width());
    }

    /** Writes all B-splines at a number into the work array, by de Boor's recursion from order to order. */
    private void splines(double number) {
        Arrays.fill(work, 0);
        int interval = interval(number);
        work[interval] = 1;
        for (int k = 2; k <= order; k++) {
            for (int i = interval - k + 1; i <= interval; i++) {
                double value = 0;
                if (i > interval - k + 1) {
                    value += (number - knots[i]) / (knots[i + k - 1] - knots[i]) * work[i];
                }
                if (i < interval) {
                    value += (knots[i + k] - number) / (knots[i + k] - knots[i + 1]) * work[i + 1];
                }
                work[i] = value;
            }
        }
    }

    /** The interval between knots that a number lies in, or the one next to it. */
    private int interval(double number) {
        int interval = order - 1;
        while (interval < functions - 1 && number >= knots[interval + 1]) {
            interval++;
        }
        while (knots[interval] == knots[interval + 1]) {
            interval--;
        }
        return interval;
    }

    /** The derivatives of all B-splines at a number. */
    private double[] derivatives(double number, int derivative) {
        double[] found = new double[functions];
        int interval = interval(number);
        for (int i = 0; i < functions; i++) {
            found[i] = derivative(i, order, number, derivative, interval);
        }
        return found;
    }

    private double derivative(int i, int k, double number, int derivative, int interval) {
        if (k == 1) {
            return derivative == 0 && i == interval ? 1 : 0;
        }
        double before = knots[i + k - 1] - knots[i];
        double after = knots[i + k] - knots[i + 1];
        int less = Math.max(0, derivative - 1);
        double first = before == 0 ? 0 : derivative(i, k - 1, number, less, interval) / before;
        double second = after == 0 ? 0 : derivative(i + 1, k - 1, number, less, interval) / after;
        return derivative == 0
                ? (number - knots[i]) * first + (knots[i + k] - number) * second
                : (k - 1) * (first - second);
    }

    /** Householder's reflections that turn the second derivatives at both boundaries to the first two axes. */
    private double[][] reflections(double low, double high) {
        double[][] found = new double[2][];
        for (int c = 0; c < 2; c++) {
            double[] column = derivatives(c == 0 ? low : high, 2);
            for (int done = 0; done < c; done++) {
                reflect(column, found[done], left + done);
            }
            int at = left + c;
            double squares = 0;
            for (int i = at; i < functions; i++) {
                squares += column[i] * column[i];
            }
            double length = column[at] < 0 ? -Math.sqrt(squares) : Math.sqrt(squares);
            for (int i = at; i < functions; i++) {
                column[i] /= length;
            }
            column[at] += 1;
            found[c] = column;
        }
        return found;
    }

    private void reflect(double[] values) {
        reflect(values, reflections[0], left);
        reflect(values, reflections[1], left + 1);
    }

    private void reflect(double[] values, double[] axis, int at) {
        double dot = 0;
        for (int i = at; i < functions; i++) {
            dot += axis[i] * values[i];
        }
        for (int i = at; i < functions; i++) {
            values[i] -= dot / axis[at] * axis[i];
        }
    }

    /** The derivatives of the natural splines at a boundary. */
    private double[] constrained(double boundary, int derivative) {
        double[] all = derivatives(boundary, derivative);
        reflect(all);
        return Arrays.copyOfRange(all, left + 2, functions);
    }

    private double[] slopes(double low, double high) {
        double[] both = Arrays.copyOf(constrained(low, 1), 2 * width());
        System.arraycopy(constrained(high, 1), 0, both, width(), width());
        return both;
    }
}
