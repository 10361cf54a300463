package dev.starling.statistics;

import dev.starling.loss.Elementary;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * Minus the log-likelihood of several classes, Σ w (ln Σ_k e^η_k − η_y), with a block of coefficients for every class
 * but the first, to which the others are compared. A third derivative is a third central moment of numbers whose range
 * is at most the length of the longest difference of two blocks, so it is at most w b³/(6√3).
 */
final class Multinomial implements ProvenNewton.Objective {

    private final ClassRows rows;
    private final int features;
    private final int others;

    Multinomial(ClassRows rows) {
        this.rows = rows;
        this.features = rows.features();
        this.others = rows.totals().length - 1;
    }

    @Override
    public int parameters() {
        return others * features;
    }

    @Override
    public String name(int parameter) {
        int feature = parameter % features - (features - rows.names().size());
        return feature < 0 ? GlmTable.INTERCEPT : rows.names().get(feature);
    }

    @Override
    public double[] start() {
        return new double[parameters()];
    }

    @Override
    public double weight() {
        return rows.weight();
    }

    /**
     * Overwrites the probabilities of the classes but the first with those of a row, and returns the logarithm of their
     * sum.
     */
    private double probabilities(int i, double[] theta, double[] p) {
        double highest = 0;
        for (int k = 0; k < others; k++) {
            double score = 0;
            for (int c = 0; c < features; c++) {
                score = Math.fma(rows.x()[i][c], theta[k * features + c], score);
            }
            p[k] = score;
            highest = Math.max(highest, score);
        }
        double sum = Elementary.exp(-highest);
        double own = rows.classes()[i] == 0 ? 0 : p[rows.classes()[i] - 1];
        for (int k = 0; k < others; k++) {
            p[k] = Elementary.exp(p[k] - highest);
            sum += p[k];
        }
        for (int k = 0; k < others; k++) {
            p[k] /= sum;
        }
        return highest + Elementary.log(sum) - own;
    }

    @Override
    public ProvenNewton.Sums at(double[] theta) {
        int size = parameters();
        CompensatedSum value = new CompensatedSum();
        CompensatedSum[] gradient = new CompensatedSum[size];
        Arrays.setAll(gradient, k -> new CompensatedSum());
        double[] hessian = new double[size * size];
        double[] p = new double[others];
        for (int i = 0; i < rows.count(); i++) {
            double weight = rows.weights()[i];
            double[] x = rows.x()[i];
            value.add(weight * probabilities(i, theta, p));
            for (int k = 0; k < others; k++) {
                double slope = weight * (p[k] - (rows.classes()[i] == k + 1 ? 1 : 0));
                for (int c = 0; c < features; c++) {
                    gradient[k * features + c].add(slope * x[c]);
                }
                for (int l = 0; l <= k; l++) {
                    double curvature = weight * p[k] * ((k == l ? 1 : 0) - p[l]);
                    for (int a = 0; a < features; a++) {
                        double part = curvature * x[a];
                        int at = (k * features + a) * size + l * features;
                        for (int b = 0; b < features; b++) {
                            hessian[at + b] = Math.fma(part, x[b], hessian[at + b]);
                        }
                    }
                }
            }
        }
        for (int a = 0; a < size; a++) {
            for (int b = 0; b < a; b++) {
                hessian[b * size + a] = hessian[a * size + b];
            }
        }
        return new ProvenNewton.Sums(
                value.value(),
                Arrays.stream(gradient).mapToDouble(CompensatedSum::value).toArray(),
                hessian);
    }

    @Override
    public ProvenNewton.Change change(double[] theta, ToDoubleFunction<double[]> length) {
        double third = 0;
        double squares = 0;
        double lengths = 0;
        double largest = 0;
        double[] vector = new double[parameters()];
        for (int i = 0; i < rows.count(); i++) {
            double longest = 0;
            for (int k = 0; k < others; k++) {
                for (int l = -1; l < k; l++) {
                    Arrays.fill(vector, 0);
                    double score = 0;
                    for (int c = 0; c < features; c++) {
                        vector[k * features + c] = rows.x()[i][c];
                        score = Math.fma(rows.x()[i][c], theta[k * features + c], score);
                        if (l >= 0) {
                            vector[l * features + c] = -rows.x()[i][c];
                        }
                    }
                    largest = Math.max(largest, Math.abs(score));
                    longest = Math.max(longest, length.applyAsDouble(vector));
                }
            }
            double weight = rows.weights()[i];
            third += weight * longest * longest * longest / (6 * Math.sqrt(3));
            squares += weight * longest * longest;
            lengths += weight * longest;
        }
        double relative = Rounding.UNIT * (2.0 * rows.count() + 8 * (features + others) * (1 + largest) + 64);
        return new ProvenNewton.Change((1 + 0x1p-20) * third, Double.POSITIVE_INFINITY, squares, lengths, relative);
    }
}
