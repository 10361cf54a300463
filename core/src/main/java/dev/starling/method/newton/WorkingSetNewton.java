package dev.starling.method.newton;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.KinkedQuadratic;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.WorkingSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Newton's method with an l1 term and many features: at the optimum most weights are 0, so a step moves only a working
 * set of the columns, and only their Hessian is added up. Every pass computes the whole gradient, which certifies the
 * result and names the columns outside the set that should join it.
 *
 * <p>A set consists of the columns whose weight is not 0 and of those whose slope comes closest to λ₁ or exceeds it. It
 * is so large that its Hessian has about as many numbers as the gradient, or twice as large as the number of weights
 * that are not 0. Its Hessian is kept, and improved with what later gradients reveal (BFGS), for as long as no other
 * column has to join and each step reduces the gap to {@value #GOOD} of what it was or less.
 */
class WorkingSetNewton extends Newton {

    private static final double GOOD = 0.1;

    private static final double LEAST_CAUTION = 0.01;
    private static final double WELL_BELOW = 0.5;
    private static final double NEARLY = 0.9;

    /** Less than this part of the guessed curvature counts as none. */
    private static final double NO_CURVATURE = 0x1p-40;

    private final double[] prices;

    /** The working set: the columns whose Hessian is known, in ascending order. */
    private int[] set = {};

    /** That Hessian with the ridge, both triangles, row by row. */
    private double[] matrix = {};

    /** The columns whose Hessian the next pass computes; empty if it computes none. */
    private int[] asked = {};

    /** Whether there is no step to judge: the next pass is at the point of the last one, or the first. */
    private boolean fresh = true;

    /** Whether no more Hessians may be computed: the set has to get by with what gradients reveal. */
    private boolean frugal;

    /** How much of the greatest curvature of every row the Hessian includes; more after steps that led too far. */
    private double caution;

    private double slope;
    private double step;

    /** The totals of the last pass, without a Hessian; empty if they were not finite. */
    private double[] totals = {};

    /**
     * Creates the method at its start.
     *
     * @param l1 λ₁
     * @param curved whether Hessians may be computed
     */
    WorkingSetNewton(PassLayout layout, double lambda, double l1, boolean curved) {
        super(layout, lambda);
        this.prices = layout.prices(l1);
        this.frugal = !curved;
    }

    @Override
    PassSums passSums() {
        return asked.length > 0 ? PassSums.COLUMNS : PassSums.GRADIENT;
    }

    @Override
    Optional<WorkingSet> workingSet() {
        return asked.length > 0 ? Optional.of(new WorkingSet(asked, caution)) : Optional.empty();
    }

    @Override
    void useAllSamples() {
        asked = new int[0];
    }

    @Override
    void doWithoutHessians() {
        frugal = true;
        asked = new int[0];
    }

    @Override
    void begin(NewtonStart start) {
        super.begin(start);
        if (start.totals().length > 0) {
            take(start.totals());
            advance();
        }
    }

    @Override
    double[] warmStart() {
        return totals;
    }

    @Override
    void prove(double[] sums, double ridge, boolean all, double norm) {
        proveNet(sums, ridge, all, prices);
    }

    @Override
    void take(double[] sums) {
        take(sums, lambda, false);
        boolean finite = !HiddenSum.isTooLarge(sums);
        totals = finite ? Arrays.copyOf(sums, layout.length(PassSums.GRADIENT)) : new double[0];
        if (asked.length > 0 && finite) {
            set = asked;
            load(sums);
        }
    }

    private void load(double[] sums) {
        int size = set.length;
        double weight = sums[PassLayout.WEIGHT];
        matrix = new double[size * size];
        int at = layout.hessian();
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                double entry = sums[at++] / weight;
                matrix[i * size + j] = entry;
                matrix[j * size + i] = entry;
            }
        }
        double guessed = guessedCurvature();
        for (int i = 0; i < size; i++) {
            int diagonal = i * size + i;
            if (layout.isFree(set[i])) {
                matrix[diagonal] = FreeIntercept.curvature(matrix[diagonal], gradient[set[i]], objective(), 0);
            } else {
                matrix[diagonal] += lambda;
            }
            // Without a ridge, a weight whose rows all have linear losses would have no optimum.
            matrix[diagonal] = matrix[diagonal] > NO_CURVATURE * guessed ? matrix[diagonal] : guessed;
        }
    }

    @Override
    void advance() {
        if (!fresh && !isAccepted()) {
            step *= lowest(step, originObjective(), slope, objective(), slope());
            move(step);
            caution = Math.min(1, Math.max(LEAST_CAUTION, 10 * caution));
            asked = frugal ? new int[0] : candidates(gradient, PassLayout.MOST_COLUMNS);
            return;
        }
        adjustCaution();
        if (!fresh && asked.length == 0) {
            learn();
        }
        boolean slow = !fresh && gap() > GOOD * originGap();
        settle();
        if (set.length == 0 && !frugal) {
            asked = candidates(gradient, PassLayout.MOST_COLUMNS);
            return;
        }
        if (frugal) {
            extend(union(set, candidates(gradient, PassLayout.MOST_COLUMNS)));
        }
        double[] expected = gradient.clone();
        slope = chooseDirection(expected);
        fresh = false;
        step = 1;
        move(step);
        asked = !frugal && (slow || mustGrow(expected)) ? candidates(expected, PassLayout.MOST_COLUMNS) : new int[0];
    }

    /** Compares the decrease with the one that the model predicts, which is about half the slope. */
    private void adjustCaution() {
        double gain = (originObjective() - objective()) / (-slope / 2);
        if (fresh || step < 1) {
            return;
        }
        if (gain < WELL_BELOW) {
            caution = Math.min(1, Math.max(LEAST_CAUTION, 4 * caution));
        } else if (gain > NEARLY) {
            caution = caution > LEAST_CAUTION ? caution / 4 : 0;
        }
    }

    /** Returns whether the step that led to θ is accepted. */
    private boolean isAccepted() {
        double wanted = originObjective() + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective();
        boolean lower = objective() <= wanted || (gap() < originGap() && objective() <= originObjective());
        return lower && gap() < Double.POSITIVE_INFINITY;
    }

    /**
     * Directs the next step to the minimum of the second-order model in the working set.
     *
     * @param expected the gradient; its entries of the set are overwritten with those that the model expects there
     * @return the slope, including the changes of the l1 term over the whole step
     */
    private double chooseDirection(double[] expected) {
        double[] here = chosen(theta);
        double[] target = here.clone();
        double[] downhill = chosen(gradient);
        KinkedQuadratic model = new KinkedQuadratic(matrix, chosen(prices));
        model.minimise(downhill, here, target);
        double found = aim(here, target);
        if (found > ROUNDING * objective()) {
            // Where columns depend on each other, rounding may make the step lead far uphill.
            System.arraycopy(here, 0, target, 0, here.length);
            model.relax(downhill, here, target);
            found = aim(here, target);
        }
        int size = set.length;
        for (int i = 0; i < size; i++) {
            double entry = gradient[set[i]];
            for (int j = 0; j < size; j++) {
                entry = Math.fma(matrix[i * size + j], direction[set[j]], entry);
            }
            expected[set[i]] = entry;
        }
        return found;
    }

    private double aim(double[] here, double[] target) {
        Arrays.fill(direction, 0);
        double found = 0;
        for (int k = 0; k < set.length; k++) {
            int c = set[k];
            direction[c] = target[k] - here[k];
            found = Math.fma(gradient[c], direction[c], found + prices[c] * (Math.abs(target[k]) - Math.abs(here[k])));
        }
        return found;
    }

    @Override
    double slope() {
        double along = 0;
        for (int c : set) {
            along = Math.fma(gradient[c] + prices[c] * Math.signum(theta[c]), direction[c], along);
        }
        return along;
    }

    private double[] chosen(double[] vector) {
        return Arrays.stream(set).mapToDouble(c -> vector[c]).toArray();
    }

    /** Gives the Hessian the curvature along the last step that the gradients at both ends imply. */
    private void learn() {
        new KinkedQuadratic(matrix, chosen(prices))
                .learn(chosen(origin), chosen(originGradient), chosen(theta), chosen(gradient));
    }

    /** Returns whether a weight outside the set has to change: its slope exceeds its price. */
    private boolean mustGrow(double[] expected) {
        for (int c = 0; c < parameters; c++) {
            if (Math.abs(expected[c]) > prices[c] && Arrays.binarySearch(set, c) < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the columns that steps from θ should move, in ascending order, if the gradient there is as expected; all
     * whose weight is not 0 if they are fewer than {@code largest}.
     */
    final int[] candidates(double[] expected, int largest) {
        int used = 0;
        for (int c = 0; c < parameters; c++) {
            used += isUsed(c) ? 1 : 0;
        }
        double[] urgency = new double[parameters];
        for (int c = 0; c < parameters; c++) {
            urgency[c] = !isUsed(c)
                    ? Math.abs(expected[c]) - prices[c]
                    : used < largest
                            ? Double.POSITIVE_INFINITY
                            : Math.abs(expected[c] + prices[c] * Math.signum(theta[c]));
        }
        int free = (int) Math.sqrt(2.0 * parameters);
        return most(urgency, Math.min(Math.min(parameters, largest), Math.max(free, 2 * used)));
    }

    private boolean isUsed(int c) {
        return theta[c] != 0 || prices[c] == 0;
    }

    /** Returns the indices of the largest numbers, in ascending order; of equal numbers, the first ones. */
    private static int[] most(double[] numbers, int count) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        double least = sorted[sorted.length - count];
        int equal = count;
        for (double number : numbers) {
            equal -= number > least ? 1 : 0;
        }
        int[] indices = new int[count];
        int found = 0;
        for (int c = 0; c < numbers.length && found < count; c++) {
            if (numbers[c] > least || (numbers[c] == least && equal-- > 0)) {
                indices[found++] = c;
            }
        }
        return indices;
    }

    /** Returns the columns of either set, or only of the second if those would be too many. */
    private static int[] union(int[] one, int[] other) {
        int[] both = IntStream.concat(Arrays.stream(one), Arrays.stream(other))
                .sorted()
                .distinct()
                .toArray();
        return both.length > PassLayout.MOST_COLUMNS ? other : both;
    }

    /** Changes the working set without a new Hessian: columns that join it get the mean curvature of the others. */
    private void extend(int[] next) {
        int size = set.length;
        double trace = 0;
        for (int i = 0; i < size; i++) {
            trace += matrix[i * size + i];
        }
        double mean = size == 0 ? guessedCurvature() : trace / size;
        double[] extended = new double[next.length * next.length];
        for (int i = 0; i < next.length; i++) {
            int from = Arrays.binarySearch(set, next[i]);
            for (int j = 0; j < next.length; j++) {
                int to = from < 0 ? -1 : Arrays.binarySearch(set, next[j]);
                extended[i * next.length + j] = to >= 0 ? matrix[from * size + to] : i == j ? mean : 0;
            }
        }
        set = next;
        matrix = extended;
    }

    /** Without a Hessian of every column there is nothing to precondition with; directions come from the model. */
    @Override
    void precondition(double[] vector) {
        throw new IllegalStateException("a working set has a model of its own");
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        set = indices(s, set);
        asked = indices(s, asked);
        matrix = s.vector(matrix, PassLayout.MOST_COLUMNS * PassLayout.MOST_COLUMNS);
        totals = s.vector(totals, layout.length(PassSums.GRADIENT));
        fresh = s.flag(fresh);
        frugal = s.flag(frugal);
        slope = s.number(slope);
        step = s.number(step);
        caution = s.number(caution);
    }

    private static int[] indices(State s, int[] columns) throws IOException {
        double[] stored = s.vector(Arrays.stream(columns).asDoubleStream().toArray(), PassLayout.MOST_COLUMNS);
        return Arrays.stream(stored).mapToInt(column -> (int) column).toArray();
    }
}
