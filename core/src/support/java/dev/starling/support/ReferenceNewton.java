package dev.starling.support;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.problem.CompensatedSum;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * The optimum of mean loss + (λ/2)‖θ‖² found another way than any algorithm of the product: damped Newton on the
 * primal, with the explicit Hessian. For few features only.
 */
public final class ReferenceNewton {

    private final Dataset data;
    private final Loss loss;
    private final double lambda;
    private final int regularised;
    private final double totalWeight;

    private ReferenceNewton(Dataset data, Loss loss, double lambda, int regularised) {
        this.data = data;
        this.loss = loss;
        this.lambda = lambda;
        this.regularised = regularised;
        double weight = 0;
        for (int i = 0; i < data.rows(); i++) {
            weight += data.weight(i);
        }
        totalWeight = weight;
    }

    /** The optimal θ, to a gradient norm of about 1e-13; labels as the loss sees them. */
    public static double[] optimum(Dataset data, Loss loss, double lambda) {
        return optimum(data, loss, lambda, data.features());
    }

    /** The same where only the first features are regularised, so many of them. */
    public static double[] optimum(Dataset data, Loss loss, double lambda, int regularised) {
        return new ReferenceNewton(data, loss, lambda, regularised).solve();
    }

    /** The objective at θ. */
    public static double objective(Dataset data, Loss loss, double lambda, double[] theta) {
        return objective(data, loss, lambda, data.features(), theta);
    }

    /** The same where only the first features are regularised, so many of them. */
    public static double objective(Dataset data, Loss loss, double lambda, int regularised, double[] theta) {
        return new ReferenceNewton(data, loss, lambda, regularised).value(theta);
    }

    private double[] solve() {
        int d = data.features();
        double[] theta = new double[d];
        double value = value(theta);
        for (int iteration = 0; iteration < 200; iteration++) {
            DMatrixRMaj gradient = new DMatrixRMaj(d, 1);
            DMatrixRMaj hessian = new DMatrixRMaj(d, d);
            fill(theta, gradient, hessian);
            if (norm(gradient.data) < 1e-14) {
                break;
            }
            LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.chol(d);
            if (!solver.setA(hessian)) {
                throw new IllegalStateException("the Hessian is not positive definite");
            }
            DMatrixRMaj direction = new DMatrixRMaj(d, 1);
            solver.solve(gradient, direction);
            double step = 1;
            double[] next = moved(theta, direction.data, step);
            double nextValue = value(next);
            while (nextValue > value && step > 1e-10) {
                step /= 2;
                next = moved(theta, direction.data, step);
                nextValue = value(next);
            }
            if (nextValue > value) {
                break;
            }
            theta = next;
            value = nextValue;
        }
        return theta;
    }

    private double value(double[] theta) {
        CompensatedSum sum = new CompensatedSum();
        for (int i = 0; i < data.rows(); i++) {
            sum.add(data.weight(i) * loss.value(data.dot(i, theta), data.label(i)));
        }
        double squared = 0;
        for (int a = 0; a < regularised; a++) {
            squared += theta[a] * theta[a];
        }
        return sum.value() / totalWeight + lambda / 2 * squared;
    }

    private void fill(double[] theta, DMatrixRMaj gradient, DMatrixRMaj hessian) {
        int d = theta.length;
        double[] row = new double[d];
        for (int i = 0; i < data.rows(); i++) {
            double margin = data.dot(i, theta);
            double label = data.label(i);
            double weight = data.weight(i) / totalWeight;
            double h = 1e-5 * Math.max(1, Math.abs(margin));
            double curvature = (loss.derivative(margin + h, label) - loss.derivative(margin - h, label)) / (2 * h);
            java.util.Arrays.fill(row, 0);
            data.addTo(i, 1, row);
            double slope = weight * loss.derivative(margin, label);
            for (int a = 0; a < d; a++) {
                if (row[a] == 0) {
                    continue;
                }
                gradient.data[a] += slope * row[a];
                double scaled = weight * curvature * row[a];
                for (int b = 0; b < d; b++) {
                    hessian.data[a * d + b] += scaled * row[b];
                }
            }
        }
        for (int a = 0; a < regularised; a++) {
            gradient.data[a] += lambda * theta[a];
            hessian.data[a * d + a] += lambda;
        }
        for (int a = regularised; a < d; a++) {
            // Losses with straight parts may have no curvature: a little damping changes the steps, not the optimum.
            hessian.data[a * d + a] += 1e-6;
        }
    }

    private static double[] moved(double[] theta, double[] direction, double step) {
        double[] next = new double[theta.length];
        for (int a = 0; a < next.length; a++) {
            next[a] = theta[a] - step * direction[a];
        }
        return next;
    }

    private static double norm(double[] vector) {
        double sum = 0;
        for (double value : vector) {
            sum += value * value;
        }
        return Math.sqrt(sum);
    }
}
