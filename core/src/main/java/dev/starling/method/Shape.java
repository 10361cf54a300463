package dev.starling.method;

import dev.starling.data.Dataset;

/**
 * What all nodes know of the rows of all nodes once they have agreed; methods and layouts are chosen by it.
 *
 * @param features d, the intercept's feature included
 * @param rows the rows of all nodes
 * @param stored values that are stored, zeros included where rows are dense
 * @param nonZeros values that are not zero; where that decides nothing, a bound on them from above
 * @param dense whether rows are stored with all their columns
 */
public record Shape(int features, long rows, long stored, long nonZeros, boolean dense) {

    /** The shape of rows that are all in one place, as they are laid out. */
    public static Shape of(Dataset rows) {
        return new Shape(rows.features(), rows.rows(), rows.storedValues(), rows.nonZeros(), rows.isDense());
    }

    /** Stored values of a row, on average. */
    public double valuesPerRow() {
        return (double) stored / rows;
    }

    /** Values of a row that are not zero, on average. */
    public double nonZerosPerRow() {
        return (double) nonZeros / rows;
    }
}
