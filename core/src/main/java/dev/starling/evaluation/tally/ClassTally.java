package dev.starling.evaluation.tally;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Calibration;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.ScoreCounts;
import dev.starling.loss.Elementary;
import dev.starling.loss.Link;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Ordinal;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Sums and counts over predicted classes in one vector: rows, losses and Brier scores; the confusion matrix; then, for
 * every score, the counts for its curve and its calibration.
 */
public final class ClassTally implements Tally {

    private static final int ROWS = 0;
    private static final int LOG_LOSSES = 1;
    private static final int BRIER = 2;
    private static final int LOSSES = 3;
    static final int HEAD = 4;

    /** Entries that precede a curve's bins: the sum of squared weights of positive rows, and that of the others. */
    static final int SQUARES = 2;

    /** Entries of a calibration bin: weight, predicted and observed. */
    private static final int CALIBRATION = 3;

    private final LinearModel model;
    private final Optional<Loss> loss;
    private final List<Double> classes;
    private final ScoreBins bins;
    private final double[] sums;

    ClassTally(LinearModel model, ScoreBins bins) {
        this.model = model;
        this.loss = Losses.find(model.loss());
        this.classes = model.classes();
        this.bins = bins;
        this.sums = new double[length(classes.size(), bins)];
    }

    static int length(int classes, ScoreBins bins) {
        return HEAD + classes * classes + (classes > 2 ? classes : 1) * ofScore(bins);
    }

    private static int ofScore(ScoreBins bins) {
        return SQUARES + 2 * bins.count() + CALIBRATION * Calibration.COUNT;
    }

    private int cell(int actual, int predicted) {
        return HEAD + actual * classes.size() + predicted;
    }

    /** The index at which the sums of a score begin. */
    private int curve(int score) {
        return curveStart(classes.size()) + score * ofScore(bins);
    }

    /** The index at which the sums of the first score begin. */
    static int curveStart(int classes) {
        return HEAD + classes * classes;
    }

    private int calibration(int score) {
        return curve(score) + SQUARES + 2 * bins.count();
    }

    @Override
    public void add(Dataset rows, int row) {
        int actual = classes.indexOf(rows.label(row) + 0.0);
        if (actual < 0) {
            throw new InvalidInputException("row " + (row + 1) + ": label " + model.spelling(rows.label(row))
                    + " is not one of the model's classes "
                    + classes.stream().map(model::spelling).collect(Collectors.joining(", ")));
        }
        double weight = rows.weight(row);
        double[] scores = scores(model, rows, row);
        sums[ROWS]++;
        sums[cell(actual, classes.indexOf(model.predict(rows, row)))] += weight;
        for (int k = 0; k < scores.length; k++) {
            boolean positive = actual == positive(k);
            int curve = curve(k);
            sums[curve + (positive ? 0 : 1)] += weight * weight;
            sums[curve + SQUARES + (positive ? 0 : bins.count()) + bins.of(scores[k])] += weight;
            sums[LOSSES] += !isSummed() ? 0 : weight * loss.get().value(scores[k], positive ? 1 : -1);
        }
        if (isJoint()) {
            sums[LOSSES] += weight * logLoss(model, actual, scores);
        }
        if (model.hasProbabilities()) {
            addProbabilities(actual, weight, scores, model.probabilities(rows, row));
        }
    }

    /** Whether the loss takes all scores at once: it is the log loss then. */
    private boolean isJoint() {
        return model.link().equals(Link.SOFTMAX) || areOrdered(model);
    }

    /** Whether the loss of a row is a sum over its scores. */
    private boolean isSummed() {
        return loss.isPresent() && !isJoint();
    }

    /** The class for which a score is high. */
    private int positive(int score) {
        return model.scores() == 1 ? 1 : score;
    }

    private static boolean areOrdered(LinearModel model) {
        return model.link().equals(Link.CUMULATIVE);
    }

    /** How many scores a row has: one for two classes, otherwise one for each class. */
    public static int scores(LinearModel model) {
        return areOrdered(model) ? model.classes().size() : model.scores();
    }

