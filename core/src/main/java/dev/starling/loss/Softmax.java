package dev.starling.loss;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The negative log-likelihood of classes that are told apart all at once: ℓ(η; y) = ln Σ_k e^η_k − η_y, where row x has
 * the margin η_k = xᵀθ_k for class k, and labels are 0 to K − 1. All classes have a block θ_k of weights. Only their
 * differences matter to ℓ, so a regulariser decides the rest: the blocks of an optimum add up to 0.
 *
 * @param outputs K, two or more
 */
public record Softmax(int outputs) implements JointLoss {

    /** No second derivative of ℓ along a direction of length 1 in the margins is greater. */
    public static final double MOST_CURVATURE = 0.5;

    /** Creates the loss for two classes; {@link #forClasses} makes it that for as many as there turn out to be. */
    public Softmax() {
        this(2);
    }

    /** Checks the number of classes. */
    public Softmax {
        if (outputs < 2) {
            throw new IllegalArgumentException(outputs + " classes; there must be two or more");
        }
    }

    @Override
    public String name() {
        return "softmax";
    }

    @Override
    public Loss forClasses(int classes) {
        return new Softmax(classes);
    }

    /** {@inheritDoc} Of two classes, the difference of their blocks is the score of the second. */
    @Override
    public double[][] scores(double[] parameter, int features) {
        double[][] blocks = JointLoss.super.scores(parameter, features);
        if (blocks.length != 2) {
            return blocks;
        }
        Arrays.setAll(blocks[1], c -> blocks[1][c] - blocks[0][c]);
        return new double[][] {blocks[1]};
    }

    /** {@inheritDoc} Without a regulariser, the block of the first class is left out. */
    @Override
    public int feature(int parameter, int features) {
        return parameter < features ? -1 : parameter % features;
    }

    /** {@inheritDoc} Those of the first class, with which the others are compared, are 0, of two classes too. */
    @Override
    public double[] coefficients(double[][] weights, double[] intercepts, boolean intercept) {
        double[] all = JointLoss.super.coefficients(weights, intercepts, intercept);
        return outputs == 2
                ? DoubleStream.concat(DoubleStream.of(new double[all.length]), Arrays.stream(all))
                        .toArray()
                : all;
    }

    /** {@inheritDoc} Both parts of the sum are nowhere negative. */
    @Override
    public double value(double[] margins, double label) {
        int top = largest(margins);
        double others = 0;
        for (int k = 0; k < outputs; k++) {
            others += k == top ? 0 : Elementary.exp(margins[k] - margins[top]);
        }
        return margins[top] - margins[(int) label] + Elementary.log1p(others);
    }

    /** {@inheritDoc} The slopes are p_k, less 1 for the row's own class; the curvatures p_k (1 − p_k) and −p_k p_l. */
    @Override
    public void bend(double[] margins, double label, double[] slopes, double[] curvatures) {
        double[] p = probabilities(margins);
        int at = 0;
        for (int k = 0; k < outputs; k++) {
            slopes[k] = k == (int) label ? p[k] - 1 : p[k];
            for (int l = 0; l <= k; l++) {
                curvatures[at++] = l == k ? p[k] * (1 - p[k]) : -p[k] * p[l];
            }
        }
    }

    /** Returns e^η_k / Σ_l e^η_l for each of several scores. */
    public static double[] probabilities(double[] scores) {
        double[] result = new double[scores.length];
        double most = scores[largest(scores)];
        double sum = 0;
        for (int k = 0; k < result.length; k++) {
            result[k] = Elementary.exp(scores[k] - most);
            sum += result[k];
        }
        for (int k = 0; k < result.length; k++) {
            result[k] /= sum;
        }
        return result;
    }

    private static int largest(double[] scores) {
        int top = 0;
        for (int k = 1; k < scores.length; k++) {
            top = scores[k] > scores[top] ? k : top;
        }
        return top;
    }

    @Override
    public boolean isClassification() {
        return true;
    }

    @Override
    public Link link() {
        return Link.SOFTMAX;
    }
}
