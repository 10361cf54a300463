package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.loss.Binomial;
import dev.starling.loss.Elementary;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.SiteDifferences;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Firth's logistic regression: the fit that maximises the likelihood times the root of the determinant of the
 * information. It exists even where classes are told apart, and its estimates are less biased. With π the probability
 * of a row, v = π (1 − π), H = Σ w v xxᵀ and q = xᵀH⁻¹x, its gradient is Σ w (π − y − v q (½ − π)) x, and a step is H⁻¹
 * times that.
 *
 * <p>The objective is not convex in general, so what is proven is that the fit is the only stationary point near: with
 * the Jacobian J of the gradient, δ = ‖H^(−½) J H^(−½) − I‖ and K a bound on its change, there is one within 2ν/(1 − δ
 * + √((1 − δ)² − 2Kν)) of a point where the gradient has the length ν in the norm of H⁻¹.
 */
public final class Firth {

    private static final int MOST_STEPS = 500;
    private static final double CLOSE = 1e-13;
    private static final double UNIT = 0x1p-53;
    private static final double RADIUS = 0x1p-10;

    /** The part of a column's information that must be left without the columns before it. */
    private static final double LEAST = 0x1p-40;

    /** The Jacobian takes the fourth power of this many operations. */
    private static final int MOST_PROVEN = 100;

    /** The largest third derivative of the logistic loss. */
    private static final double LARGEST_THIRD = 1 / (6 * Math.sqrt(3));

    private final Binomial family = new Binomial();
    private final Dataset rows;
    private final boolean intercept;
    private final int d;
    private final double[][] x;
    private double[] theta;

    /* At θ: the inverse of H, row by row, and for each row π and q. */
    private double[] inverse;
    private final double[] means;
    private final double[] lengths;

    private Firth(Dataset rows, boolean intercept) {
        this.rows = rows;
        this.intercept = intercept;
        this.d = rows.features() + (intercept ? 1 : 0);
        this.x = new double[rows.rows()][];
        Arrays.setAll(x, j -> Scores.row(rows, j, d, intercept));
        this.theta = new double[d];
        this.means = new double[x.length];
        this.lengths = new double[x.length];
    }

    /**
     * Fits rows whose labels are 0 and 1, or shares with the numbers of trials as weights.
     *
     * @throws InvalidInputException if a column depends on others
     */
    public static LinearModel fit(Dataset rows, boolean intercept) {
        Binomial family = new Binomial();
        family.domain().require(rows, 0, rows.rows(), family.name());
        return new Firth(rows, intercept).fitted();
    }

    private LinearModel fitted() {
        double value = evaluate();
        double nu = Double.POSITIVE_INFINITY;
        for (int k = 0; k < MOST_STEPS && nu > CLOSE; k++) {
            double[] gradient = gradient();
            double[] step = times(inverse, gradient);
            nu = Math.sqrt(Math.max(0, Vectors.dot(step, gradient)));
            double[] from = theta;
            double part = 1;
            double next;
            do {
                theta = new double[d];
                for (int c = 0; c < d; c++) {
                    theta[c] = from[c] - part * step[c];
                }
                next = evaluate();
                part /= 2;
            } while (!(next <= value + 1e-10 * Math.abs(value)) && part > 1e-9);
            value = next;
        }
        double[] gradient = gradient();
        double size = Math.sqrt(Math.max(0, Vectors.dot(times(inverse, gradient), gradient))) + rounding();
        return model(distance(size));
    }

    /** Computes everything at θ and returns the objective P − ½ ln det H. */
    private double evaluate() {
        double[] information = new double[d * d];
        double loss = 0;
        for (int j = 0; j < x.length; j++) {
            double margin = Vectors.dot(x[j], theta) + rows.offset(j);
            means[j] = Elementary.sigmoid(margin);
            loss += rows.weight(j) * family.value(margin, rows.label(j));
            double v = rows.weight(j) * family.information(margin);
            for (int a = 0; a < d; a++) {
                for (int b = 0; b <= a; b++) {
                    information[a * d + b] = Math.fma(v * x[j][a], x[j][b], information[a * d + b]);
                    information[b * d + a] = information[a * d + b];
                }
            }
        }
        requireIndependent(information);
        Cholesky.factorise(information, d);
        inverse = Cholesky.inverseOfProduct(information, d);
        double determinant = 0;
        for (int c = 0; c < d; c++) {
            determinant += 2 * Elementary.log(information[c * d + c]);
        }
        for (int j = 0; j < x.length; j++) {
            lengths[j] = Vectors.dot(x[j], times(inverse, x[j]));
        }
        return loss - determinant / 2;
    }

