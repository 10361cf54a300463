package dev.starling.cli.evaluate;

import dev.starling.data.Dataset;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.ScoreCounts;
import dev.starling.internal.JsonObject;
import dev.starling.loss.Elementary;
import dev.starling.loss.Link;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The curves and histograms of an evaluation's page, with few enough points to draw.
 *
 * @param threshold above which the second of two classes is predicted; its point is one of those that are drawn
 */
record Curves(LinearModel model, Measures measures, List<Dataset> places, double threshold) {

    private static final int MOST_POINTS = 400;
    private static final int MOST_ROWS = 2000;
    private static final int BINS = 30;

    void write(JsonObject json) {
        if (measures instanceof ClassMeasures classes) {
            json.with("probabilities", model.hasProbabilities());
            json.objects("curves", classes.curves().size(), (one, k) -> {
                one.with("label", model.spelling(model.classes().get(model.scores() == 1 ? 1 : k)));
                curve(one, classes.curves().get(k));
                histogram(one, classes.curves().get(k));
            });
        } else {
            points(json);
        }
    }

    /**
     * Writes points of the ROC and the precision-recall curve, from the highest threshold to the lowest: the rates of
     * false and of true alarms, the precision, and the threshold from which rows are predicted to be of the class.
     */
    private void curve(JsonObject json, ScoreCounts counts) {
        double positives = counts.positives();
        double negatives = counts.negatives();
        int stride = Math.max(1, counts.size() / MOST_POINTS);
        double hits = 0;
        double alarms = 0;
        json.with("positives", positives);
        json.with("negatives", negatives);
        List<double[]> points = new ArrayList<>();
        points.add(point(0, 0, 1, place(counts.score(counts.size() - 1))));
        for (int g = counts.size() - 1; g >= 0; g--) {
            hits += counts.positives(g);
            alarms += counts.negatives(g);
            boolean last = place(counts.score(g)) > threshold && (g == 0 || place(counts.score(g - 1)) <= threshold);
            if (last || g % stride == 0) {
                points.add(point(alarms / negatives, hits / positives, hits / (hits + alarms), place(counts.score(g))));
            }
        }
        json.with("points", points);
    }

    private static double[] point(double... numbers) {
        // A class without rows has no rates.
        return Arrays.stream(numbers)
                .map(number -> Double.isFinite(number) ? Math.round(number * 1e6) / 1e6 : 0)
                .toArray();
    }

    /**
     * Writes histograms of the negative and the positive rows, by probability if a score alone decides it, otherwise by
     * score.
     */
    private void histogram(JsonObject json, ScoreCounts counts) {
        boolean probable = isProbability();
        double low = probable ? 0 : counts.score(0);
        double high = probable ? 1 : counts.score(counts.size() - 1);
        double[][] bins = new double[2][BINS];
        for (int g = 0; g < counts.size(); g++) {
            double place = place(counts.score(g));
            int bin = high > low ? Math.min(BINS - 1, (int) ((place - low) / (high - low) * BINS)) : 0;
            bins[0][bin] += counts.negatives(g);
            bins[1][bin] += counts.positives(g);
        }
        histogram(json, low, high, bins);
    }

    /** Whether a score alone decides a probability. */
    private boolean isProbability() {
        return model.hasProbabilities() && (model.scores() == 1 || !model.link().equals(Link.SOFTMAX));
    }

    /** The probability that belongs to a score, if it alone decides it, otherwise the score. */
    private double place(double score) {
        return isProbability() ? Elementary.sigmoid(score) : score;
    }

    private static void histogram(JsonObject json, double low, double high, double[]... bins) {
        json.object("histogram", one -> one.with("low", low).with("high", high).with("bins", List.of(bins)));
    }

    /** Writes pairs of label and prediction for every k-th row, and a histogram of the errors of all rows. */
    private void points(JsonObject json) {
        long stride = Math.max(1, measures.rows() / MOST_ROWS);
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        long row = 0;
        List<double[]> pairs = new ArrayList<>();
        for (Dataset rows : places) {
            for (int i = 0; i < rows.rows(); i++) {
                double predicted = model.predict(rows, i);
                low = Math.min(low, predicted - rows.label(i));
                high = Math.max(high, predicted - rows.label(i));
                if (row++ % stride == 0) {
                    pairs.add(new double[] {rows.label(i), predicted});
                }
            }
        }
        json.with("pairs", pairs);
        double[] bins = new double[BINS];
        for (Dataset rows : places) {
            for (int i = 0; i < rows.rows(); i++) {
                double place = (model.predict(rows, i) - rows.label(i) - low) / (high - low);
                bins[high > low ? Math.min(BINS - 1, (int) (place * BINS)) : 0] += rows.weight(i);
            }
        }
        histogram(json, low, high, bins);
    }
}
