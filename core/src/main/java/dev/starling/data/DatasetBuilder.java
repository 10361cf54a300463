package dev.starling.data;

import dev.starling.data.text.ColumnNames;
import java.util.List;

/**
 * Builds a dataset row by row; invalid input is rejected at once, with a message that names the row and the value.
 *
 * <pre>{@code
 * Dataset flowers = Dataset.builder(3)
 *         .names("length", "width", "colour")
 *         .row(1, 5.1, 3.5, 0.2)
 *         .row(2, new int[] {0, 2}, new double[] {4.9, 0.1}).weight(2)
 *         .build();
 * }</pre>
 */
public final class DatasetBuilder {

    private final int features;
    private final RowBuffer rows = new RowBuffer(16, 64);
    private List<String> names = List.of();

    DatasetBuilder(int features) {
        if (features < 1) {
            throw new InvalidInputException(features + " features; there must be at least one");
        }
        this.features = features;
    }

    static Dataset of(double[][] rows, double[] labels) {
        if (rows.length != labels.length) {
            throw new InvalidInputException(
                    labels.length + " labels for " + rows.length + " rows; there must be one per row");
        }
        if (rows.length == 0) {
            throw new InvalidInputException("no rows; at least one is needed");
        }
        DatasetBuilder builder = new DatasetBuilder(rows[0].length);
        for (int i = 0; i < rows.length; i++) {
            builder.row(labels[i], rows[i]);
        }
        return builder.build();
    }

    /** Sets the names of the features, one for each. */
    public DatasetBuilder names(String... perFeature) {
        names = List.of(perFeature);
        ColumnNames.requireDifferent(names, "");
        return this;
    }

    /** Adds a row with a value for every feature. */
    public DatasetBuilder row(double label, double... values) {
        begin(label);
        if (values.length != features) {
            throw refused(values.length + " values; there must be " + features + ", one per feature");
        }
        for (int c = 0; c < values.length; c++) {
            add(c, values[c]);
        }
        rows.endRow(label);
        return this;
    }

    /**
     * Adds a sparse row, given by its non-zero values.
     *
     * @param columns the feature of each value, from 0, ascending
     */
    public DatasetBuilder row(double label, int[] columns, double[] values) {
        begin(label);
        if (columns.length != values.length) {
            throw refused(columns.length + " columns for " + values.length + " values; there must be one for each");
        }
        int previous = -1;
        for (int k = 0; k < columns.length; k++) {
            if (columns[k] < 0 || columns[k] >= features) {
                throw refused("column " + columns[k] + " must be between 0 and " + (features - 1));
            }
            if (columns[k] <= previous) {
                throw refused("column " + columns[k] + " after " + previous + "; columns must ascend");
            }
            previous = columns[k];
            add(columns[k], values[k]);
        }
        rows.endRow(label);
        return this;
    }

    /** Sets the weight of the row added last; the default is 1. */
    public DatasetBuilder weight(double weight) {
        if (rows.rows() == 0) {
            throw new InvalidInputException("weight " + weight + " before the first row; add the row first");
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new InvalidInputException(
                    "row " + rows.rows() + ": weight " + weight + " must be positive and finite");
        }
        rows.weigh(weight);
        return this;
    }

    /**
     * Returns the rows in the layout that {@link Dataset#densePays} recommends; nothing can be added afterwards.
     *
     * @throws InvalidInputException if there are no rows
     */
    public Dataset build() {
        if (rows.rows() == 0) {
            throw new InvalidInputException("no rows were added; at least one is needed");
        }
        return rows.toDataset(features).wellLaidOut().withNames(names);
    }

    private void begin(double label) {
        rows.dropUnended();
        if (!Double.isFinite(label)) {
            throw refused("label " + label + " must be finite");
        }
    }

    private void add(int column, double value) {
        if (!Double.isFinite(value)) {
            String name = names.size() == features ? " (" + names.get(column) + ")" : "";
            throw refused("column " + column + name + " holds " + value + "; values must be finite");
        }
        if (value != 0) {
            rows.add(column, value);
        }
    }

    private InvalidInputException refused(String problem) {
        return new InvalidInputException("row " + (rows.rows() + 1) + ": " + problem);
    }
}
