package dev.starling.problem;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;

/**
 * What one node brings to the problem: its samples, the loss, and its share σ of the regulariser, Σ_j w_j ℓ(x_jᵀθ; y_j)
 * + (σ/2)‖θ‖². Labels are those the loss sees (−1 and +1 for a classification loss).
 */
public final class LocalProblem {

    private final Dataset data;
    private final int first;
    private final int stride;
    private final int samples;
    private final Loss loss;
    private final double sigma;
    private final Regulariser regulariser;

    private LocalProblem(
            Dataset data, int first, int stride, int samples, Loss loss, double sigma, Regulariser regulariser) {
        if (!(sigma > 0) || Double.isInfinite(sigma)) {
            throw new InvalidInputException("regularisation " + sigma + " must be positive and finite");
        }
        this.data = data;
        this.first = first;
        this.stride = stride;
        this.samples = samples;
        this.loss = loss;
        this.sigma = sigma;
        this.regulariser = regulariser;
    }

    /** All rows of a dataset at one node, with σ = λ times the sum of the weights. */
    public static LocalProblem of(Dataset data, Loss loss, double lambda) {
        return dealt(data, 0, 1, loss, lambda);
    }

    /** The rows node, node + nodes, node + 2·nodes, … of a dataset, with σ = λ times the sum of their weights. */
    static LocalProblem dealt(Dataset data, int node, int nodes, Loss loss, double lambda) {
        int samples = (data.rows() - node + nodes - 1) / nodes;
        double weight = 0;
        for (int j = 0; j < samples; j++) {
            weight += data.weight(node + j * nodes);
        }
        return new LocalProblem(data, node, nodes, samples, loss, lambda * weight, new Regulariser.SquaredNorm());
    }

    /** The same samples with another share of the regulariser. */
    public LocalProblem withSigma(double newSigma) {
        return new LocalProblem(data, first, stride, samples, loss, newSigma, regulariser);
    }

    /** The same samples and σ with another regulariser, σ times the given one. */
    public LocalProblem withRegulariser(Regulariser newRegulariser) {
        return new LocalProblem(data, first, stride, samples, loss, sigma, newRegulariser);
    }

    /** m, the number of samples. */
    public int samples() {
        return samples;
    }

    /** d, the number of features. */
    public int features() {
        return data.features();
    }

    /** The dataset the samples are rows of. */
    public Dataset data() {
        return data;
    }

    /** The row of the dataset that holds a sample. */
    public int row(int sample) {
        return first + sample * stride;
    }

    /** The loss. */
    public Loss loss() {
        return loss;
    }

    /** σ, this node's share of the regulariser. */
    public double sigma() {
        return sigma;
    }

    /** What σ multiplies; half the squared norm unless told otherwise. */
    public Regulariser regulariser() {
        return regulariser;
    }

    /** The label of a sample. */
    public double label(int sample) {
        return data.label(row(sample));
    }

    /** The weight w of a sample. */
    public double weight(int sample) {
        return data.weight(row(sample));
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

    /** Σ_j w_j ℓ(x_jᵀθ; y_j). */
    public double lossSum(double[] theta) {
        CompensatedSum sum = new CompensatedSum();
        for (int j = 0; j < samples; j++) {
            int row = row(j);
            sum.add(data.weight(row) * loss.value(data.dot(row, theta), data.label(row)));
        }
        return sum.value();
    }
}
