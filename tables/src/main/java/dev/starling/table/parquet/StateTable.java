package dev.starling.table.parquet;

import java.util.Arrays;

/**
 * A decoding table for finite-state entropy, as in RFC 8878 (Zstandard): every state stands for a symbol and determines
 * the range in which the next state is found.
 *
 * @param log the number of bits of the first state
 */
record StateTable(int log, byte[] symbols, byte[] bits, int[] bases) {

    private static final int LEAST_LOG = 5;
    private static final int MOST_SYMBOLS = 256;

    /** The table for a single symbol. */
    static StateTable of(int symbol) {
        return new StateTable(0, new byte[] {(byte) symbol}, new byte[1], new int[1]);
    }

    /**
     * The table for a distribution.
     *
     * @param shares how many states each symbol has; −1 for a symbol that is too rare for a whole state
     */
    static StateTable of(int log, int... shares) {
        int size = 1 << log;
        byte[] symbols = new byte[size];
        int[] next = new int[shares.length];
        int high = size;
        for (int s = 0; s < shares.length; s++) {
            if (shares[s] < 0) {
                symbols[--high] = (byte) s;
                next[s] = 1;
            }
        }
        int step = (size >> 1) + (size >> 3) + 3;
        int at = 0;
        for (int s = 0; s < shares.length; s++) {
            for (int k = 0; k < shares[s]; k++) {
                next[s] = shares[s];
                symbols[at] = (byte) s;
                do {
                    at = (at + step) & (size - 1);
                } while (at >= high);
            }
        }
        byte[] bits = new byte[size];
        int[] bases = new int[size];
        for (int state = 0; state < size; state++) {
            int place = next[symbols[state] & 0xff]++;
            bits[state] = (byte) (log - highestBit(place));
            bases[state] = (place << bits[state]) - size;
        }
        return new StateTable(log, symbols, bits, bases);
    }

    static int highestBit(int value) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
    }

    /** Reads the distribution of a table and consumes its bytes. */
    static StateTable read(Bytes bytes, int mostLog) {
        ForwardBits in = new ForwardBits(bytes);
        int log = LEAST_LOG + in.take(4);
        if (log > mostLog) {
            throw new CorruptException("a table of 2^" + log + " states");
        }
        int[] shares = new int[MOST_SYMBOLS];
        int left = 1 << log;
        int symbol = 0;
        while (left > 0 && symbol < MOST_SYMBOLS) {
            int width = highestBit(left + 1) + 1;
            int value = in.take(width);
            int low = value & ((1 << (width - 1)) - 1);
            int threshold = (1 << width) - 2 - left;
            if (low < threshold) {
                in.giveBack();
                value = low;
            } else if (value >= 1 << (width - 1)) {
                value -= threshold;
            }
            int share = value - 1;
            left -= Math.abs(share);
            shares[symbol++] = share;
            for (int zeros = share == 0 ? 3 : 0; zeros == 3; symbol += zeros) {
                zeros = in.take(2);
            }
        }
        if (left != 0 || symbol > MOST_SYMBOLS) {
            throw new CorruptException("shares of states that do not add up");
        }
        in.finish();
        return of(log, Arrays.copyOf(shares, symbol));
    }

    int symbol(int state) {
        return symbols[state] & 0xff;
    }

    int first(BackwardBits in) {
        return in.take(log);
    }

    int next(int state, BackwardBits in) {
        return bases[state] + in.take(bits[state]);
    }

    /** Bits from the front of some bytes, the lowest of each first. */
    private static final class ForwardBits {
        private final Bytes bytes;
        private int taken;

        ForwardBits(Bytes bytes) {
            this.bytes = bytes;
        }

        int take(int count) {
            int value = 0;
            for (int k = 0; k < count; k++, taken++) {
                value |= bytes.bit(taken) << k;
            }
            return value;
        }

        void giveBack() {
            taken--;
        }

        /** Consumes all bytes of which bits were taken. */
        void finish() {
            bytes.take((taken + Byte.SIZE - 1) / Byte.SIZE);
        }
    }
}
