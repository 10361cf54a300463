package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.loss.Likelihood;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.SiteDifferences;
import dev.starling.node.SumWords;
import dev.starling.objective.ClusterLeverages;
import dev.starling.objective.InformationPass;
import dev.starling.objective.ProofBasis;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.Optional;

/**
 * The expected and the observed information at an estimate with their inverses, and what bounds on their changes make
 * of them. docs/statistics.md says which bounds these are.
 *
 * @param whitening the basis X in which the sums were made: rows are Xx and coefficients φ, with θ = Xᵀφ; empty for
 *     rows as they are
 * @param misfit bounds on the relative errors of the inverses
 */
record Information(
        double[] totals,
        FittedPoint estimate,
        double[] whitening,
        ProofBasis expected,
        ProofBasis observed,
        double misfit) {

    /** The number of roundings in one number besides those of adding it up, with room to spare. */
    static final int OPERATIONS = 32;

    /** Returns the information in the totals of a first pass. */
    static Information of(double[] totals, Likelihood family, FittedPoint estimate, double[] whitening, int nodes) {
        int d = estimate.theta().length;
        double[] first = square(totals, InformationPass.INFORMATION, estimate.leftOut());
        ProofBasis expected = basis(first, estimate.leftOut(), 0);
        // Sums of nodes are added up exactly.
        long additions = Math.min(estimate.samples(), InformationPass.ADDED_AT_ONCE);
        // Rows in another basis are rounded once more.
        double ofRows = whitening.length == 0 ? 0 : OPERATIONS * Math.sqrt(d) * Rounding.UNIT;
        double misfit = expected.misfit(first, additions) + ofRows + ofWords(expected, nodes * d);
        if (family.isCanonical()) {
            return new Information(totals, estimate, whitening, expected, expected, misfit);
        }
        double[] second = square(totals, InformationPass.INFORMATION + d * (d + 1) / 2, estimate.leftOut());
        ProofBasis observed = basis(second, estimate.leftOut(), 0);
        double other = observed.misfit(second, additions) + ofRows + ofWords(observed, nodes * d);
        return new Information(totals, estimate, whitening, expected, observed, Math.max(misfit, other));
    }

    /**
     * What rounding sums to words makes of the inverse: nothing to speak of, unless the information is next to none.
     */
    private static double ofWords(ProofBasis basis, int words) {
        double part = basis.length() * basis.length() * words * SumWords.ROUNDING;
        return part > Rounding.UNIT ? part : 0;
    }

    private static double[] square(double[] totals, int at, boolean[] leftOut) {
        int d = leftOut.length;
        double[] matrix = Cholesky.symmetric(totals, at, d);
        for (int k = 0; k < d * d; k++) {
            matrix[k] = k % d > k / d || leftOut[k / d] || leftOut[k % d] ? 0 : matrix[k];
        }
        return matrix;
    }

    static ProofBasis basis(double[] matrix, boolean[] leftOut, double radius) {
        int d = leftOut.length;
        double[] factor = matrix.clone();
        for (int c = 0; c < d; c++) {
            factor[c * d + c] = leftOut[c] ? 1 : factor[c * d + c];
        }
        Cholesky.factorise(factor, d);
        return ProofBasis.of(matrix, factor, leftOut, radius > 0, radius);
    }

    /** The weighted mean of the responses. */
    double mean() {
        return totals[InformationPass.RESPONSES] / totals[InformationPass.WEIGHT];
    }

    boolean hasOffsets() {
        return totals[InformationPass.OFFSETS] > 0;
    }

    /** XTᵀ for the expected information: its columns have the lengths of the standard errors on raw features. */
    double[] rawFactor() {
        return rawFactor(expected, map());
    }

    /** The linear map that makes the coefficients that sums are about those on raw features. */
    private double[][] map() {
        double[][] raw = estimate.rawMap();
        if (whitening.length == 0) {
            return raw;
        }
        int d = raw.length;
        double[][] map = new double[d][d];
        for (int k = 0; k < d; k++) {
            for (int a = 0; a < d; a++) {
                for (int b = raw[k][a] == 0 ? d : a; b < d; b++) {
                    map[k][b] = raw[k][a] * whitening[b * d + a];
                }
            }
        }
        return map;
    }

    /** Satterthwaite's degrees of freedom of each coefficient; none unless sums for them were added up. */
    private double[] degrees(double[] bounds, StandardErrors kind) {
        int d = estimate.theta().length;
        int triangle = d * (d + 1) / 2;
        double[] degrees = new double[kind == StandardErrors.CR2 ? d : 0];
        Arrays.setAll(
                degrees,
                k -> ClusterLeverages.degrees(
                        bounds,
                        InformationPass.SQUARED_SLOPES + triangle + k * (InformationPass.DEGREES + triangle),
                        d));
        return degrees;
    }

    /** Returns all that is known after the second pass. */
    Inference inference(double[] bounds, StandardErrors kind) {
        int d = estimate.theta().length;
        double[][] map = map();
        double[][] ofTheta = estimate.rawMap();
        double[] raw = rawFactor(expected, map);
        double[] spread = roots(gram(rawFactor(observed, map), d), d);
        double[] covariance = gram(raw, d);
        double[] errors = roots(covariance, d);
        // Lengths in the norms of the inverses may be this much too small.
        double slightlyMore = 1 / ((1 - misfit) * Math.sqrt(1 - misfit));
        double distance = misfit < 1 && estimate.distance() <= InformationPass.RADIUS
                ? estimate.distance() / Math.sqrt(1 - misfit)
                : Double.POSITIVE_INFINITY;
        double change = distance * slightlyMore * bounds[InformationPass.CHANGE_OF_INFORMATION];
        double relative = change < 1 ? 1 / Math.sqrt((1 - misfit) * (1 - change)) - 1 : Double.POSITIVE_INFINITY;
        double[] estimateErrors = new double[d];
        double[] relativeErrors = new double[d];
        for (int k = 0; k < d; k++) {
            estimateErrors[k] = errors[k] == 0 ? 0 : distance * spread[k] + rounding(ofTheta[k], estimate.theta());
            relativeErrors[k] = errors[k] == 0 ? 0 : relative + roundingOfRoot(map[k], expected) / errors[k];
        }
        double unit = estimate.weightUnit() * estimate.lossUnit();
        double pearson = totals[InformationPass.PEARSON];
        double[] robust = kind.isRobust() ? robust(white(bounds, kind), raw) : new double[0];
        return new Inference(
                totals[InformationPass.ROWS],
                estimate.weightUnit() * totals[InformationPass.WEIGHT],
                unit * 2 * totals[InformationPass.LOSS],
                unit
                        * 2
                        * (estimate.excess()
                                + bounds[InformationPass.ROUNDING_OF_LOSS]
                                + InformationPass.OPERATIONS * Rounding.UNIT * totals[InformationPass.LOSS]),
                Double.NaN,
                Double.POSITIVE_INFINITY,
                unit * pearson,
                unit
                        * (distance * slightlyMore * bounds[InformationPass.CHANGE_OF_PEARSON]
                                + bounds[InformationPass.ROUNDING_OF_PEARSON]
                                + OPERATIONS * Rounding.UNIT * pearson),
                totals[InformationPass.CONSTANT],
                estimate.weightUnit() * totals[InformationPass.SHAPE_SLOPE],
                estimate.weightUnit() * distance * slightlyMore * bounds[InformationPass.CHANGE_OF_SHAPE],
                estimate.weightUnit() * totals[InformationPass.SHAPE_INFORMATION],
                estimate.intercept(),
                estimateErrors,
                Arrays.stream(covariance).map(entry -> entry / unit).toArray(),
                relativeErrors,
                kind,
                bounds[InformationPass.CLUSTERS],
                robust,
                robustErrors(bounds, kind, errors, distance, change),
                degrees(bounds, kind),
                degreesError(bounds, kind, change, raw),
                SiteDifferences.NONE,
                new double[0],
                new double[0],
                Optional.empty());
    }

    /**
     * A bound on the relative error of degrees of freedom. They are (tr Φ)²/‖Φ‖², with Φ = diag(a) − UᵀU of G clusters.
     * If the information changes by a part c, a cluster's S changes by at most 4c and A by 4κ³c, with κ ≥ ‖A‖ of all
     * clusters; for a coefficient with ‖q‖ = 1 follow ‖ΔAq‖ ≤ 6κ³c, ‖Δu‖ ≤ 11κ³c, |Δa| ≤ 21κ⁴c, and as ‖U‖ ≤ κ, both tr
     * Φ and ‖Φ‖ ≥ tr Φ/√G change by at most 48Gκ⁴c.
     */
    private double degreesError(double[] bounds, StandardErrors kind, double change, double[] raw) {
        if (kind != StandardErrors.CR2) {
            return 0;
        }
        int d = estimate.theta().length;
        int triangle = d * (d + 1) / 2;
        double clusters = bounds[InformationPass.CLUSTERS];
        double kappa = Math.max(1, Math.sqrt(Math.sqrt(Math.sqrt(bounds[InformationPass.ADJUSTMENTS]))));
        double part = Math.max(change, 0) + misfit + (2 * OPERATIONS * d + clusters) * Rounding.UNIT;
        double worst = 0;
        for (int k = 0; k < d; k++) {
            int at = InformationPass.SQUARED_SLOPES + triangle + k * (InformationPass.DEGREES + triangle);
            double length = 0;
            for (int b = 0; b < d; b++) {
                length += raw[b * d + k] * raw[b * d + k];
            }
            double trace = (bounds[at] - bounds[at + 1]) / length;
            double off = 48 * clusters * kappa * kappa * kappa * kappa * part / trace;
            double of = Math.sqrt(clusters) * off;
            double ratio = (1 + off) / (1 - of);
            worst = Math.max(worst, length == 0 ? 0 : of < 1 ? ratio * ratio - 1 : Double.POSITIVE_INFINITY);
        }
        return 16 * part * kappa * kappa < 1 ? worst : Double.POSITIVE_INFINITY;
    }

    /** XTᵀ: its columns have the lengths of the standard errors on raw features. */
    static double[] rawFactor(ProofBasis basis, double[][] map) {
        int d = map.length;
        double[] product = new double[d * d];
        for (int k = 0; k < d; k++) {
            for (int a = 0; a < d; a++) {
                // Few features are more than one coefficient.
                for (int b = map[k][a] == 0 ? d : a; b < d; b++) {
                    product[b * d + k] = Math.fma(basis.inverse()[b * d + a], map[k][a], product[b * d + k]);
                }
            }
        }
        return product;
    }

    /** The lower triangle of XᵀX. */
    static double[] gram(double[] x, int d) {
        double[] triangle = new double[d * (d + 1) / 2];
        for (int b = 0; b < d; b++) {
            for (int i = 0; i < d; i++) {
                int at = i * (i + 1) / 2;
                for (int j = x[b * d + i] == 0 ? d : 0; j <= i; j++) {
                    triangle[at + j] = Math.fma(x[b * d + i], x[b * d + j], triangle[at + j]);
                }
            }
        }
        return triangle;
    }

    static double[] roots(double[] triangle, int d) {
        double[] roots = new double[d];
        for (int k = 0; k < d; k++) {
            roots[k] = Math.sqrt(Inference.entry(triangle, k, k));
        }
        return roots;
    }

    /** Bounds the rounding of a coefficient on raw features: none if it is one of θ itself. */
    static double rounding(double[] row, double[] theta) {
        double size = 0;
        int parts = 0;
        for (int a = 0; a < row.length; a++) {
            size += Math.abs(row[a] * theta[a]);
            parts += row[a] == 0 ? 0 : row[a] == 1 ? 1 : 2;
        }
        return parts > 1 ? (row.length + OPERATIONS) * Rounding.UNIT * size : 0;
    }

    static double roundingOfRoot(double[] row, ProofBasis basis) {
        int d = row.length;
        double squares = 0;
        for (int b = 0; b < d; b++) {
            double size = 0;
            for (int a = 0; a <= b; a++) {
                size += Math.abs(basis.inverse()[b * d + a] * row[a]);
            }
            squares += size * size;
        }
        return 2 * (d + OPERATIONS) * Rounding.UNIT * Math.sqrt(squares);
    }

    /** E⁻¹ΣE⁻¹ on raw features, with E⁻¹ = XᵀX and Σ the squared slopes. */
    private double[] robust(double[] white, double[] raw) {
        int d = estimate.theta().length;
        double[] half = new double[d * d];
        for (int b = 0; b < d; b++) {
            for (int k = 0; k < d; k++) {
                double sum = 0;
                for (int c = 0; c < d; c++) {
                    sum = Math.fma(Inference.entry(white, b, c), raw[c * d + k], sum);
                }
                half[b * d + k] = sum;
            }
        }
        double[] triangle = new double[d * (d + 1) / 2];
        int at = 0;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                for (int b = 0; b < d; b++) {
                    triangle[at] = Math.fma(raw[b * d + i], half[b * d + j], triangle[at]);
                }
                at++;
            }
        }
        return triangle;
    }

    /** XΣXᵀ; what makes up for the leverage of clusters is added up in this form. */
    private double[] white(double[] bounds, StandardErrors kind) {
        int d = estimate.theta().length;
        if (kind == StandardErrors.CR2) {
            int from = InformationPass.SQUARED_SLOPES;
            return Arrays.copyOfRange(bounds, from, from + d * (d + 1) / 2);
        }
        double[] x = expected.inverse();
        double[] squares = square(bounds, InformationPass.SQUARED_SLOPES, estimate.leftOut());
        double[] triangle = new double[d * (d + 1) / 2];
        double[] row = new double[d];
        int at = 0;
        for (int i = 0; i < d; i++) {
            for (int c = 0; c < d; c++) {
                row[c] = 0;
                for (int a = 0; a <= i; a++) {
                    row[c] = Math.fma(x[i * d + a], squares[Math.max(a, c) * d + Math.min(a, c)], row[c]);
                }
            }
            for (int j = 0; j <= i; j++) {
                for (int c = 0; c <= j; c++) {
                    triangle[at] = Math.fma(row[c], x[j * d + c], triangle[at]);
                }
                at++;
            }
        }
        return triangle;
    }

    /**
     * With all lengths in the norm of the expected information, the root of Σ is at most its trace's, and changes by at
     * most the root of the sum of all squared changes.
     */
    private double[] robustErrors(
            double[] bounds, StandardErrors kind, double[] errors, double distance, double change) {
        if (!kind.isRobust()) {
            return new double[0];
        }
        double[] result = new double[errors.length];
        double[] white = white(bounds, kind);
        double trace = 0;
        for (int k = 0; k < errors.length; k++) {
            trace += Inference.entry(white, k, k);
        }
        double drift = Math.max(change, 0) + misfit;
        double slopes = distance * Math.sqrt(bounds[InformationPass.CHANGE_OF_SLOPES])
                + drift * Math.sqrt(bounds[InformationPass.SHARE_OF_LEVERAGES]);
        for (int k = 0; k < errors.length; k++) {
            result[k] = errors[k] == 0
                    ? 0
                    : drift < 1
                            ? errors[k]
                                    * (slopes + (drift + errors.length * OPERATIONS * Rounding.UNIT) * Math.sqrt(trace))
                                    / (1 - drift)
                            : Double.POSITIVE_INFINITY;
        }
        return result;
    }
}