    /** The intercept comes first here, so that a constant column is named instead of it. */
    private void requireIndependent(double[] information) {
        int first = intercept ? d - 1 : 0;
        double[] turned = new double[d * d];
        for (int k = 0; k < turned.length; k++) {
            turned[k] = information[(k / d + first) % d * d + (k + first) % d];
        }
        boolean[] independent = Cholesky.independent(turned, d, LEAST);
        for (int k = 0; k < d; k++) {
            if (!independent[k]) {
                int column = (k + first) % d;
                String name = column < rows.names().size() ? rows.names().get(column) : "feature " + (column + 1);
                throw new InvalidInputException("other columns, or the intercept, determine " + name
                        + ", which has no estimate; leave it out of the formula");
            }
        }
    }

    /** w (π − y − v q (½ − π)). */
    private double slope(int j) {
        double pi = means[j];
        return rows.weight(j)
                * (family.derivative(Vectors.dot(x[j], theta) + rows.offset(j), rows.label(j))
                        - rows.weight(j) * pi * (1 - pi) * lengths[j] * (0.5 - pi));
    }

    private double[] gradient() {
        double[] gradient = new double[d];
        for (int j = 0; j < x.length; j++) {
            double slope = slope(j);
            for (int c = 0; c < d; c++) {
                gradient[c] = Math.fma(slope, x[j][c], gradient[c]);
            }
        }
        return gradient;
    }

    /** A bound on what rounding may have done to the gradient, in the norm of H⁻¹. */
    private double rounding() {
        double sum = 0;
        for (int j = 0; j < x.length; j++) {
            double size = Math.abs(rows.offset(j));
            for (int c = 0; c < d; c++) {
                size += Math.abs(x[j][c] * theta[c]);
            }
            double ofMargin = (d + 10) * UNIT * size;
            sum += Math.sqrt(lengths[j])
                    * ((x.length + 64) * UNIT * Math.abs(slope(j)) + rows.weight(j) * (1 + lengths[j]) * ofMargin);
        }
        return sum;
    }

    private double distance(double nu) {
        if (d > MOST_PROVEN) {
            return Double.POSITIVE_INFINITY;
        }
        double longest = Math.sqrt(Arrays.stream(lengths).max().orElse(0));
        double third =
                0.5 * (1 + 5 * Math.sqrt(d)) * longest * longest * longest * Elementary.exp(3 * longest * RADIUS);
        for (int j = 0; j < x.length; j++) {
            third += rows.weight(j) * LARGEST_THIRD * lengths[j] * Math.sqrt(lengths[j]);
        }
        double rest = 1 - misfit();
        double inside = rest * rest - 2 * third * nu;
        double distance = 2 * nu / (rest + Math.sqrt(Math.max(0, inside)));
        return rest > 0 && inside > 0 && distance <= RADIUS ? distance : Double.POSITIVE_INFINITY;
    }

