package dev.starling.job;

import java.util.List;

/**
 * Where the optimum of the next problem of a path is to be expected: on the parabola, or the line, through those of the
 * problems before, entry by entry and over log(λ + λ₁).
 *
 * @param points the problems before, the last of them first
 * @param optima where they ended
 */
record PathForecast(List<LambdaPath.Point> points, List<double[]> optima) {

    /** So many problems tell of the next. */
    static final int MOST = 3;

    /**
     * The parameter to begin a problem at. With an l1 term a weight that is 0 stays there, one that would pass 0 stops
     * there, and only problems count in which it was not 0.
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

    /** How many problems, from the last back, did not have a weight at 0; at least 1. */
    private int known(int c) {
        int known = 1;
        while (known < optima.size() && optima.get(known)[c] != 0) {
            known++;
        }
        return known;
    }

    /** What each of the last problems counts for in a polynomial through so many of them. */
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
