package dev.starling.data;

/**
 * How far stored values reach: those of rows are looked through once, whoever asks.
 *
 * @param from the position of the first of them
 * @param to the position after the last
 * @param nonZeros how many are not zero
 * @param largest the largest absolute value
 */
record Extent(int from, int to, long nonZeros, double largest) {

    /** The extent of these values and others. */
    Extent and(Extent other) {
        return new Extent(
                Math.min(from, other.from),
                Math.max(to, other.to),
                nonZeros + other.nonZeros,
                Math.max(largest, other.largest));
    }
}