    /** δ: the Frobenius norm of H^(−½) (J − H) H^(−½), with J − H = −½ (Σ w ℓ'''' q xxᵀ − tr H⁻¹T_a H⁻¹T_b). */
    private double misfit() {
        double[][] turned = new double[d][];
        for (int a = 0; a < d; a++) {
            double[] third = new double[d * d];
            for (int j = 0; j < x.length; j++) {
                double pi = means[j];
                double factor = rows.weight(j) * pi * (1 - pi) * (1 - 2 * pi) * x[j][a];
                for (int b = 0; b < d; b++) {
                    for (int c = 0; c < d; c++) {
                        third[b * d + c] += factor * x[j][b] * x[j][c];
                    }
                }
            }
            turned[a] = product(inverse, third);
        }
        double[] difference = new double[d * d];
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
                double trace = 0;
                for (int c = 0; c < d; c++) {
                    for (int e = 0; e < d; e++) {
                        trace += turned[a][c * d + e] * turned[b][e * d + c];
                    }
                }
                double fourth = 0;
                for (int j = 0; j < x.length; j++) {
                    double v = means[j] * (1 - means[j]);
                    fourth += rows.weight(j) * v * (1 - 6 * v) * lengths[j] * x[j][a] * x[j][b];
                }
                difference[a * d + b] = -0.5 * (fourth - trace);
            }
        }
        // ‖L⁻¹DL⁻ᵀ‖² is the trace of H⁻¹DH⁻¹D.
        double[] product = product(inverse, difference);
        double squares = 0;
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < d; b++) {
                squares += product[a * d + b] * product[b * d + a];
            }
        }
        return Math.sqrt(Math.max(0, squares)) * (1 + 0x1p-20);
    }

    private LinearModel model(double distance) {
        double deviance = 0;
        double pearson = 0;
        double constant = 0;
        double weight = 0;
        double count = 0;
        for (int j = 0; j < x.length; j++) {
            double w = rows.weight(j);
            double residual = rows.label(j) - means[j];
            deviance += 2 * w * family.value(Vectors.dot(x[j], theta) + rows.offset(j), rows.label(j));
            pearson += w * residual * residual / family.variance(means[j]);
            constant += w > 0 ? family.constant(rows.label(j), w) : 0;
            weight += w;
            count += w > 0 ? 1 : 0;
        }
        double longest = Math.sqrt(Arrays.stream(lengths).max().orElse(0));
        double relative = Elementary.expm1(longest * distance / 2) + x.length * d * UNIT;
        double[] errors = new double[d];
        double[] covariance = new double[d * (d + 1) / 2];
        for (int a = 0; a < d; a++) {
            errors[a] = distance * Math.sqrt(inverse[a * d + a]);
            System.arraycopy(inverse, a * d, covariance, a * (a + 1) / 2, a + 1);
        }
        // The gradient of the likelihood alone, ½ Σ w ℓ''' q x, has at most the length ½ B Σ h = ½ B d in the norm of
        // H⁻¹.
        double devianceError = distance * (d * longest + 2 * distance) + (x.length + 64) * UNIT * deviance;
        double[] relativeErrors = new double[d];
        Arrays.fill(relativeErrors, relative);
        double alone = nullDeviance();
        Inference known = new Inference(
                count,
                weight,
                deviance,
                devianceError,
                alone,
                (Coefficient.ROUNDING + x.length * Math.ulp(1.0)) * alone,
                pearson,
                Double.POSITIVE_INFINITY,
                constant,
                0,
                0,
                0,
                intercept,
                errors,
                covariance,
                relativeErrors,
                StandardErrors.MODEL,
                0,
                new double[0],
                new double[0],
                new double[0],
                0,
                SiteDifferences.NONE,
                new double[0],
                new double[0],
                Optional.empty());
        double[][] weights = {Arrays.copyOf(theta, rows.features())};
        double[] intercepts = {intercept ? theta[d - 1] : 0};
        return new LinearModel(family.name(), List.of(), rows.names(), weights, intercepts, Provenance.UNKNOWN)
                .with(known);
    }

    /** The deviance of the intercept and offsets only, by steps that never lead beyond a sign change of the slope. */
    private double nullDeviance() {
        double low = -50;
        double high = 50;
        for (int k = 0; intercept && k < 200; k++) {
            double middle = (low + high) / 2;
            double slope = 0;
            for (int j = 0; j < x.length; j++) {
                slope += rows.weight(j) * family.derivative(middle + rows.offset(j), rows.label(j));
            }
            low = slope < 0 ? middle : low;
            high = slope < 0 ? high : middle;
        }
        double margin = intercept ? (low + high) / 2 : 0;
        double sum = 0;
        for (int j = 0; j < x.length; j++) {
            sum += 2 * rows.weight(j) * family.value(margin + rows.offset(j), rows.label(j));
        }
        return sum;
    }

    private double[] product(double[] a, double[] b) {
        double[] product = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int k = 0; k < d; k++) {
                for (int j = 0; j < d; j++) {
                    product[i * d + j] = Math.fma(a[i * d + k], b[k * d + j], product[i * d + j]);
                }
            }
        }
        return product;
    }

    private double[] times(double[] matrix, double[] vector) {
        double[] result = new double[d];
        Arrays.setAll(result, a -> Vectors.dot(matrix, a * d, vector, 0, d));
        return result;
    }
}
