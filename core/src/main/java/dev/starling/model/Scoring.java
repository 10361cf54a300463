package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Link;
import dev.starling.loss.Softmax;

/** Computes scores of rows in arrays from weights and intercepts, and classes and their probabilities from scores. */
final class Scoring {

    private Scoring() {}

    /** The scores of a row with a value for every feature. */
    static double[] of(double[] row, double[][] weights, double[] intercepts) {
        if (row.length != weights[0].length) {
            throw new InvalidInputException(
                    "a row of " + row.length + " values; the model has " + weights[0].length + " features");
        }
        for (int j = 0; j < row.length; j++) {
            requireFinite(j, row[j]);
        }
        double[] scores = intercepts.clone();
        for (int k = 0; k < scores.length; k++) {
            double sum = 0;
            for (int j = 0; j < row.length; j++) {
                sum += row[j] * weights[k][j];
            }
            scores[k] += sum;
        }
        return scores;
    }

    /** The scores of a row, given as the values that are not zero and their columns. */
    static double[] of(int[] columns, double[] values, double[][] weights, double[] intercepts) {
        if (columns.length != values.length) {
            throw new InvalidInputException(
                    columns.length + " columns for " + values.length + " values; there must be one for each");
        }
        int features = weights[0].length;
        for (int j = 0; j < columns.length; j++) {
            if (columns[j] < 0 || columns[j] >= features) {
                throw new InvalidInputException("column " + columns[j] + " must be between 0 and " + (features - 1)
                        + ", the last of the model's features");
            }
            requireFinite(columns[j], values[j]);
        }
        double[] scores = intercepts.clone();
        for (int k = 0; k < scores.length; k++) {
            double sum = 0;
            for (int j = 0; j < columns.length; j++) {
                sum += values[j] * weights[k][columns[j]];
            }
            scores[k] += sum;
        }
        return scores;
    }

    private static void requireFinite(int column, double value) {
        if (!Double.isFinite(value)) {
            throw new InvalidInputException("column " + column + " holds " + value + "; values must be finite");
        }
    }

    /** The index of the predicted class: by the sign of a single score, otherwise the one with the largest score. */
    static int winner(Link link, double[] scores) {
        return winner(link.equals(Link.CUMULATIVE) ? probabilities(link, scores) : scores);
    }

    private static int winner(double[] scores) {
        if (scores.length == 1) {
            return scores[0] > 0 ? 1 : 0;
        }
        int best = 0;
        for (int k = 1; k < scores.length; k++) {
            if (scores[k] > scores[best]) {
                best = k;
            }
        }
        return best;
    }

    /** The probabilities of classes in an order: differences of those of belonging to a class or one before it. */
    private static double[] inOrder(double[] scores) {
        double[] result = new double[scores.length + 1];
        for (int c = 0; c < result.length; c++) {
            double upper = c < scores.length ? Elementary.sigmoid(scores[c]) : 1;
            result[c] = Math.max(0, upper - (c > 0 ? Elementary.sigmoid(scores[c - 1]) : 0));
        }
        return result;
    }

    /**
     * The probability of each class: by the difference of its score from the others, or if scores are log-odds, each
     * class against the rest, normalised.
     */
    static double[] probabilities(Link link, double[] scores) {
        if (link.equals(Link.CUMULATIVE)) {
            return inOrder(scores);
        }
        if (scores.length == 1) {
            return new double[] {Elementary.sigmoid(-scores[0]), Elementary.sigmoid(scores[0])};
        }
        if (link.equals(Link.SOFTMAX)) {
            return Softmax.probabilities(scores);
        }
        double[] result = new double[scores.length];
        double sum = 0;
        for (int k = 0; k < result.length; k++) {
            result[k] = Elementary.sigmoid(scores[k]);
            sum += result[k];
        }
        for (int k = 0; k < result.length; k++) {
            result[k] = sum > 0 ? result[k] / sum : 1.0 / result.length;
        }
        return result;
    }
}
