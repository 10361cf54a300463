package dev.starling.verify;

import dev.starling.data.Dataset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.DD;

/**
 * A problem with little or no regulariser, at a parameter: gradient and Hessian of mean loss + (λ/2)‖θ‖² in
 * double-double arithmetic, and the bound on the optimum that follows from them if the third derivative of the loss is
 * at most a multiple of its second.
 */
final class CurvedProblem {

    /** A feature may be left out if the others explain all but this fraction of its sum of squares. */
    private static final double DEPENDENT = 1e-9;

    /**
     * A feature whose pivot is less than this fraction of its diagonal entry depends on others, as far as
     * double-doubles tell.
     */
    private static final double LEAST_PIVOT = 1e-22;

    /**
     * The bound.
     *
     * @param excess by how much the objective exceeds the optimum at most; infinite if there is no bound
     * @param distance how far the parameter is from the optimum at most, in the norm of the Hessian
     * @param better the parameter after a Newton step
     */
    record Bound(double excess, double distance, DD[] better) {}

    private final CheckedLoss.Curved loss;
    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final int[] kept;
    private final DD[] theta;
    private final DD[] gradient;
    private final DD[][] hessian;

    CurvedProblem(
            CheckedLoss.Curved loss,
            Dataset rows,
            double[] labels,
            double[] weights,
            double lambda,
            int regularised,
            List<Integer> leftOut,
            DD[] theta) {
        this.loss = loss;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        this.theta = theta;
        this.kept = IntStream.range(0, rows.features())
                .filter(c -> !leftOut.contains(c))
                .toArray();
        this.gradient = Scales.zeros(rows.features());
        this.hessian = new DD[rows.features()][];
        for (int c = 0; c < hessian.length; c++) {
            hessian[c] = Scales.zeros(c + 1);
        }
        sumUp();
        for (int c = 0; c < regularised; c++) {
            gradient[c] = gradient[c].add(theta[c].multiply(lambda));
            hessian[c][c] = hessian[c][c].add(lambda);
        }
    }

    private void sumUp() {
        DD total = DD.ZERO;
        for (int i = 0; i < labels.length; i++) {
            double[] x = row(i);
            DD margin = DD.of(rows.offset(i));
            for (int c = 0; c < x.length; c++) {
                margin = x[c] == 0 ? margin : margin.add(theta[c].multiply(x[c]));
            }
            total = total.add(weights[i]);
            DD slope = loss.slope().apply(margin, labels[i]);
            DD curvature = loss.curvature().apply(margin, labels[i]);
            add(x, slope.multiply(weights[i]), curvature.multiply(weights[i]));
        }
        for (int a = 0; a < gradient.length; a++) {
            gradient[a] = gradient[a].divide(total);
            for (int b = 0; b <= a; b++) {
                hessian[a][b] = hessian[a][b].divide(total);
            }
        }
    }

    private void add(double[] x, DD slope, DD curvature) {
        for (int a = 0; a < x.length; a++) {
            if (x[a] == 0) {
                continue;
            }
            gradient[a] = gradient[a].add(slope.multiply(x[a]));
            DD scaled = curvature.multiply(x[a]);
            for (int b = 0; b <= a; b++) {
                hessian[a][b] = x[b] == 0 ? hessian[a][b] : hessian[a][b].add(scaled.multiply(x[b]));
            }
        }
    }

    private double[] row(int index) {
        double[] x = new double[rows.features()];
        for (int k = rows.start(index); k < rows.end(index); k++) {
            x[rows.isDense() ? k - rows.start(index) : rows.columns()[k]] =
                    rows.values().at(k);
        }
        return x;
    }

