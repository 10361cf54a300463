package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How rows are weighted by class: with given weights by label, or balanced, where each of the n_c rows of a class gets
 * the weight n/(k n_c) if there are n rows and k classes. All classes then have the same total weight, and the total
 * weight of all rows does not change.
 *
 * @param byLabel weights by label, which multiply the weights of the rows with that label; 1 for other labels
 * @param balanced whether the weights are computed from the number of rows of each class
 */
public record ClassWeighting(Map<Double, Double> byLabel, boolean balanced) {

    /** No weighting: rows keep their own weights. */
    public static final ClassWeighting NONE = new ClassWeighting(Map.of(), false);

    /** All classes have the same total weight. */
    public static final ClassWeighting BALANCED = new ClassWeighting(Map.of(), true);

    private static final String BALANCED_TEXT = "balanced";

    /** Validates the weights. The labels 0 and −0 are the same and share one key. */
    public ClassWeighting {
        TreeMap<Double, Double> result = new TreeMap<>();
        new TreeMap<>(byLabel).forEach((label, weight) -> {
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new InvalidInputException(
                        "class weight " + weight + " of label " + label + " must be positive and finite");
            }
            if (result.put(label + 0.0, weight) != null) {
                throw labelTwice(label);
            }
        });
        byLabel = Collections.unmodifiableSortedMap(result);
    }

    /** Weighting with given weights by label. */
    public static ClassWeighting of(Map<Double, Double> byLabel) {
        return new ClassWeighting(byLabel, false);
    }

    /** Parses a weighting from text such as {@code 0=1,1=2.5} or {@code balanced}; blank text means none. */
    public static ClassWeighting of(String text) {
        if (text.strip().equals(BALANCED_TEXT)) {
            return BALANCED;
        }
        Map<Double, Double> weights = new TreeMap<>();
        for (String part : text.isBlank() ? new String[0] : text.split(",")) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new InvalidInputException("class-weights has '" + part
                        + "'; each must be LABEL=WEIGHT, such as 1=2.5, or the whole setting " + BALANCED_TEXT);
            }
            double label = Settings.number("class-weights", part.substring(0, equals));
            if (weights.put(label, Settings.number("class-weights", part.substring(equals + 1))) != null) {
                throw labelTwice(label);
            }
        }
        return of(weights);
    }

    /** The text that {@link #of(String)} reads. */
    public String text() {
        return balanced
                ? BALANCED_TEXT
                : byLabel.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining(","));
    }

    /** Whether any weight is changed. */
    public boolean isPresent() {
        return balanced || !byLabel.isEmpty();
    }

    /** Refuses weights for labels that are not among the classes. */
    void requireAmong(Labels labels) {
        for (double label : byLabel.keySet()) {
            if (!labels.classes().contains(label)) {
                throw new InvalidInputException(
                        "class weight for label " + label + ", which no row has; there are: " + labels.classes());
            }
        }
    }

    /** Returns the rows with their weights multiplied by those of their labels. */
    Dataset apply(Dataset rows) {
        if (byLabel.isEmpty()) {
            return rows;
        }
        double[] weights = new double[rows.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rows.weight(i) * byLabel.getOrDefault(rows.label(i) + 0.0, 1.0);
        }
        return rows.withWeights(weights);
    }

    /** The total weight of a node's rows of each class. */
    static double[] totals(NodeRows rows, Labels labels) {
        List<Double> classes = labels.classes();
        double[] totals = new double[classes.size()];
        for (int j = 0; j < rows.count(); j++) {
            int row = rows.row(j);
            totals[classes.indexOf(rows.data().label(row) + 0.0)] += rows.data().weight(row);
        }
        return totals;
    }

    /**
     * Balanced weights of the classes; a class without rows gets none.
     *
     * @param totals the total weight of each class's rows, over all nodes
     */
    static ClassWeighting balancing(Labels labels, double[] totals) {
        double all = 0;
        int present = 0;
        for (double total : totals) {
            all += total;
            present += total > 0 ? 1 : 0;
        }
        Map<Double, Double> weights = new TreeMap<>();
        for (int k = 0; k < totals.length; k++) {
            if (totals[k] > 0) {
                weights.put(labels.classes().get(k), all / (present * totals[k]));
            }
        }
        return of(weights);
    }

    private static InvalidInputException labelTwice(double label) {
        return new InvalidInputException("class-weights names label " + label + " twice");
    }
}
