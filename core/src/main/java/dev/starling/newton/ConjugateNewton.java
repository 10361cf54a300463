package dev.starling.newton;

import dev.starling.algorithm.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Newton's equations solved by conjugate gradients, scaled with the Hessian's diagonal, for features too many for a
 * matrix: a pass for each product with the Hessian. They are solved as far as pays: to {@value #PRECISION} of the
 * gradient, or until the gap is predicted to be well under the one asked for.
 */
final class ConjugateNewton extends Newton {

    private static final double PRECISION = 0.5;
    private static final double WELL_UNDER = 0.2;
    private static final int MOST_PRODUCTS = 500;

    private final double targetGap;
    private final double[] scale;
    private final double[] residual;
    private final double[] conjugate;
    private double passWeight;
    private double residualNorm;
    private double tolerance;
    private int products;
    private boolean solved;

    ConjugateNewton(int features, long samples, double lambda, double targetGap) {
        super(features, samples, lambda, Order.DIAGONAL);
        this.targetGap = targetGap;
        this.scale = new double[features];
        this.residual = new double[features];
        this.conjugate = new double[features];
    }

    @Override
    double[] point() {
        return order == Order.PRODUCT ? conjugate : super.point();
    }

    @Override
    boolean certifies() {
        return order != Order.PRODUCT && super.certifies();
    }

    @Override
    void beginAgain() {
        order = Order.DIAGONAL;
    }

    @Override
    void takeCurvature(double[] sums, double weight) {
        int at = NewtonPass.GRADIENT + features;
        for (int c = 0; c < features; c++) {
            scale[c] = 1 / (sums[at + c] / weight + ridge());
        }
        passWeight = weight;
    }

    @Override
    void take(double[] sums) {
        if (order != Order.PRODUCT) {
            super.take(sums);
            return;
        }
        double bend = 0;
        for (int c = 0; c < features; c++) {
            int at = NewtonPass.GRADIENT + c;
            sums[at] = Math.fma(ridge(), conjugate[c], sums[at] / passWeight);
            bend = Math.fma(conjugate[c], sums[at], bend);
        }
        double length = residualNorm / bend;
        double next = 0;
        double squares = 0;
        for (int c = 0; c < features; c++) {
            direction[c] = Math.fma(length, conjugate[c], direction[c]);
            double rest = Math.fma(-length, sums[NewtonPass.GRADIENT + c], residual[c]);
            residual[c] = rest;
            next = Math.fma(scale[c] * rest, rest, next);
            squares = Math.fma(rest, rest, squares);
        }
        double turn = next / residualNorm;
        for (int c = 0; c < features; c++) {
            conjugate[c] = Math.fma(turn, conjugate[c], scale[c] * residual[c]);
        }
        residualNorm = next;
        products++;
        solved = squares <= tolerance || products >= MOST_PRODUCTS;
    }

    @Override
    void advance() {
        if (order != Order.PRODUCT) {
            if (!isAccepted()) {
                halve();
                return;
            }
            settle();
            begin();
        }
        if (solved) {
            stepOn();
            order = Order.DIAGONAL;
        }
    }

    /** The first conjugate direction, which is that of the scaled gradient. */
    private void begin() {
        Arrays.fill(direction, 0);
        residualNorm = 0;
        double squares = 0;
        for (int c = 0; c < features; c++) {
            residual[c] = -gradient[c];
            conjugate[c] = scale[c] * residual[c];
            residualNorm = Math.fma(conjugate[c], residual[c], residualNorm);
            squares = Math.fma(residual[c], residual[c], squares);
        }
        double wanted = WELL_UNDER * 2 * ridge() * targetGap * objective();
        tolerance = Math.max(PRECISION * PRECISION * squares, wanted);
        products = 0;
        solved = residualNorm == 0;
        order = Order.PRODUCT;
    }

    @Override
    void save(DataOutput out) throws IOException {
        super.save(out);
        for (double[] vector : new double[][] {scale, residual, conjugate}) {
            SavedState.writeDoubles(out, vector);
        }
        out.writeDouble(residualNorm);
        out.writeDouble(tolerance);
        out.writeDouble(passWeight);
        out.writeInt(products);
        out.writeBoolean(solved);
    }

    @Override
    void restore(DataInput in) throws IOException {
        super.restore(in);
        for (double[] vector : new double[][] {scale, residual, conjugate}) {
            SavedState.readDoubles(in, vector);
        }
        residualNorm = in.readDouble();
        tolerance = in.readDouble();
        passWeight = in.readDouble();
        products = in.readInt();
        solved = in.readBoolean();
    }
}
