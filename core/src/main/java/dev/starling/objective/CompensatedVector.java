package dev.starling.objective;

import dev.starling.data.Dataset;
import java.util.Arrays;

/**
 * A sum of rows, in a part of an array, whose rounding errors are added up separately (Knuth's two-sum): it is then
 * about as accurate as a single row.
 */
final class CompensatedVector {

    private final double[] sums;
    private final int first;
    private final double[] remainders;

    /** Creates the sum in the entries of an array from {@code first} on. */
    CompensatedVector(double[] sums, int first, int length) {
        this.sums = sums;
        this.first = first;
        this.remainders = new double[length];
    }

    /** Forgets the rounding errors; the sums themselves are the caller's to clear. */
    void clear() {
        Arrays.fill(remainders, 0);
    }

    /** Adds a multiple of a row. */
    void add(Dataset data, int row, double scale) {
        int start = data.start(row);
        for (int k = start; k < data.end(row); k++) {
            add(data.column(row, k), scale * data.value(row, k));
        }
    }

    /** Adds a term to an entry. */
    void add(int c, double term) {
        double before = sums[first + c];
        double sum = before + term;
        double back = sum - before;
        sums[first + c] = sum;
        remainders[c] += (before - (sum - back)) + (term - back);
    }

    /** Adds the rest of a term of which the larger part was added. */
    void addRest(int c, double rest) {
        remainders[c] += rest;
    }

    /** Adds another sum. */
    void add(CompensatedVector next) {
        for (int c = 0; c < remainders.length; c++) {
            add(c, next.sums[first + c]);
            remainders[c] += next.remainders[c];
        }
    }

    /** Adds the rounding errors to the sum. */
    void finish() {
        for (int c = 0; c < remainders.length; c++) {
            sums[first + c] += remainders[c];
        }
    }
}
