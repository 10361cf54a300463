package dev.starling.model;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A linear model: for every score it gives, a weight per feature and an intercept. Immutable.
 *
 * <p>A regression model has one score, the prediction. A model of two classes has one score, positive for the second
 * class. A model of more classes has one score per class, of which the largest wins (one versus rest).
 */
public final class LinearModel {

    private final String loss;
    private final List<Double> classes;
    private final double[][] weights;
    private final double[] intercepts;
    private final Provenance provenance;

    /**
     * A model from its parts.
     *
     * @param loss the name of the loss it was trained with
     * @param classes the labels it predicts, as the user gave them: none for regression, two in the order (negative,
     *     positive), or one per score
     * @param weights one weight vector per score
     * @param intercepts one intercept per score
     * @param provenance how it was made
     */
    public LinearModel(
            String loss, List<Double> classes, double[][] weights, double[] intercepts, Provenance provenance) {
        this.loss = Objects.requireNonNull(loss);
        this.classes = List.copyOf(classes);
        this.weights = weights.clone();
        this.intercepts = intercepts.clone();
        this.provenance = Objects.requireNonNull(provenance);
        int scores = this.classes.size() > 2 ? this.classes.size() : 1;
        if (this.classes.size() == 1 || weights.length != scores || intercepts.length != scores) {
            throw new InvalidInputException("a model of " + classes.size() + " classes with " + weights.length
                    + " weight vectors and " + intercepts.length + " intercepts; it needs " + scores + " of each");
        }
        for (double[] vector : weights) {
            if (vector.length != weights[0].length) {
                throw new InvalidInputException("weight vectors of " + weights[0].length + " and " + vector.length
                        + " features; all must have the same number");
            }
        }
    }

    /** The name of the loss the model was trained with. */
    public String loss() {
        return loss;
    }

    /** The labels it predicts; empty for regression. */
    public List<Double> classes() {
        return classes;
    }

    /** Whether it predicts a class rather than a number. */
    public boolean isClassifier() {
        return !classes.isEmpty();
    }

    /** The number of scores: one, or one per class when there are more than two. */
    public int scores() {
        return weights.length;
    }

    /** The number of features. */
    public int features() {
        return weights[0].length;
    }

    /** The weights of a score. Not a copy: do not write to it. */
    public double[] weights(int score) {
        return weights[score];
    }

    /** The intercept of a score; 0 when the model has none. */
    public double intercept(int score) {
        return intercepts[score];
    }

    /** Whether any score has an intercept. */
    public boolean hasIntercept() {
        for (double intercept : intercepts) {
            if (intercept != 0) {
                return true;
            }
        }
        return false;
    }

    /** How the model was made. */
    public Provenance provenance() {
        return provenance;
    }

    /** Whether a logistic loss makes its scores log-odds. */
    public boolean hasProbabilities() {
        return isClassifier() && loss.equals("logistic");
    }

    /** A score of a row. */
    public double score(Dataset data, int row, int score) {
        return data.dot(row, weights[score]) + intercepts[score];
    }

    /** The label predicted for a row: a class as the user named it, or a number. */
    public double predict(Dataset data, int row) {
        if (!isClassifier()) {
            return score(data, row, 0);
        }
        if (scores() == 1) {
            return classes.get(score(data, row, 0) > 0 ? 1 : 0);
        }
        int best = 0;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < scores(); k++) {
            double score = score(data, row, k);
            if (score > bestScore) {
                best = k;
                bestScore = score;
            }
        }
        return classes.get(best);
    }

    /**
     * The probability of each class for a row, in the order of {@link #classes}; one-versus-rest ones are normalised.
     */
    public double[] probabilities(Dataset data, int row) {
        if (!hasProbabilities()) {
            throw new InvalidInputException("a model trained with the " + loss
                    + " loss gives no probabilities; train with --loss logistic for them");
        }
        double[] result = new double[classes.size()];
        if (scores() == 1) {
            double score = score(data, row, 0);
            result[0] = Elementary.sigmoid(-score);
            result[1] = Elementary.sigmoid(score);
            return result;
        }
        double sum = 0;
        for (int k = 0; k < result.length; k++) {
            result[k] = Elementary.sigmoid(score(data, row, k));
            sum += result[k];
        }
        for (int k = 0; k < result.length; k++) {
            result[k] = sum > 0 ? result[k] / sum : 1.0 / result.length;
        }
        return result;
    }

    /** The data with as many columns as the model, refused if it has more. */
    public Dataset fitted(Dataset data, String name) {
        if (data.features() > features()) {
            throw new InvalidInputException(name + " has " + data.features() + " features, the model " + features()
                    + "; use data with at most as many");
        }
        return data.withFeatures(features());
    }

    /**
     * The SHA-256 of the model's bits, in hexadecimal: score by score, the weights and then the intercept, as
     * little-endian IEEE doubles.
     */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer buffer = ByteBuffer.allocate(8 * 1024).order(ByteOrder.LITTLE_ENDIAN);
            for (int k = 0; k < scores(); k++) {
                for (double weight : weights[k]) {
                    put(buffer, digest, weight);
                }
                put(buffer, digest, intercepts[k]);
            }
            digest.update(buffer.flip());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void put(ByteBuffer buffer, MessageDigest digest, double value) {
        if (!buffer.hasRemaining()) {
            digest.update(buffer.flip());
            buffer.clear();
        }
        buffer.putDouble(value);
    }
}
