package dev.starling.settings;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

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

    /** What {@link #BALANCED} is called in settings. */
    public static final String BALANCED_TEXT = "balanced";

    /** Validates the weights. The labels 0 and −0 are the same and share one key. */
    public ClassWeighting {
        TreeMap<Double, Double> result = new TreeMap<>();
        new TreeMap<>(byLabel).forEach((label, weight) -> {
            if (!LambdaPath.isProvable(weight)) {
                throw new InvalidInputException(
                        "class weight " + weight + " of label " + label + " must be " + LambdaPath.PROVABLE);
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

    /** Whether any weight is changed. */
    public boolean isPresent() {
        return balanced || !byLabel.isEmpty();
    }

    /** Refuses weights for labels that are not among the classes. */
    public void requireAmong(Labels labels) {
        for (double label : byLabel.keySet()) {
            if (!labels.classes().contains(label)) {
                throw new InvalidInputException(
                        "class weight for label " + label + ", which no row has; there are: " + labels.classes());
            }
        }
    }

    /** Returns the rows with their weights multiplied by those of their labels. */
    public Dataset apply(Dataset rows) {
        if (byLabel.isEmpty()) {
            return rows;
        }
        double[] weights = new double[rows.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rows.weight(i) * byLabel.getOrDefault(rows.label(i) + 0.0, 1.0);
        }
        return rows.withWeights(weights);
    }

    /**
     * Balanced weights of the classes; a class without rows gets none.
     *
     * @param totals the total weight of each class's rows, over all nodes
     */
    public static ClassWeighting balancing(Labels labels, double[] totals) {
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

    static InvalidInputException labelTwice(double label) {
        return new InvalidInputException("class-weights names label " + label + " twice");
    }
}
