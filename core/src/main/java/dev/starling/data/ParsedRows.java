package dev.starling.data;

import java.util.Arrays;

/** The rows of one stretch of a file, as far as the first line that could not be read. */
final class ParsedRows {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    double[] labels;
    /** Where each row ends in {@link #columns} and {@link #values}. */
    int[] ends;

    int[] columns;
    float[] values;
    int rows;
    int stored;
    int largestColumn = -1;

    /** Lines begun, blank ones included; the last of them is the bad one if there is a problem. */
    long lines;

    /** What is wrong with the last line; empty if nothing is. */
    String problem = "";

    ParsedRows(int bytes) {
        labels = new double[16 + bytes / 64];
        ends = new int[labels.length];
        columns = new int[16 + bytes / 10];
        values = new float[columns.length];
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
            ends = Arrays.copyOf(ends, larger);
        }
        labels[rows] = label;
        ends[rows++] = stored;
    }

    private static int larger(int length) {
        return (int) Math.min(LARGEST_ARRAY, 16 + length + (long) length / 2);
    }

    boolean isBad() {
        return !problem.isEmpty();
    }
}
