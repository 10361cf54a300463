package dev.starling.data;

import java.util.Arrays;

/** The rows of one stretch of a file, as far as the first line that could not be read. */
final class ParsedRows {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    double[] labels;
    /** Where each row starts in {@link #columns} and {@link #values}, and where the last one ends. */
    int[] offsets;

    int[] columns;
    float[] values;
    int rows;
    int stored;
    int largestColumn = -1;

    /** Lines begun, blank ones included; the last of them is the bad one if there is a problem. */
    long lines;

    /** What is wrong with the last line; empty if nothing is. */
    String problem = "";

    /** Room for so many rows and values; more is made when they do not suffice. */
    ParsedRows(int rows, int values) {
        labels = new double[rows];
        offsets = new int[rows + 1];
        columns = new int[values];
        this.values = new float[values];
    }

    /** Room for what so many bytes of text usually hold. */
    static ParsedRows ofText(int bytes) {
        return new ParsedRows(16 + bytes / 64, 16 + bytes / 10);
    }

    void add(int column, float value) {
        if (stored == values.length) {
            int larger = larger(stored);
            columns = Arrays.copyOf(columns, larger);
            values = Arrays.copyOf(values, larger);
        }
        columns[stored] = column;
        values[stored++] = value;
    }

    void endRow(double label) {
        if (rows == labels.length) {
            int larger = larger(rows);
            labels = Arrays.copyOf(labels, larger);
            offsets = Arrays.copyOf(offsets, larger + 1);
        }
        labels[rows] = label;
        offsets[++rows] = stored;
    }

    private static int larger(int length) {
        return (int) Math.min(LARGEST_ARRAY - 1, 16 + length + (long) length / 2);
    }

    /** Makes the arrays free for other rows. */
    void clear() {
        rows = 0;
        stored = 0;
        largestColumn = -1;
        lines = 0;
    }

    boolean isBad() {
        return !problem.isEmpty();
    }
}
