package dev.starling.algorithm;

/**
 * Writes a vector as what changed since an earlier one: how many entries, then for each its index and its new value.
 * Where that is longer than the vector itself, as the vector. Nothing is lost: the reader has the same bits as the
 * writer.
 *
 * <p>The first number of a message says which it is: the count of changes, or −1 before the whole vector. So a message
 * has 1 + 2·changes numbers, or 1 + d, and it is these that are counted when it is sent.
 *
 * <pre>{@code
 * double[] message = new double[SparseDelta.longest(d)];
 * int length = SparseDelta.write(vector, previous, d, message);   // previous: what the reader has
 * SparseDelta.read(message, previous, d);                         // previous is now vector
 * }</pre>
 */
public final class SparseDelta {

    private static final double WHOLE = -1;

    private SparseDelta() {}

    /** The most numbers that a vector of so many entries can take. */
    public static int longest(int entries) {
        return entries + 1;
    }

    /**
     * Writes what of {@code vector[0..entries)} differs, in any bit, from what the reader has.
     *
     * @return how many numbers of the message count
     */
    public static int write(double[] vector, double[] known, int entries, double[] message) {
        int changes = 0;
        int at = 1;
        for (int c = 0; c < entries; c++) {
            if (Double.doubleToRawLongBits(vector[c]) != Double.doubleToRawLongBits(known[c])) {
                if (at + 2 > entries + 1) {
                    return writeWhole(vector, entries, message);
                }
                changes++;
                message[at++] = c;
                message[at++] = vector[c];
            }
        }
        message[0] = changes;
        return at;
    }

    /** Writes all of {@code vector[0..entries)}, for readers that have different things. */
    public static int writeWhole(double[] vector, int entries, double[] message) {
        message[0] = WHOLE;
        System.arraycopy(vector, 0, message, 1, entries);
        return entries + 1;
    }

    /** Brings what the reader has up to date. */
    public static void read(double[] message, double[] known, int entries) {
        if (message[0] == WHOLE) {
            System.arraycopy(message, 1, known, 0, entries);
            return;
        }
        int changes = (int) message[0];
        for (int k = 0; k < changes; k++) {
            known[(int) message[1 + 2 * k]] = message[2 + 2 * k];
        }
    }
}
