package dev.starling.evaluation;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How well classes are predicted. A ratio with denominator 0, such as the precision of a class that is never predicted,
 * is 0, as in scikit-learn; log losses and Brier scores are NaN if the model gives no probabilities.
 *
 * @param classes the model's classes
 * @param confusion the confusion matrix: the weight of the rows of each actual class (first index) by predicted class
 *     (second index)
 * @param logLoss the mean of −log of the probability of the right class
 * @param brier the mean squared error of the probability of the second class if there are two, otherwise the mean of
 *     the squared errors summed over all classes
 * @param curves one set of counts per score of the model: for two classes, a single one with the second class as
 *     positive; otherwise, each class against the rest
 * @param calibration predicted and observed probabilities for each curve; empty if the model gives no probabilities
 */
public record ClassMeasures(
        long rows,
        double weight,
        List<Double> classes,
        double[][] confusion,
        double logLoss,
        double brier,
        double loss,
        List<ScoreCounts> curves,
        List<Calibration> calibration)
        implements Measures {

    /** Copies the lists. */
    public ClassMeasures {
        classes = List.copyOf(classes);
        curves = List.copyOf(curves);
        calibration = List.copyOf(calibration);
    }

    /**
     * One class against the rest.
     *
     * @param label the class
     * @param weight the weight of its rows
     * @param predicted the weight of the rows it was predicted for
     * @param precision the fraction of the latter that belong to the class
     * @param recall the fraction of the class's rows that it was predicted for
     * @param f1 the harmonic mean of precision and recall
     */
    public record OfClass(double label, double weight, double predicted, double precision, double recall, double f1) {}

    /** Returns a copy with curves from exact scores. */
    public ClassMeasures with(List<ScoreCounts> exact) {
        return new ClassMeasures(rows, weight, classes, confusion, logLoss, brier, loss, exact, calibration);
    }

    /** Returns a copy in which it is not known which class was predicted for which rows. */
    public ClassMeasures withoutPredictions() {
        double[][] unknown = new double[classes.size()][classes.size()];
        for (double[] row : unknown) {
            Arrays.fill(row, Double.NaN);
        }
        return new ClassMeasures(rows, weight, classes, unknown, logLoss, brier, loss, curves, calibration);
    }

    /**
     * The measures if the second of two classes is predicted for scores above a threshold, rather than above 0.
     *
     * @throws InvalidInputException if there are more classes
     */
    public ClassMeasures at(double threshold) {
        if (classes.size() != 2) {
            throw new InvalidInputException(
                    "a threshold tells two classes apart, and there are " + classes.size() + "; leave it out");
        }
        double[][] counts = new double[2][2];
        ScoreCounts curve = curves.get(0);
        for (int g = 0; g < curve.size(); g++) {
            int predicted = curve.score(g) > threshold ? 1 : 0;
            counts[0][predicted] += curve.negatives(g);
            counts[1][predicted] += curve.positives(g);
        }
        return new ClassMeasures(rows, weight, classes, counts, logLoss, brier, loss, curves, calibration);
    }

    /** The fraction of rows whose class was predicted correctly. */
    public double accuracy() {
        return IntStream.range(0, confusion.length)
                        .mapToDouble(k -> confusion[k][k])
                        .sum()
                / weight;
    }

    /** Minus twice the log-likelihood, as in R's glm; NaN without probabilities. */
    public double deviance() {
        return 2 * weight * logLoss;
    }

    /** The measures of every class against the rest. */
    public List<OfClass> ofClasses() {
        return IntStream.range(0, confusion.length).mapToObj(this::ofClass).toList();
    }

    private OfClass ofClass(int k) {
        double right = confusion[k][k];
        double actual = Arrays.stream(confusion[k]).sum();
        double predicted = Arrays.stream(confusion).mapToDouble(row -> row[k]).sum();
        return new OfClass(
                classes.get(k),
                actual,
                predicted,
                ratio(right, predicted),
                ratio(right, actual),
                ratio(2 * right, actual + predicted));
    }

    private static double ratio(double part, double whole) {
        return whole > 0 ? part / whole : 0;
    }

    /** The mean of a measure over the classes that occur among labels or predictions. */
    public double macro(ToDoubleFunction<OfClass> measure) {
        return ofClasses().stream()
                .filter(one -> one.weight() + one.predicted() > 0)
                .mapToDouble(measure)
                .average()
                .orElse(Double.NaN);
    }

    /**
     * The area under the ROC curve: for two classes, that of the second; otherwise, the mean over classes. NaN if the
     * area of some class is undefined.
     */
    public double auc() {
        return curves.stream()
                .mapToDouble(curve -> curve.area().value())
                .average()
                .orElse(Double.NaN);
    }

    @Override
    public Map<String, Double> values() {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("accuracy", accuracy());
        values.put("auc", auc());
        values.put("logLoss", logLoss);
        values.put("brier", brier);
        values.put("precision", macro(OfClass::precision));
        values.put("recall", macro(OfClass::recall));
        values.put("f1", macro(OfClass::f1));
        values.put("loss", loss);
        values.put("deviance", deviance());
        return values;
    }

    /** The measures in a line, such as {@code 6512 rows, accuracy 0.8497, auc 0.9019}. */
    @Override
    public String toString() {
        return Measures.text(this);
    }
}
