package dev.starling.cli.verify;

import dev.starling.data.Dataset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
    record Bound(double excess, double distance, DoubleDouble[] better) {}

    private final CheckedLoss.Curved loss;
    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final int[] kept;
    private final DoubleDouble[] theta;
    private final DoubleDouble[] gradient;
    private final DoubleDouble[][] hessian;

    CurvedProblem(
            CheckedLoss.Curved loss,
            Dataset rows,
            double[] labels,
            double[] weights,
            double lambda,
            int regularised,
            List<Integer> leftOut,
            DoubleDouble[] theta) {
        this.loss = loss;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        this.theta = theta;
        this.kept = IntStream.range(0, rows.features())
                .filter(c -> !leftOut.contains(c))
                .toArray();
        this.gradient = Scales.zeros(rows.features());
        this.hessian = new DoubleDouble[rows.features()][];
        for (int c = 0; c < hessian.length; c++) {
            hessian[c] = Scales.zeros(c + 1);
        }
        sumUp();
        for (int c = 0; c < regularised; c++) {
            gradient[c] = gradient[c].plus(theta[c].times(lambda));
            hessian[c][c] = hessian[c][c].plus(lambda);
        }
    }

    private void sumUp() {
        DoubleDouble total = DoubleDouble.ZERO;
        for (int i = 0; i < labels.length; i++) {
            double[] x = row(i);
            DoubleDouble margin = DoubleDouble.of(rows.shift(i));
            for (int c = 0; c < x.length; c++) {
                margin = x[c] == 0 ? margin : margin.plus(theta[c].times(x[c]));
            }
            total = total.plus(weights[i]);
            DoubleDouble slope = loss.slope().apply(margin, labels[i]);
            DoubleDouble curvature = loss.curvature().apply(margin, labels[i]);
            add(x, slope.times(weights[i]), curvature.times(weights[i]));
        }
        for (int a = 0; a < gradient.length; a++) {
            gradient[a] = gradient[a].over(total);
            for (int b = 0; b <= a; b++) {
                hessian[a][b] = hessian[a][b].over(total);
            }
        }
    }

    private void add(double[] x, DoubleDouble slope, DoubleDouble curvature) {
        for (int a = 0; a < x.length; a++) {
            if (x[a] == 0) {
                continue;
            }
            gradient[a] = gradient[a].plus(slope.times(x[a]));
            DoubleDouble scaled = curvature.times(x[a]);
            for (int b = 0; b <= a; b++) {
                hessian[a][b] = x[b] == 0 ? hessian[a][b] : hessian[a][b].plus(scaled.times(x[b]));
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
        DoubleDouble[][] factor = new DoubleDouble[kept.length][];
        for (int i = 0; i < kept.length; i++) {
            factor[i] = new DoubleDouble[i + 1];
            DoubleDouble pivot = hessian[kept[i]][kept[i]];
            for (int j = 0; j < i; j++) {
                DoubleDouble sum = hessian[kept[i]][kept[j]];
                for (int k = 0; k < j; k++) {
                    sum = sum.minus(factor[i][k].times(factor[j][k]));
                }
                factor[i][j] = sum.over(factor[j][j]);
                pivot = pivot.minus(factor[i][j].squared());
            }
            if (!pivot.isMoreThan(hessian[kept[i]][kept[i]].times(LEAST_PIVOT))) {
                return Optional.empty();
            }
            factor[i][i] = pivot.sqrt();
        }
        return Optional.of(bound(factor));
    }

    private Bound bound(DoubleDouble[][] factor) {
        DoubleDouble[] forward = forward(factor, picked(gradient));
        double decrement = Math.sqrt(squares(forward).high());
        double longest = 0;
        for (int i = 0; loss.selfConcordance() > 0 && i < labels.length; i++) {
            double[] x = row(i);
            DoubleDouble[] entries = new DoubleDouble[kept.length];
            for (int k = 0; k < kept.length; k++) {
                entries[k] = DoubleDouble.of(x[kept[k]]);
            }
            longest = Math.max(longest, squares(forward(factor, entries)).high());
        }
        double a = loss.selfConcordance() * Math.sqrt(longest) * decrement;
        double infinity = Double.POSITIVE_INFINITY;
        return new Bound(
                a < 1 ? decrement * decrement / 2 * (1 + a / (3 * (1 - a))) : infinity,
                a < 1 ? decrement * (1 + a / (2 * (1 - a))) : infinity,
                better(factor, forward));
    }

    private DoubleDouble[] picked(DoubleDouble[] all) {
        DoubleDouble[] result = new DoubleDouble[kept.length];
        for (int k = 0; k < kept.length; k++) {
            result[k] = all[kept[k]];
        }
        return result;
    }

    private static DoubleDouble[] forward(DoubleDouble[][] factor, DoubleDouble[] right) {
        DoubleDouble[] result = new DoubleDouble[right.length];
        for (int i = 0; i < right.length; i++) {
            DoubleDouble sum = right[i];
            for (int k = 0; k < i; k++) {
                sum = sum.minus(factor[i][k].times(result[k]));
            }
            result[i] = sum.over(factor[i][i]);
        }
        return result;
    }

    private static DoubleDouble squares(DoubleDouble[] vector) {
        DoubleDouble sum = DoubleDouble.ZERO;
        for (DoubleDouble entry : vector) {
            sum = sum.plus(entry.squared());
        }
        return sum;
    }

    private DoubleDouble[] better(DoubleDouble[][] factor, DoubleDouble[] forward) {
        DoubleDouble[] step = forward.clone();
        for (int i = step.length - 1; i >= 0; i--) {
            step[i] = step[i].over(factor[i][i]);
            for (int k = 0; k < i; k++) {
                step[k] = step[k].minus(factor[i][k].times(step[i]));
            }
        }
        DoubleDouble[] result = theta.clone();
        for (int k = 0; k < kept.length; k++) {
            result[kept[k]] = theta[kept[k]].minus(step[k]);
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
        return hessian[Math.max(a, b)][Math.min(a, b)].high();
    }
}
