package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * A model beside the rows that it is said to be trained on: whether it can be, and its scores as training had them.
 *
 * @param claim what its file says
 * @param loss the loss that its file names
 */
record StatedModel(LinearModel model, Claim claim, CheckedLoss loss) {

    /**
     * A score of the model as it was trained.
     *
     * @param theta its weights on the rows that were trained on, with the intercept if there is one
     * @param doubts how far each row's margin may be from that of training
     * @param impossible why training cannot have ended with it; empty if it can
     */
    record Trained(DD[] theta, double[] doubts, Optional<String> impossible) {}

    /** Returns a score as it was trained on rows. */
    Trained trained(Scales scales, Dataset rows, int score) {
        DD[] onScaled = scales.weights(model.weights(score));
        DD intercept = scales.intercept(model.intercept(score), onScaled);
        double interceptDoubt = scales.interceptDoubt(model.intercept(score), onScaled);
        boolean further = claim.bias() > 0 || claim.intercept();
        DD[] theta = Arrays.copyOf(onScaled, further ? onScaled.length + 1 : onScaled.length);
        if (further) {
            theta[onScaled.length] = claim.bias() > 0 ? intercept.divide(claim.bias()) : intercept;
        }
        double[] doubts = new double[rows.rows()];
        Arrays.setAll(doubts, i -> interceptDoubt + scales.doubt(rows, i, onScaled));
        return new Trained(theta, doubts, impossible(scales, score, intercept, interceptDoubt));
    }

    /**
     * The largest absolute value among the rows' numbers and their products with the model's weights, which may be
     * large for a column of small numbers; NaN if one of them is not a number.
     */
    double largest(Dataset rows) {
        double largest = 0;
        for (int k = 0; k < model.scores(); k++) {
            largest = Math.max(largest, Math.abs(model.intercept(k)));
            for (double weight : model.weights(k)) {
                largest = Math.max(largest, Math.abs(weight) * DoubleDoubles.SMALLEST);
            }
        }
        for (int i = 0; i < rows.rows(); i++) {
            largest = Math.max(largest, Math.max(Math.abs(rows.label(i)), Math.abs(rows.offset(i))));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                double value = Math.abs(rows.value(i, k));
                largest = Math.max(largest, value);
                for (int score = 0; score < model.scores(); score++) {
                    double weight = model.weight(score, rows.column(i, k));
                    largest = Math.max(largest, value * Math.abs(weight));
                }
            }
        }
        return largest;
    }

    /** Says why these cannot be the rows of the model; empty if they can. */
    Optional<String> misfit(Dataset rows) {
        if (loss.isClassification() != model.isClassifier()) {
            return Optional.of("the loss " + claim.loss() + " does not fit a model of "
                    + model.classes().size() + " classes");
        }
        for (int i = 0; loss.isClassification() && i < rows.rows(); i++) {
            if (!model.classes().contains(rows.label(i) + 0.0)) {
                return Optional.of("row " + (i + 1) + " has the label " + Verdict.text(rows.label(i))
                        + ", which is none of the model's classes");
            }
        }
        for (int i = 0; i < rows.rows(); i++) {
            if (!loss.allows(rows.label(i))) {
                return Optional.of("row " + (i + 1) + " has the label " + Verdict.text(rows.label(i))
                        + ", which the loss " + claim.loss() + " does not allow");
            }
        }
        return Optional.empty();
    }

    /** Says why no training can have given the weights of a score; empty if it can. */
    private Optional<String> impossible(Scales scales, int score, DD intercept, double doubt) {
        for (int c = 0; c < model.features(); c++) {
            if (scales.leavesOut(c) && model.weight(score, c) != 0) {
                return Optional.of("feature " + (c + 1) + " is the same in all rows, yet has the weight "
                        + model.weight(score, c));
            }
        }
        if (claim.bias() == 0 && !claim.intercept() && intercept.abs().hi() > doubt) {
            return Optional.of("the intercept " + model.intercept(score) + " does not follow from the weights, and no"
                    + " bias was trained");
        }
        return Optional.empty();
    }

    /** The labels of a score's problem. */
    double[] targets(Dataset trained, Dataset raw, int score) {
        if (!loss.isClassification()) {
            return trained.labels();
        }
        double positive = model.classes().get(model.scores() == 1 ? 1 : score);
        double[] signs = new double[raw.rows()];
        Arrays.setAll(signs, i -> raw.label(i) == positive ? 1 : -1);
        return signs;
    }
}
