package dev.starling.lab.baseline;

/**
 * A vector as it travels: how many of its entries are not zero, then the index and the value of each; or −1 and all
 * entries, where that is no longer. So d entries take at most 1 + d numbers, and those that follow need no separator.
 */
final class Entries {

    private static final double WHOLE = -1;

    private Entries() {}

    /** The most numbers that a vector of d entries takes. */
    static int longest(int d) {
        return d + 1;
    }

    /** Writes the vector to the start of {@code into}. */
    static void write(double[] vector, double[] into) {
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

    /** How many numbers the vector of d entries that begins at a place takes. */
    static int length(double[] numbers, int start, int d) {
        return numbers[start] == WHOLE ? longest(d) : 1 + 2 * (int) numbers[start];
    }

    /** v += scale · the vector that begins at a place. */
    static void add(double[] numbers, int start, double scale, double[] v) {
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
