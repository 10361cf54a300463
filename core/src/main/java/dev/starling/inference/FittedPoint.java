package dev.starling.inference;

import java.util.Arrays;
import java.util.function.Function;

/**
 * A fit without regularisation, as its certificate leaves it.
 *
 * @param theta θ, on the features that training used
 * @param leftOut the coefficients that are left out because their features depend on others
 * @param distance a bound on the distance from the optimum in the norm of the Hessian of the sum of all losses;
 *     infinite if unknown
 * @param excess a bound on the sum of all losses minus the least possible
 * @param intercept whether the last coefficient is that of an intercept
 * @param samples the number of rows of all nodes
 * @param weightUnit what weights have to be multiplied by to be those of the data
 * @param lossUnit what losses have to be multiplied by to be those of the data
 * @param toRaw makes θ the coefficients on raw features, an affine map
 */
public record FittedPoint(
        double[] theta,
        boolean[] leftOut,
        double distance,
        double excess,
        boolean intercept,
        long samples,
        double weightUnit,
        double lossUnit,
        Function<double[], double[]> toRaw) {

    /** The linear part of the map to raw features: T, row by row. */
    double[][] rawMap() {
        int d = theta.length;
        double[] origin = toRaw.apply(new double[d]);
        double[][] map = new double[d][d];
        double[] unit = new double[d];
        for (int a = 0; a < d; a++) {
            Arrays.fill(unit, 0);
            unit[a] = 1;
            double[] image = toRaw.apply(unit);
            for (int k = 0; k < d; k++) {
                map[k][a] = image[k] - origin[k];
            }
        }
        return map;
    }
}
