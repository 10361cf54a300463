package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.util.Arrays;

/**
 * Rao's statistic gᵀE⁻¹g, with the slopes g and the expected information E of a larger model at the estimates of a
 * smaller one. If these are off by so much that the margin of a row is off by r, then v by at most a factor e^(Cr), and
 * the length of g in the norm of E⁻¹ by the sum of all w ‖x‖ r sup |ℓ''|.
 */
final class ScoreTest {

    private ScoreTest() {}

    static Proven of(LinearModel small, LinearModel large, Dataset rows) {
        Inference known = GlmTable.inference(large);
        Inference before = GlmTable.inference(small);
        Likelihood family = GlmTable.family(large);
        double[] theta = new double[known.coefficients()];
        double[] off = new double[theta.length];
        for (int k = 0; k < theta.length; k++) {
            int at = k == large.features()
                    ? before.intercept() ? small.features() : -1
                    : small.names().indexOf(large.names().get(k));
            if (at >= 0 && before.isEstimated(at)) {
                theta[k] = at == small.features() ? small.intercept(0) : small.weight(0, at);
                off[k] = before.estimateErrors()[at];
            }
        }
        double weight = 0;
        for (int i = 0; i < rows.rows(); i++) {
            weight += rows.weight(i);
        }
        if (!(Math.abs(weight - known.weight()) <= 1e-9 * known.weight())) {
            throw new InvalidInputException("the rows weigh " + weight + " in all, and those of the models "
                    + known.weight() + "; give the file that the models were fitted to");
        }
        return statistic(family, labelled(rows, large), known, new Scores(theta, off, known.intercept()));
    }

    /** The rows with labels as the loss takes them: two classes as −1 and 1. */
    static Dataset labelled(Dataset rows, LinearModel model) {
        return model.isClassifier()
                ? rows.withLabels(Arrays.stream(rows.labels())
                        .map(label -> label == model.classes().get(1) ? 1 : -1)
                        .toArray())
                : rows;
    }

    private static Proven statistic(Likelihood family, Dataset rows, Inference known, Scores scores) {
        int d = known.coefficients();
        double[] slopes = new double[d];
        double[] information = new double[d * d];
        for (int i = 0; i < rows.rows(); i++) {
            double[] row = kept(known, scores.row(rows, i));
            double margin = scores.score(row, rows.offset(i));
            Vectors.add(slopes, rows.weight(i) * family.derivative(margin, rows.label(i)), row);
            double v = rows.weight(i) * family.information(margin);
            for (int a = 0; a < d; a++) {
                for (int b = 0; row[a] != 0 && b <= a; b++) {
                    information[a * d + b] = Math.fma(v * row[a], row[b], information[a * d + b]);
                }
            }
        }
        for (int a = 0; a < d; a++) {
            information[a * d + a] = known.isEstimated(a) ? information[a * d + a] : 1;
        }
        Cholesky.factorise(information, d);
        double[] inverse = Cholesky.inverse(information, d);
        double length = length(inverse, slopes);
        double slopeError = 0;
        double change = 0;
        for (int i = 0; i < rows.rows(); i++) {
            double[] row = kept(known, scores.row(rows, i));
            double margin = scores.score(row, rows.offset(i));
            double radius = scores.radius(row, rows.offset(i));
            double bend = Math.abs(family.curvature(margin, rows.label(i)))
                    + radius * family.thirdWithin(margin, rows.label(i), radius);
            double rounding = Coefficient.ROUNDING * Math.abs(family.derivative(margin, rows.label(i)));
            slopeError += rows.weight(i) * length(inverse, row) * (radius * bend + rounding);
            change = Math.max(change, radius * family.informationChange(margin, radius));
        }
        // The information is as far off as its sums are, which its inverse may enlarge by the number of columns.
        double factor = Elementary.expm1(change / 2) + Coefficient.ROUNDING * d;
        double root = (length + slopeError) * (1 + factor);
        return new Proven(length * length, root * root - length * length);
    }

    /** A row without columns that are left out. */
    private static double[] kept(Inference known, double[] row) {
        Arrays.setAll(row, k -> known.isEstimated(k) ? row[k] : 0);
        return row;
    }

    private static double length(double[] inverse, double[] vector) {
        int d = vector.length;
        double squares = 0;
        for (int b = 0; b < d; b++) {
            double entry = Vectors.dot(inverse, b * d, vector, 0, b + 1);
            squares += entry * entry;
        }
        return Math.sqrt(squares);
    }
}
