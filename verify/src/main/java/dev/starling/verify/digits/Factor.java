package dev.starling.verify.digits;

import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.commons.numbers.core.DD;

/** Cholesky's factor of a positive definite matrix, in double-double arithmetic. */
public final class Factor {

    /** A pivot of less than this fraction of its diagonal entry is 0, as far as double-doubles tell. */
    private static final double LEAST_PIVOT = 1e-22;

    private final DD[][] lower;

    private Factor(DD[][] lower) {
        this.lower = lower;
    }

    /** Returns the factor of a matrix with given entries on and below the diagonal; empty if it is singular. */
    public static Optional<Factor> of(int size, BiFunction<Integer, Integer, DD> entry) {
        return of(size, LEAST_PIVOT, entry);
    }

    /** The same with another least fraction. */
    public static Optional<Factor> of(int size, double leastPivot, BiFunction<Integer, Integer, DD> entry) {
        DD[][] factor = new DD[size][];
        for (int i = 0; i < size; i++) {
            factor[i] = new DD[i + 1];
            DD diagonal = entry.apply(i, i);
            DD pivot = diagonal;
            for (int j = 0; j < i; j++) {
                DD sum = entry.apply(i, j);
                for (int k = 0; k < j; k++) {
                    sum = sum.subtract(factor[i][k].multiply(factor[j][k]));
                }
                factor[i][j] = sum.divide(factor[j][j]);
                pivot = pivot.subtract(factor[i][j].square());
            }
            if (!DoubleDoubles.isMore(pivot, diagonal.multiply(leastPivot))) {
                return Optional.empty();
            }
            factor[i][i] = pivot.sqrt();
        }
        return Optional.of(new Factor(factor));
    }

    /** L⁻¹x, whose length is that of x in the norm of the inverse. */
    public DD[] forward(DD[] right) {
        DD[] result = new DD[right.length];
        for (int i = 0; i < right.length; i++) {
            DD sum = right[i];
            for (int k = 0; k < i; k++) {
                sum = sum.subtract(lower[i][k].multiply(result[k]));
            }
            result[i] = sum.divide(lower[i][i]);
        }
        return result;
    }

    /** L⁻ᵀx. */
    public DD[] backward(DD[] right) {
        DD[] result = right.clone();
        for (int i = result.length - 1; i >= 0; i--) {
            result[i] = result[i].divide(lower[i][i]);
            for (int k = 0; k < i; k++) {
                result[k] = result[k].subtract(lower[i][k].multiply(result[i]));
            }
        }
        return result;
    }

    /** The length of x in the norm of the inverse. */
    public double length(DD[] x) {
        return Math.sqrt(squares(forward(x)).hi());
    }

    public static DD product(DD[] one, DD[] other) {
        DD sum = DD.ZERO;
        for (int k = 0; k < one.length; k++) {
            sum = sum.add(one[k].multiply(other[k]));
        }
        return sum;
    }

    public static DD squares(DD[] vector) {
        return product(vector, vector);
    }
}
