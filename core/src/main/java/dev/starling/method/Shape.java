package dev.starling.method;

import dev.starling.data.Dataset;

/**
 * The overall size of the rows of all nodes, which all nodes know once they have agreed; methods and layouts are chosen
 * by it.
 *
 * @param features d, the number of features, including that of the intercept
 * @param rows the number of rows of all nodes
 * @param stored the number of stored values, including zeros where rows are dense
 * @param nonZeros the number of non-zero values, or an upper bound on it where the exact number decides nothing
 * @param dense whether rows are stored with all their columns
 */
public record Shape(int features, long rows, long stored, long nonZeros, boolean dense) {

    /** Returns the shape of rows that are all in one place, as they are laid out. */
    public static Shape of(Dataset rows) {
        return new Shape(rows.features(), rows.rows(), rows.storedValues(), rows.nonZeros(), rows.isDense());
    }

    /** Returns the average number of stored values per row. */
    public double valuesPerRow() {
        return (double) stored / rows;
    }

    /** Returns the average number of non-zero values per row. */
    public double nonZerosPerRow() {
        return (double) nonZeros / rows;
    }
}