    /** Returns the bound; empty if the Hessian is singular, so that the optimum is not unique. */
    Optional<Bound> bound() {
        DD[][] factor = new DD[kept.length][];
        for (int i = 0; i < kept.length; i++) {
            factor[i] = new DD[i + 1];
            DD pivot = hessian[kept[i]][kept[i]];
            for (int j = 0; j < i; j++) {
                DD sum = hessian[kept[i]][kept[j]];
                for (int k = 0; k < j; k++) {
                    sum = sum.subtract(factor[i][k].multiply(factor[j][k]));
                }
                factor[i][j] = sum.divide(factor[j][j]);
                pivot = pivot.subtract(factor[i][j].square());
            }
            if (!DoubleDoubles.isMore(pivot, hessian[kept[i]][kept[i]].multiply(LEAST_PIVOT))) {
                return Optional.empty();
            }
            factor[i][i] = pivot.sqrt();
        }
        return Optional.of(bound(factor));
    }

    private Bound bound(DD[][] factor) {
        DD[] forward = forward(factor, picked(gradient));
        double decrement = Math.sqrt(squares(forward).hi());
        double longest = 0;
        for (int i = 0; loss.selfConcordance() > 0 && i < labels.length; i++) {
            double[] x = row(i);
            DD[] entries = new DD[kept.length];
            for (int k = 0; k < kept.length; k++) {
                entries[k] = DD.of(x[kept[k]]);
            }
            longest = Math.max(longest, squares(forward(factor, entries)).hi());
        }
        double a = loss.selfConcordance() * Math.sqrt(longest) * decrement;
        double infinity = Double.POSITIVE_INFINITY;
        return new Bound(
                a < 1 ? decrement * decrement / 2 * (1 + a / (3 * (1 - a))) : infinity,
                a < 1 ? decrement * (1 + a / (2 * (1 - a))) : infinity,
                better(factor, forward));
    }

    private DD[] picked(DD[] all) {
        DD[] result = new DD[kept.length];
        for (int k = 0; k < kept.length; k++) {
            result[k] = all[kept[k]];
        }
        return result;
    }

    private static DD[] forward(DD[][] factor, DD[] right) {
        DD[] result = new DD[right.length];
        for (int i = 0; i < right.length; i++) {
            DD sum = right[i];
            for (int k = 0; k < i; k++) {
                sum = sum.subtract(factor[i][k].multiply(result[k]));
            }
            result[i] = sum.divide(factor[i][i]);
        }
        return result;
    }

    private static DD squares(DD[] vector) {
        DD sum = DD.ZERO;
        for (DD entry : vector) {
            sum = sum.add(entry.square());
        }
        return sum;
    }

    private DD[] better(DD[][] factor, DD[] forward) {
        DD[] step = forward.clone();
        for (int i = step.length - 1; i >= 0; i--) {
            step[i] = step[i].divide(factor[i][i]);
            for (int k = 0; k < i; k++) {
                step[k] = step[k].subtract(factor[i][k].multiply(step[i]));
            }
        }
        DD[] result = theta.clone();
        for (int k = 0; k < kept.length; k++) {
            result[kept[k]] = theta[kept[k]].subtract(step[k]);
        }
        return result;
    }

    /** The number of features that are kept. */
    int kept() {
        return kept.length;
    }

    /** Whether the features that are kept explain one that is left out. */
    boolean explains(int feature) {
        int d = kept.length;
        double[][] system = new double[d][d + 1];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                system[i][j] = entry(kept[i], kept[j]);
            }
            system[i][d] = entry(kept[i], feature);
        }
        double rest = entry(feature, feature);
        for (int p = 0; p < d; p++) {
            double pivot = system[p][p];
            rest -= system[p][d] * system[p][d] / pivot;
            for (int i = p + 1; i < d; i++) {
                double share = system[i][p] / pivot;
                for (int j = p; j <= d; j++) {
                    system[i][j] -= share * system[p][j];
                }
            }
        }
        return rest <= DEPENDENT * entry(feature, feature);
    }

    private double entry(int a, int b) {
        return hessian[Math.max(a, b)][Math.min(a, b)].hi();
    }
}
