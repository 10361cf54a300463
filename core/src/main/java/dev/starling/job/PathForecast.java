package dev.starling.job;

import dev.starling.settings.LambdaPath;
import java.util.List;

/**
 * Forecasts the optimum of the next problem of a path by extrapolation: a parabola or a line through the optima of the
 * previous problems, entry by entry, as a function of log λ.
 *
 * @param points the previous problems, latest first
 * @param optima their optima
 */
record PathForecast(List<LambdaPath.Point> points, List<double[]> optima) {

    /** The largest number of problems that a forecast uses. */
    static final int MOST = 3;

    /**
     * The parameter from which a problem starts. With an l1 term it is the last optimum: the weights that are 0 there
     * say more than a line through the others.
     */
    double[] at(LambdaPath.Point next) {
        double[] forecast = optima.get(0).clone();
        if (next.l1() > 0) {
            return forecast;
        }
        double[] shares = shares(next);
        for (int c = 0; c < forecast.length; c++) {
            double sum = 0;
            for (int k = 0; k < shares.length; k++) {
                sum = Math.fma(shares[k], optima.get(k)[c], sum);
            }
            forecast[c] = sum;
        }
        return forecast;
    }

    /** The coefficients of the problems in the polynomial through all of them. */
    private double[] shares(LambdaPath.Point next) {
        double[] shares = new double[optima.size()];
        for (int k = 0; k < shares.length; k++) {
            shares[k] = 1;
            for (int j = 0; j < shares.length; j++) {
                if (j != k) {
                    shares[k] *= (place(next) - place(points.get(j))) / (place(points.get(k)) - place(points.get(j)));
                }
            }
        }
        return shares;
    }

    private static double place(LambdaPath.Point point) {
        return StrictMath.log(point.lambda());
    }
}
