package dev.starling.lab.baseline.node;

/**
 * The encoding of a vector in a message: the number of non-zero entries, then the index and the value of each; or −1
 * and all entries, if that is not longer. So d entries take at most 1 + d numbers, and encoded vectors can follow each
 * other without separators.
 */
public final class Entries {

    private static final double WHOLE = -1;

    private Entries() {}

    /** The most numbers that a vector of d entries takes. */
    public static int longest(int d) {
        return d + 1;
    }

    /** Writes the vector to the start of {@code into}. */
    public static void write(double[] vector, double[] into) {
        int count = 0;
        int at = 1;
        for (int c = 0; c < vector.length; c++) {
            if (vector[c] != 0) {
                if (at + 2 > longest(vector.length)) {
                    into[0] = WHOLE;
                    System.arraycopy(vector, 0, into, 1, vector.length);
                    return;
                }
                count++;
                into[at++] = c;
                into[at++] = vector[c];
            }
        }
        into[0] = count;
    }

    /** How many numbers the encoded vector of d entries that begins at an index takes. */
    public static int length(double[] numbers, int start, int d) {
        return numbers[start] == WHOLE ? longest(d) : 1 + 2 * (int) numbers[start];
    }

    /** v += scale · the encoded vector that begins at an index. */
    public static void add(double[] numbers, int start, double scale, double[] v) {
        if (numbers[start] == WHOLE) {
            for (int c = 0; c < v.length; c++) {
                v[c] += scale * numbers[start + 1 + c];
            }
            return;
        }
        int end = start + length(numbers, start, v.length);
        for (int k = start + 1; k < end; k += 2) {
            v[(int) numbers[k]] += scale * numbers[k + 1];
        }
    }
}
