package dev.starling.inference;

import dev.starling.objective.InformationPass;
import dev.starling.objective.ProofBasis;
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
 * @param hessian the Hessian of the mean loss at θ or near it, its lower triangle, d × d row by row; empty if it is not
 *     known
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
        Function<double[], double[]> toRaw,
        double[] hessian) {

    /** Beyond this bound on its relative error, the information is added up in a basis in which it is near 1. */
    private static final double BAD_FIT = 0x1p-40;

    /** As many values of rows in another basis are kept, and as many products made for them. */
    private static final long MOST_VALUES = 1L << 22;

    private static final long MOST_PRODUCTS = 1L << 27;

    /**
     * A basis X, lower triangular, d × d row by row, such that XHXᵀ is nearly the identity; empty if rows are as good
     * as they are, or too many. Everyone finds the same.
     */
    double[] whitening() {
        long d = theta.length;
        if (hessian.length == 0 || samples > MOST_VALUES / d || samples > MOST_PRODUCTS / (d * d) || !isScaling()) {
            return new double[0];
        }
        ProofBasis basis = Information.basis(hessian, leftOut, 0);
        boolean good = basis.misfit(hessian, Math.min(samples, InformationPass.ADDED_AT_ONCE)) <= BAD_FIT;
        return good || !Double.isFinite(basis.length()) ? new double[0] : basis.inverse();
    }

    /** Whether each coefficient on raw features is a multiple of one of θ. */
    private boolean isScaling() {
        return Arrays.stream(rawMap())
                .allMatch(row -> Arrays.stream(row).filter(entry -> entry != 0).count() == 1);
    }

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
