package dev.starling.job;

import dev.starling.settings.LambdaPath;
import java.util.List;

/**
 * Forecasts the optimum of the next problem of a path by extrapolation: a parabola or a line through the optima of the
 * previous problems, entry by entry, as a function of log(λ + λ₁).
 *
 * @param points the previous problems, latest first
 * @param optima their optima
 */
record PathForecast(List<LambdaPath.Point> points, List<double[]> optima) {

    /** The largest number of problems that a forecast uses. */
    static final int MOST = 3;

    /**
     * The parameter from which a problem starts. With an l1 term, a weight that is 0 stays 0, one that would change its
     * sign becomes 0, and only the latest problems in which the weight was not 0 count.
     */
    double[] at(LambdaPath.Point next) {
        double[] last = optima.get(0);
        double[] forecast = new double[last.length];
        double[][] shares = new double[optima.size() + 1][];
        for (int known = 1; known <= optima.size(); known++) {
            shares[known] = shares(known, next);
        }
        boolean sparse = next.l1() > 0;
        for (int c = 0; c < last.length; c++) {
            double[] share = shares[sparse ? known(c) : optima.size()];
            double sum = 0;
            for (int k = 0; k < share.length; k++) {
                sum = Math.fma(share[k], optima.get(k)[c], sum);
            }
            forecast[c] = sparse && Math.signum(sum) != Math.signum(last[c]) ? 0 : sum;
        }
        return forecast;
    }

    /** The number of problems, from the latest back, in which a weight was not 0; at least 1. */
    private int known(int c) {
        int known = 1;
        while (known < optima.size() && optima.get(known)[c] != 0) {
            known++;
        }
        return known;
    }

    /** The coefficients of the latest problems in the polynomial through this many of them. */
    private double[] shares(int known, LambdaPath.Point next) {
        double[] shares = new double[known];
        for (int k = 0; k < known; k++) {
            shares[k] = 1;
            for (int j = 0; j < known; j++) {
                if (j != k) {
                    shares[k] *= (place(next) - place(points.get(j))) / (place(points.get(k)) - place(points.get(j)));
                }
            }
        }
        return shares;
    }

    private static double place(LambdaPath.Point point) {
        return StrictMath.log(point.lambda() + point.l1());
    }
}
