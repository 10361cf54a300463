package dev.starling.table.parquet;

import java.util.Arrays;

/**
 * A Huffman code for bytes as defined by Zstandard, with a table of all that the next bits can mean.
 *
 * @param log the length of the longest code in bits
 */
record PrefixCode(int log, byte[] symbols, byte[] bits) {

    private static final int MOST_LOG = 11;
    private static final int MOST_WEIGHT_LOG = 6;
    private static final int MOST_SYMBOLS = 256;

    /** A first byte of at least this value says how many weights follow uncompressed. */
    private static final int DIRECT = 128;

    /** Reads the weights of a code and consumes their bytes. */
    static PrefixCode read(Bytes in) {
        int header = in.next();
        int[] weights = header < DIRECT ? compressed(in.part(header)) : direct(in, header - DIRECT + 1);
        int sum = 0;
        for (int weight : weights) {
            if (weight > MOST_LOG) {
                throw new CorruptException("a code of weight " + weight);
            }
            sum += 1 << weight >> 1;
        }
        if (sum == 0) {
            throw new CorruptException("a code without symbols");
        }
        int log = StateTable.highestBit(sum) + 1;
        int rest = (1 << log) - sum;
        if (log > MOST_LOG || Integer.bitCount(rest) != 1) {
            throw new CorruptException("a code that is not complete");
        }
        // The last symbol has the weight that completes the code.
        int[] all = Arrays.copyOf(weights, weights.length + 1);
        all[weights.length] = StateTable.highestBit(rest) + 1;
        return of(log, all);
    }

    private static int[] direct(Bytes in, int count) {
        int[] weights = new int[count];
        for (int k = 0; k < count; k += 2) {
            int pair = in.next();
            weights[k] = pair >> 4;
            if (k + 1 < count) {
                weights[k + 1] = pair & 0xf;
            }
        }
        return weights;
    }

    /** Decodes weights with two states that alternate. */
    private static int[] compressed(Bytes part) {
        StateTable table = StateTable.read(part, MOST_WEIGHT_LOG);
        BackwardBits in = new BackwardBits(part);
        int[] weights = new int[MOST_SYMBOLS - 1];
        int count = 0;
        int state = table.first(in);
        int other = table.first(in);
        while (in.left() >= 0) {
            if (count + 2 > weights.length) {
                throw new CorruptException("a code of too many symbols");
            }
            weights[count++] = table.symbol(state);
            int next = table.next(state, in);
            state = other;
            other = next;
        }
        weights[count++] = table.symbol(state);
        return Arrays.copyOf(weights, count);
    }

    private static PrefixCode of(int log, int[] weights) {
        byte[] symbols = new byte[1 << log];
        byte[] bits = new byte[1 << log];
        int at = 0;
        for (int weight = 1; weight <= log; weight++) {
            for (int symbol = 0; symbol < weights.length; symbol++) {
                if (weights[symbol] == weight) {
                    int to = at + (1 << (weight - 1));
                    Arrays.fill(symbols, at, to, (byte) symbol);
                    Arrays.fill(bits, at, to, (byte) (log + 1 - weight));
                    at = to;
                }
            }
        }
        return new PrefixCode(log, symbols, bits);
    }

    /** Decodes the bytes from {@code from} to {@code to}; no bits may be left afterwards. */
    void decode(BackwardBits in, byte[] out, int from, int to) {
        for (int k = from; k < to; k++) {
            int place = (int) in.peek(log);
            out[k] = symbols[place];
            in.take(bits[place]);
        }
        in.requireEnd();
    }
}
