package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.evaluation.tally.ClassTally;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * How well a model predicts each of some rows, so that it can be compared with another model row by row.
 *
 * @param model the model
 * @param places its rows, which may be in several sets; all models that are compared have the same rows in the same
 *     order
 * @param threshold the score above which the second of two classes is predicted, usually 0
 */
public record Judged(LinearModel model, List<Dataset> places, double threshold) {

    /**
     * A measure as a mean over rows, at least nearly: how much each row's part in it differs from that of others is
     * what decides how uncertain it is.
     *
     * @param value the measure
     * @param parts for each row, what it would be if all rows of its group were like this one, up to a constant
     */
    record Measured(double value, double[] parts) {}

    /** Copies the list. */
    public Judged {
        places = List.copyOf(places);
    }

    /** A model that predicts the second of two classes for positive scores. */
    public Judged(LinearModel model, Dataset rows) {
        this(model, List.of(rows), 0);
    }

    double[] weights() {
        return places.stream()
                .flatMapToDouble(rows -> IntStream.range(0, rows.rows()).mapToDouble(rows::weight))
                .toArray();
    }

    /** The rows' labels as they are written in the data. */
    String[] labels() {
        return places.stream()
                .flatMap(rows -> IntStream.range(0, rows.rows()).mapToObj(i -> model.spelling(rows.label(i))))
                .toArray(String[]::new);
    }

    private double[] numbers() {
        return places.stream()
                .flatMapToDouble(rows -> IntStream.range(0, rows.rows()).mapToDouble(rows::label))
                .toArray();
    }

    /** The scores of each row. */
    private double[][] scores() {
        return each((rows, row) -> ClassTally.scores(model, rows, row));
    }

    private double[][] each(BiFunction<Dataset, Integer, double[]> ofRow) {
        return places.stream()
                .flatMap(rows -> IntStream.range(0, rows.rows()).mapToObj(i -> ofRow.apply(rows, i)))
                .toArray(double[][]::new);
    }

    /** The measures that are means over rows, by name. */
    Map<String, Measured> means() {
        return model.isClassifier() ? meansOfClasses() : meansOfNumbers();
    }

    private Map<String, Measured> meansOfClasses() {
        double[][] scores = scores();
        double[][] probabilities = model.hasProbabilities() ? each(model::probabilities) : new double[0][];
        int[] actual = actual();
        double[] right = new double[actual.length];
        double[] logLosses = new double[actual.length];
        double[] brier = new double[actual.length];
        for (int i = 0; i < actual.length; i++) {
            right[i] = predicted(scores[i]) == actual[i] ? 1 : 0;
            if (model.hasProbabilities()) {
                logLosses[i] = ClassTally.logLoss(model, actual[i], scores[i]);
                brier[i] = brier(probabilities[i], actual[i]);
            }
        }
        Map<String, Measured> means = new LinkedHashMap<>();
        means.put("accuracy", mean(right));
        if (model.hasProbabilities()) {
            means.put("logLoss", mean(logLosses));
            means.put("brier", mean(brier));
        }
        return means;
    }

    /** The squared error of the probability of one of two classes, or of all probabilities if there are more. */
    private static double brier(double[] probabilities, int actual) {
        double sum = 0;
        for (int k = 0; k < probabilities.length; k++) {
            double error = probabilities[k] - (k == actual ? 1 : 0);
            sum += probabilities.length > 2 || k == 1 ? error * error : 0;
        }
        return sum;
    }

    private int predicted(double[] scores) {
        if (scores.length == 1) {
            return scores[0] > threshold ? 1 : 0;
        }
        return IntStream.range(0, scores.length).reduce(0, (best, k) -> scores[k] > scores[best] ? k : best);
    }

    private int[] actual() {
        return Arrays.stream(numbers())
                .mapToInt(label -> model.classes().indexOf(label + 0.0))
                .toArray();
    }

    private Map<String, Measured> meansOfNumbers() {
        double[] labels = numbers();
        double[][] scores = scores();
        Optional<Loss> loss = Losses.find(model.loss());
        double[] squares = new double[labels.length];
        double[] sizes = new double[labels.length];
        double[] losses = new double[labels.length];
        for (int i = 0; i < labels.length; i++) {
            double error = model.link().mean(scores[i][0]) - labels[i];
            squares[i] = error * error;
            sizes[i] = Math.abs(error);
            losses[i] = loss.isEmpty() ? 0 : loss.get().value(scores[i][0], labels[i]);
        }
        // By the slope of the root at the mean.
        double rmse = Math.sqrt(mean(squares).value);
        Map<String, Measured> means = new LinkedHashMap<>();
        means.put(
                "rmse",
                new Measured(
                        rmse,
                        Arrays.stream(squares)
                                .map(square -> rmse > 0 ? square / (2 * rmse) : 0)
                                .toArray()));
        means.put("mae", mean(sizes));
        loss.ifPresent(own -> means.put("loss", mean(losses)));
        return means;
    }

    private Measured mean(double[] values) {
        double[] weights = weights();
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i];
            weight += weights[i];
        }
        return new Measured(sum / weight, values);
    }

    /**
     * The area under the ROC curve, the mean over classes if there are more than two. The part of a row is the fraction
     * of rows of other classes that it is on the right side of, which are the components of DeLong, DeLong and
     * Clarke-Pearson (1988); rows are grouped by class.
     */
    Measured area() {
        double[][] scores = scores();
        double[] weights = weights();
        int[] actual = actual();
        double[] ofClasses = new double[model.classes().size()];
        for (int i = 0; i < actual.length; i++) {
            ofClasses[actual[i]] += weights[i];
        }
        double[] parts = new double[actual.length];
        double area = 0;
        for (int k = 0; k < scores[0].length; k++) {
            int score = k;
            double[] ofRows =
                    Arrays.stream(scores).mapToDouble(one -> one[score] + 0.0).toArray();
            area += add(ofRows, model.scores() == 1 ? 1 : k, actual, weights, ofClasses, parts) / scores[0].length;
        }
        return new Measured(area, parts);
    }

    /** Adds the rows' parts in the area of one class against the rest, and returns that area. */
    private double add(
            double[] scores, int positive, int[] actual, double[] weights, double[] ofClasses, double[] parts) {
        int[] order = IntStream.range(0, actual.length)
                .boxed()
                .sorted((i, j) -> Double.compare(scores[i], scores[j]))
                .mapToInt(Integer::intValue)
                .toArray();
        double rest = Arrays.stream(ofClasses).sum() - ofClasses[positive];
        double lowerPositives = 0;
        double lowerOthers = 0;
        double area = 0;
        for (int from = 0, to = 0; from < order.length; from = to) {
            double positives = 0;
            double others = 0;
            for (; to < order.length && scores[order[to]] == scores[order[from]]; to++) {
                positives += actual[order[to]] == positive ? weights[order[to]] : 0;
                others += actual[order[to]] == positive ? 0 : weights[order[to]];
            }
            double outscored = (lowerOthers + others / 2) / rest;
            double outscoring = 1 - (lowerPositives + positives / 2) / ofClasses[positive];
            area += positives * outscored / ofClasses[positive];
            for (int k = from; k < to; k++) {
                int actualClass = actual[order[k]];
                // Another class is one of several that the score tells from the positive one.
                parts[order[k]] += (actualClass == positive ? outscored : outscoring * ofClasses[actualClass] / rest)
                        / ClassTally.scores(model);
            }
            lowerPositives += positives;
            lowerOthers += others;
        }
        return area;
    }
}
