package dev.starling.method.newton;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.objective.ColumnStore;
import dev.starling.objective.PassLayout;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;

/**
 * Minimises an elastic net in some of its columns on the rows of one node: steps to the minimum of the second-order
 * model, which coordinate descent finds without adding up its matrix, from the columns themselves (Friedman et al.
 * 2010). It proves nothing; a pass over all rows and columns follows.
 *
 * <p>It has more fields than most classes, and is longer than most: what it knows of every row, block and column is
 * kept from step to step, so that steps allocate nothing, and sweeps and the steps to where they lead share it.
 */
final class ColumnDescent {

    private static final double SUFFICIENT_DECREASE = 1e-4;
    private static final double ROUNDING = 0x1p-48;
    private static final int MOST_STEPS = 50;
    private static final int MOST_HALVINGS = 30;

    /** The work of one call ends after about this many passes, so that a run can look at the clock. */
    private static final double MOST_PASSES = 30;

    private static final double LEAST_CAUTION = 0.01;

    /** A column with less curvature than this part of the greatest possible one has none. */
    private static final double NO_CURVATURE = 0x1p-20;

    /** The model is minimised until a sweep gains less than this part of the gap. */
    private static final double FIRST_TOLERANCE = 0.01;

    /** Where a step leaves more than this part of the gap, the next model is minimised more precisely. */
    private static final double SLOW = 0.2;

    private static final double FINER = 0.1;

    private final LocalProblem problem;
    private final ColumnStore store;
    private final PassLayout layout;
    private final double lambda;
    private final double[] prices;
    private final double weight;

    /* For every row of the dataset; 0 for rows that the problem leaves out. */
    private final double[] margins;
    private final double[] moved;
    private final double[] trial;
    private final double[] slopes;
    private final double[] curvatures;

    /** Curvature times the change of the margin, where the model is being minimised. */
    private final double[] bent;

    private final Extrapolation past = new Extrapolation();

    private final double[] blockMargins = new double[Loss.BLOCK];
    private final double[] blockLabels = new double[Loss.BLOCK];
    private final double[] blockWeights;
    private final double[] blockSlopes = new double[Loss.BLOCK];
    private final double[] blockCurvatures = new double[Loss.BLOCK];

    /* For every column of the set. */
    private int[] set;
    private int[][] rows;
    private double[][] values;
    private double[] theta;
    private double[] price;
    private double[] ridge;
    private double[] gradient;
    private double[] curvature;
    private double[] change;

    /** By which part curvatures are raised towards the greatest one; more after steps that led too far. */
    private double caution;

    /** How many values were read. */
    private double touched;

    private boolean done;

    ColumnDescent(LocalProblem problem, ColumnStore store, PassLayout layout, double lambda, double[] prices) {
        this.problem = problem;
        this.store = store;
        this.layout = layout;
        this.lambda = lambda;
        this.prices = prices;
        this.weight = problem.totalWeight();
        int all = problem.data().rows();
        this.margins = new double[all];
        this.moved = new double[all];
        this.trial = new double[all];
        this.slopes = new double[all];
        this.curvatures = new double[all];
        this.bent = new double[all];
        this.blockWeights = problem.data().isWeighted() ? new double[Loss.BLOCK] : null;
    }

    /**
     * Lowers the objective by changing some weights.
     *
     * @param point θ, which is overwritten
     * @param columns the columns to move, among them all whose weight is not 0
     * @param wanted ends once the gap is no more than this if no other column has to change
     * @return the work, in passes over the rows
     */
    double improve(double[] point, int[] columns, double wanted) {
        choose(point, columns);
        touched = 0;
        caution = 0;
        done = false;
        double tolerance = FIRST_TOLERANCE;
        double objective = evaluate(margins) / weight + penalty(0);
        double before = Double.POSITIVE_INFINITY;
        double most = MOST_PASSES * 2 * problem.data().storedValues();
        for (int k = 0; k < MOST_STEPS && touched < most; k++) {
            double gap = look(objective);
            done = gap <= wanted;
            if (done) {
                break;
            }
            tolerance *= gap > SLOW * before ? FINER : 1;
            before = gap;
            minimiseModel(tolerance * gap, most);
            double lower = step(objective);
            done = !(lower < objective);
            if (done) {
                break;
            }
            objective = lower;
        }
        for (int k = 0; k < set.length; k++) {
            point[set[k]] = theta[k];
        }
        return touched / (2 * problem.data().storedValues());
    }

