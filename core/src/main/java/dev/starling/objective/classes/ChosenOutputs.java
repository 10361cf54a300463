package dev.starling.objective.classes;

import dev.starling.data.Dataset;
import dev.starling.objective.WorkingSet;
import java.util.Arrays;

/**
 * Adds up the Hessian of some parameters of classes that are told apart all at once: Σ w (diag p − ppᵀ) ⊗ xxᵀ, of the
 * weights in a {@link WorkingSet}.
 */
final class ChosenOutputs {

    private final Dataset data;
    private final int classes;
    private final int features;
    private final double caution;

    /** For every parameter its place in the set, or -1. */
    private final int[] places;

    /* The parameters of the set that a row takes part in: their places, classes and values. */
    private final int[] found;
    private final int[] outputs;
    private final double[] values;

    ChosenOutputs(Dataset data, int classes, WorkingSet set) {
        this.data = data;
        this.classes = classes;
        this.features = data.features();
        this.caution = set.caution();
        this.places = new int[classes * features];
        Arrays.fill(places, -1);
        for (int k = 0; k < set.columns().length; k++) {
            places[set.columns()[k]] = k;
        }
        this.found = new int[set.columns().length];
        this.outputs = new int[found.length];
        this.values = new double[found.length];
    }

    /**
     * Adds the lower triangle, row by row, to the numbers at an offset of an array.
     *
     * @param likely p, by class and row
     * @param unlikely 1 − p
     */
    void add(int count, int[] rows, double[] weights, double[][] likely, double[][] unlikely, double[] sums, int at) {
        for (int j = 0; j < count; j++) {
            int size = find(rows[j]);
            for (int a = 0; a < size; a++) {
                int one = outputs[a];
                double scaled = weights[j] * values[a];
                int line = at + found[a] * (found[a] + 1) / 2;
                for (int b = 0; b <= a; b++) {
                    int other = outputs[b];
                    // No row bends by more than a half in any direction of its margins.
                    double bend = one == other
                            ? (1 - caution) * likely[one][j] * unlikely[one][j] + caution / 2
                            : (caution - 1) * likely[one][j] * likely[other][j];
                    sums[line + found[b]] += scaled * values[b] * bend;
                }
            }
        }
    }

    /** Finds the parameters that a row takes part in, in ascending order, and returns their number. */
    private int find(int row) {
        int size = 0;
        for (int k = 0; k < classes; k++) {
            for (int position = data.start(row); position < data.end(row); position++) {
                int column = data.column(row, position);
                int place = places[k * features + column];
                if (place >= 0) {
                    found[size] = place;
                    outputs[size] = k;
                    values[size++] = data.value(row, position);
                }
            }
        }
        return size;
    }
}