    /** The scores of a row: the model's or, where classes are in an order, the logits of their probabilities. */
    public static double[] scores(LinearModel model, Dataset rows, int row) {
        double[] scores = model.scores(rows, row);
        if (!areOrdered(model)) {
            return scores;
        }
        Ordinal ordinal = new Ordinal(scores.length + 1);
        double[] logits = new double[ordinal.classes()];
        for (int k = 0; k < logits.length; k++) {
            double others = 0;
            for (int other = 0; other < logits.length; other++) {
                others += other == k ? 0 : Elementary.exp(-ordinal.value(scores, other));
            }
            logits[k] = -ordinal.value(scores, k) - Elementary.log(others);
        }
        return logits;
    }

    /** One of the scores of a row. */
    static double score(LinearModel model, Dataset rows, int row, int score) {
        return areOrdered(model) ? scores(model, rows, row)[score] : model.score(rows, row, score);
    }

    private void addProbabilities(int actual, double weight, double[] scores, double[] probabilities) {
        sums[LOG_LOSSES] += weight * logLoss(model, actual, scores);
        for (int k = 0; k < scores.length; k++) {
            double probability = probabilities[positive(k)];
            double observed = actual == positive(k) ? 1 : 0;
            sums[BRIER] += weight * (probability - observed) * (probability - observed);
            int bin = calibration(k) + CALIBRATION * Calibration.bin(probability);
            sums[bin] += weight;
            sums[bin + 1] += weight * probability;
            sums[bin + 2] += weight * observed;
        }
    }

    /**
     * −log of the probability of a class, computed from scores so that it is finite however small the probability is.
     */
    public static double logLoss(LinearModel model, int actual, double[] scores) {
        if (scores.length == 1) {
            return Elementary.softplus(actual == 1 ? -scores[0] : scores[0]);
        }
        if (model.link().equals(Link.SOFTMAX)) {
            return new Softmax(scores.length).value(scores, actual);
        }
        double sum = Arrays.stream(scores).map(Elementary::sigmoid).sum();
        return sum > 0 ? Elementary.softplus(-scores[actual]) + Elementary.log(sum) : Elementary.log(scores.length);
    }

    @Override
    public double[] sums() {
        return sums.clone();
    }

    @Override
    public void add(double[] others) {
        for (int k = 0; k < sums.length; k++) {
            sums[k] += others[k];
        }
    }

    @Override
    public ClassMeasures measures() {
        double[][] confusion = new double[classes.size()][];
        double weight = 0;
        for (int k = 0; k < confusion.length; k++) {
            confusion[k] = Arrays.copyOfRange(sums, cell(k, 0), cell(k + 1, 0));
            weight += Arrays.stream(confusion[k]).sum();
        }
        boolean probable = model.hasProbabilities();
        List<ScoreCounts> curves = new ArrayList<>();
        List<Calibration> calibrations = new ArrayList<>();
        for (int k = 0; k < scores(model); k++) {
            curves.add(counts(curve(k)));
            if (probable) {
                calibrations.add(calibrationOf(calibration(k)));
            }
        }
        return new ClassMeasures(
                (long) sums[ROWS],
                weight,
                classes,
                confusion,
                probable ? sums[LOG_LOSSES] / weight : Double.NaN,
                probable ? sums[BRIER] / weight : Double.NaN,
                loss.isEmpty() ? Double.NaN : sums[LOSSES] / weight,
                curves,
                calibrations);
    }

    private ScoreCounts counts(int at) {
        int count = bins.count();
        double[] middles = new double[count];
        Arrays.setAll(middles, bins::middle);
        int first = at + SQUARES;
        return new ScoreCounts(
                middles,
                Arrays.copyOfRange(sums, first, first + count),
                Arrays.copyOfRange(sums, first + count, first + 2 * count),
                sums[at],
                sums[at + 1],
                false);
    }

    private Calibration calibrationOf(int at) {
        List<Calibration.Bin> filled = new ArrayList<>();
        for (int bin = at; bin < at + CALIBRATION * Calibration.COUNT; bin += CALIBRATION) {
            if (sums[bin] > 0) {
                filled.add(new Calibration.Bin(sums[bin], sums[bin + 1] / sums[bin], sums[bin + 2] / sums[bin]));
            }
        }
        return new Calibration(filled);
    }
}