    /** Returns whether the last call ended because there was nothing left to do. */
    boolean isDone() {
        return done;
    }

    private void choose(double[] point, int[] columns) {
        ColumnStore.Columns chosen = store.columns(columns);
        int size = columns.length;
        set = columns;
        rows = chosen.rows();
        values = chosen.values();
        theta = new double[size];
        price = new double[size];
        ridge = new double[size];
        gradient = new double[size];
        curvature = new double[size];
        change = new double[size];
        Dataset data = problem.data();
        for (int row = 0; row < margins.length; row++) {
            margins[row] = data.offset(row);
        }
        for (int k = 0; k < size; k++) {
            theta[k] = point[columns[k]];
            price[k] = prices[columns[k]];
            ridge[k] = layout.isFree(columns[k]) ? 0 : lambda;
            if (theta[k] != 0) {
                add(k, theta[k], margins);
            }
        }
    }

    private void add(int k, double factor, double[] to) {
        int[] at = rows[k];
        double[] entries = values[k];
        for (int i = 0; i < at.length; i++) {
            to[at[i]] = Math.fma(factor, entries[i], to[at[i]]);
        }
        touched += at.length;
    }

    /** Computes slopes and curvatures at margins; returns the sum of the losses. */
    private double evaluate(double[] at) {
        Dataset data = problem.data();
        double sum = 0;
        for (int from = 0; from < problem.samples(); from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, problem.samples() - from);
            for (int k = 0; k < count; k++) {
                int row = problem.row(from + k);
                blockMargins[k] = at[row];
                blockLabels[k] = data.label(row);
                if (blockWeights != null) {
                    blockWeights[k] = data.weight(row);
                }
            }
            sum += problem.loss()
                    .evaluate(count, blockMargins, blockLabels, blockWeights, blockSlopes, blockCurvatures);
            for (int k = 0; k < count; k++) {
                int row = problem.row(from + k);
                slopes[row] = blockSlopes[k];
                curvatures[row] = blockCurvatures[k];
            }
        }
        return sum;
    }

    /** The regulariser after a part of the change. */
    private double penalty(double part) {
        double sum = 0;
        for (int k = 0; k < theta.length; k++) {
            double entry = Math.fma(part, change[k], theta[k]);
            sum += (ridge[k] / 2 * Math.abs(entry) + price[k]) * Math.abs(entry);
        }
        return sum;
    }

    /** Computes the gradient of the set; returns the gap if no other column has to change. */
    private double look(double objective) {
        double[] pull = new double[set.length];
        int count = 0;
        double regularised = 0;
        double[] point = new double[set.length];
        double[] cost = new double[set.length];
        for (int k = 0; k < set.length; k++) {
            double mean = product(k, slopes) / weight;
            gradient[k] = Math.fma(ridge[k], theta[k], mean);
            if (!layout.isFree(set[k])) {
                pull[count] = -mean;
                point[count] = theta[k];
                cost[count++] = price[k];
                regularised += (lambda / 2 * Math.abs(theta[k]) + price[k]) * Math.abs(theta[k]);
            }
        }
        double loss = objective - regularised;
        return new NetGap.At(
                        Arrays.copyOf(pull, count),
                        0,
                        Arrays.copyOf(point, count),
                        Arrays.copyOf(cost, count),
                        lambda,
                        loss,
                        0)
                .gap(layout.intercept() ? imbalance() * loss : 0, 0)
                .gap();
    }

    /** By which part the slopes of one sign exceed those of the other. */
    private double imbalance() {
        double up = 0;
        double down = 0;
        for (double slope : slopes) {
            up += Math.max(0, slope);
            down += Math.max(0, -slope);
        }
        return up == down ? 0 : 1 - Math.min(up, down) / Math.max(up, down);
    }

    private double product(int k, double[] with) {
        int[] at = rows[k];
        double[] entries = values[k];
        double sum = 0;
        for (int i = 0; i < at.length; i++) {
            sum = Math.fma(entries[i], with[at[i]], sum);
        }
        touched += at.length;
        return sum;
    }

    private void minimiseModel(double tolerance, double most) {
        Arrays.fill(change, 0);
        Arrays.fill(bent, 0);
        raiseCurvatures();
        double greatest = problem.loss().hasBoundedCurvature() ? problem.loss().smoothness() : 1;
        for (int k = 0; k < set.length; k++) {
            double sum = 0;
            double squares = 0;
            int[] at = rows[k];
            double[] entries = values[k];
            for (int i = 0; i < at.length; i++) {
                double square = entries[i] * entries[i];
                sum = Math.fma(square, curvatures[at[i]], sum);
                squares += square;
            }
            touched += at.length;
            curvature[k] = Math.max(sum, NO_CURVATURE * greatest * squares) / weight + ridge[k];
        }
        double gain = Double.POSITIVE_INFINITY;
        while (gain > tolerance && touched < most) {
            gain = sweep(true);
            double further = gain;
            past.clear();
            while (further > tolerance && touched < most) {
                further = sweep(false);
                past.next(change).ifPresent(this::jump);
            }
        }
    }

    /** Goes where sweeps seem to lead if the model is lower there; weights that are 0 stay so. */
    private void jump(double[] target) {
        double here = model();
        double[] before = change.clone();
        double[] bentBefore = bent.clone();
        Arrays.fill(bent, 0);
        for (int k = 0; k < set.length; k++) {
            change[k] = theta[k] + change[k] == 0 ? change[k] : target[k];
            if (change[k] != 0) {
                bend(k, change[k]);
            }
        }
        if (!(model() < here)) {
            System.arraycopy(before, 0, change, 0, before.length);
            System.arraycopy(bentBefore, 0, bent, 0, bent.length);
        }
    }

    /** The model after the change, up to a constant. */
    private double model() {
        double squares = 0;
        for (int row = 0; row < bent.length; row++) {
            squares += bent[row] == 0 ? 0 : bent[row] * bent[row] / curvatures[row];
        }
        double value = squares / (2 * weight) + penalty(1) - penalty(0);
        for (int k = 0; k < set.length; k++) {
            value = Math.fma(gradient[k] - ridge[k] * theta[k], change[k], value);
        }
        return value;
    }

    private void raiseCurvatures() {
        if (caution == 0 || !problem.loss().hasBoundedCurvature()) {
            return;
        }
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double greatest = problem.weight(j) * problem.loss().smoothness();
            curvatures[row] += caution * (greatest - curvatures[row]);
        }
    }

    /** Minimises the model along one column after another; returns about what that gains. */
    private double sweep(boolean all) {
        double gain = 0;
        for (int k = 0; k < set.length; k++) {
            double here = theta[k] + change[k];
            if (curvature[k] == 0 || (!all && here == 0 && price[k] > 0)) {
                continue;
            }
            double slope = Math.fma(ridge[k], change[k], gradient[k] + product(k, bent) / weight);
            double target = curvature[k] * here - slope;
            double rest = Math.abs(target) - price[k];
            double there = rest <= 0 ? 0 : Math.copySign(rest, target) / curvature[k];
            double by = there - here;
            if (by != 0) {
                change[k] = there - theta[k];
                bend(k, by);
                gain += curvature[k] * by * by / 2;
            }
        }
        return gain;
    }

    private void bend(int k, double by) {
        int[] at = rows[k];
        double[] entries = values[k];
        for (int i = 0; i < at.length; i++) {
            int row = at[i];
            bent[row] = Math.fma(by * entries[i], curvatures[row], bent[row]);
        }
        touched += at.length;
    }

    /** Goes as far in the direction of the change as the objective falls; returns the objective there. */
    private double step(double objective) {
        Arrays.fill(moved, 0);
        double slope = penalty(1) - penalty(0);
        for (int k = 0; k < set.length; k++) {
            if (change[k] != 0) {
                add(k, change[k], moved);
                slope = Math.fma(gradient[k], change[k], slope) - ridge[k] * change[k] * (theta[k] + change[k] / 2);
            }
        }
        double part = 1;
        for (int halvings = 0; halvings < MOST_HALVINGS; halvings++) {
            for (int row = 0; row < trial.length; row++) {
                trial[row] = Math.fma(part, moved[row], margins[row]);
            }
            double there = evaluate(trial) / weight + penalty(part);
            if (there <= objective + SUFFICIENT_DECREASE * part * slope + ROUNDING * objective) {
                for (int k = 0; k < set.length; k++) {
                    theta[k] = part == 1 ? theta[k] + change[k] : Math.fma(part, change[k], theta[k]);
                }
                System.arraycopy(trial, 0, margins, 0, trial.length);
                caution = part == 1 ? (caution > LEAST_CAUTION ? caution / 4 : 0) : caution;
                return there;
            }
            part /= 2;
            caution = Math.min(1, Math.max(LEAST_CAUTION, 4 * caution));
        }
        return objective;
    }
}
