package dev.starling.problem;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * One node's part of the problem: its samples, the loss, and its share σ of the regulariser, Σ_j w_j ℓ(x_jᵀθ; y_j) +
 * (σ/2)‖θ‖². Labels are those that the loss expects (−1 and +1 for a classification loss of one margin).
 */
public final class LocalProblem {

    private static final long[] SHUFFLE_SEED = {
        0x9E3779B97F4A7C15L, 0xBF58476D1CE4E5B9L, 0x94D049BB133111EBL, 0x2545F4914F6CDD1DL
    };

    private static final long[] ALL = {};

    private final Dataset data;
    private final int samples;
    private final Loss loss;
    private final double sigma;
    private final Regulariser regulariser;
    private final boolean intercept;

    /** The row of each sample; null if it is the sample itself. */
    private final int[] order;

    /**
     * Bounds already known to hold for these rows, perhaps among others; null if they must be computed from the rows.
     */
    private final Supplier<RowBounds> bounds;

    /** The group of each row of the dataset, within which rows are compared; empty if there is one. */
    private final long[] groups;

    private LocalProblem(
            Dataset data,
            int[] order,
            int samples,
            Loss loss,
            double sigma,
            Regulariser regulariser,
            boolean intercept,
            Supplier<RowBounds> bounds,
            long[] groups) {
        if (!(sigma >= 0) || Double.isInfinite(sigma)) {
            throw new InvalidInputException("regularisation " + sigma + " must be 0 or more, and finite");
        }
        this.data = data;
        this.order = order;
        this.samples = samples;
        this.loss = loss;
        this.sigma = sigma;
        this.regulariser = regulariser;
        this.intercept = intercept;
        this.bounds = bounds;
        this.groups = groups;
    }

    /** All rows of a dataset at one node, with σ = λ times the sum of the weights. */
    public static LocalProblem of(Dataset data, Loss loss, double lambda) {
        LocalProblem problem = new LocalProblem(
                data, null, data.rows(), loss, lambda, new Regulariser.SquaredNorm(), false, null, ALL);
        return problem.withSigma(lambda * problem.totalWeight());
    }

    /**
     * The problem of only some of the samples, with σ = λ times the sum of their weights. Rows are not copied.
     *
     * @param rows the indices of their rows in the dataset
     */
    public LocalProblem only(int[] rows, double lambda) {
        LocalProblem some =
                new LocalProblem(data, rows, rows.length, loss, lambda, regulariser, intercept, bounds, groups);
        return some.withSigma(lambda * some.totalWeight());
    }

    /** Returns a copy with another share of the regulariser. */
    public LocalProblem withSigma(double newSigma) {
        return new LocalProblem(data, order, samples, loss, newSigma, regulariser, intercept, bounds, groups);
    }

    /** Returns a copy whose regulariser is σ times the given one. */
    public LocalProblem withRegulariser(Regulariser newRegulariser) {
        return new LocalProblem(data, order, samples, loss, sigma, newRegulariser, intercept, bounds, groups);
    }

    /**
     * Returns a copy with or without a free intercept: the weight, not regularised, of a last feature that is 1 in
     * every row.
     */
    public LocalProblem withIntercept(boolean free) {
        return new LocalProblem(data, order, samples, loss, sigma, regulariser, free, bounds, groups);
    }

    /** Returns a copy whose rows are compared within groups only: one number for each row of the dataset, or none. */
    public LocalProblem withGroups(long... ofRows) {
        return new LocalProblem(data, order, samples, loss, sigma, regulariser, intercept, bounds, ofRows);
    }

    /** The group of each row of the dataset; empty if there is one. */
    public long[] groups() {
        return groups;
    }

    /**
     * Returns a copy with known bounds on its rows, so that they need not be computed again for some of the samples.
     */
    public LocalProblem withBounds(Supplier<RowBounds> known) {
        return new LocalProblem(data, order, samples, loss, sigma, regulariser, intercept, known, groups);
    }

    /**
     * The same problem with its samples in a random order, which depends only on the number of samples. Neighbouring
     * samples then have no more in common than any others and can be drawn together. The rows are copied into that
     * order, so that those drawn together are also close in memory, unless the copy would take more than a third of the
     * free memory; then they stay where they are, with the same results.
     */
    public LocalProblem shuffled() {
        int[] shuffle = new int[samples];
        for (int j = 0; j < samples; j++) {
            shuffle[j] = row(j);
        }
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SHUFFLE_SEED);
        for (int j = samples - 1; j > 0; j--) {
            int other = random.nextInt(j + 1);
            int swap = shuffle[j];
            shuffle[j] = shuffle[other];
            shuffle[other] = swap;
        }
        long[] picked = groups.length == 0
                ? groups
                : Arrays.stream(shuffle).mapToLong(row -> groups[row]).toArray();
        return data.sizeOfCopy() <= freeMemory() / 3
                ? new LocalProblem(
                        data.picked(shuffle), null, samples, loss, sigma, regulariser, intercept, bounds, picked)
                : new LocalProblem(data, shuffle, samples, loss, sigma, regulariser, intercept, bounds, groups);
    }

    private static long freeMemory() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
    }

    /** m, the number of samples. */
    public int samples() {
        return samples;
    }

    /** d, the number of features. */
    public int features() {
        return data.features();
    }

    /** How many values a row of the dataset stores, on average; at least 1. */
    public double valuesPerRow() {
        return Math.max(1, data.storedValues() / Math.max(1.0, data.rows()));
    }

    /** The dataset that contains the samples. */
    public Dataset data() {
        return data;
    }

    /** The row of the dataset that holds a sample. */
    public int row(int sample) {
        return order == null ? sample : order[sample];
    }

    /** The loss. */
    public Loss loss() {
        return loss;
    }

    /** σ, this node's share of the regulariser. */
    public double sigma() {
        return sigma;
    }

    /** The function that σ multiplies; half the squared norm by default. */
    public Regulariser regulariser() {
        return regulariser;
    }

    /** Whether there is a free intercept: the weight, not regularised, of a last feature that is 1 in every row. */
    public boolean hasIntercept() {
        return intercept;
    }

    /** Bounds that hold for every row. */
    public RowBounds bounds() {
        return bounds == null ? RowBounds.of(this) : bounds.get();
    }

    /** The label of a sample. */
    public double label(int sample) {
        return data.label(row(sample));
    }

    /** The weight w of a sample. */
    public double weight(int sample) {
        return data.weight(row(sample));
    }

    /** x_jᵀθ, plus the shift of the row if it has one. */
    public double margin(int sample, double[] theta) {
        int row = row(sample);
        return data.dot(row, theta) + data.offset(row);
    }

    /**
     * Splits a parameter into a block of weights for each margin of a row.
     *
     * @throws IllegalArgumentException if it has another length
     */
    public double[][] blocks(double[] theta) {
        double[][] blocks = new double[loss.outputs()][];
        if (theta.length != blocks.length * features()) {
            throw new IllegalArgumentException("a parameter of " + theta.length + " numbers for " + blocks.length
                    + " margins and rows of " + features() + " features");
        }
        Arrays.setAll(blocks, k -> Arrays.copyOfRange(theta, k * features(), (k + 1) * features()));
        return blocks;
    }

    /** Computes the margins of a sample, one for each block of the parameter. */
    public void margins(int sample, double[][] blocks, double[] margins) {
        for (int k = 0; k < margins.length; k++) {
            margins[k] = margin(sample, blocks[k]);
        }
    }

    /** The sum of the samples' weights: their number, unless weights were given. */
    public double totalWeight() {
        if (!data.isWeighted()) {
            return samples;
        }
        double sum = 0;
        for (int j = 0; j < samples; j++) {
            sum += weight(j);
        }
        return sum;
    }

    /** Σ_j w_j ℓ(x_jᵀθ + o_j; y_j), where o is the shift of a row, if it has one. */
    public double lossSum(double[] theta) {
        CompensatedSum sum = new CompensatedSum();
        for (int j = 0; j < samples; j++) {
            sum.add(weight(j) * loss.value(margin(j, theta), label(j)));
        }
        return sum.value();
    }

    /** An upper bound on Σ_j w_j ℓ(x_jᵀθ + o_j; y_j) plus this node's part of the regulariser, in exact arithmetic. */
    public double mostAt(double[] theta) {
        CompensatedSum sum = new CompensatedSum();
        for (int j = 0; j < samples; j++) {
            RefinedMargin margin = RefinedMargin.of(data, row(j), theta);
            double distance = margin.distance();
            // A convex function is largest at an end of an interval.
            double most = Math.max(
                    loss.value(margin.value() - distance, label(j)), loss.value(margin.value() + distance, label(j)));
            sum.add(weight(j) * most);
        }
        double share = regulariser instanceof Regulariser.WithoutRidge ? totalWeight() : sigma;
        for (int c = 0; c < (intercept ? features() - 1 : features()); c++) {
            sum.add(share * regulariser.value(theta[c]));
        }
        return sum.value() * (1 + 0x1p-40);
    }
}
