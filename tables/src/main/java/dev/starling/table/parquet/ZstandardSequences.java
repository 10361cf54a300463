package dev.starling.table.parquet;

/** The second part of a Zstandard block: how literals and copies of earlier output alternate. */
final class ZstandardSequences {

    private static final StateTable USUAL_LITERALS = StateTable.of(
            6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
            -1, -1);
    private static final StateTable USUAL_OFFSETS = StateTable.of(
            5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1);
    private static final StateTable USUAL_MATCHES = StateTable.of(
            6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1);

    /**
     * Extra bits of the codes that stand for a range of lengths; they follow the codes that stand for one length each.
     */
    private static final int[] LITERAL_BITS = {1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    private static final int[] MATCH_BITS = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    private static final Lengths LITERAL_LENGTHS = Lengths.of(0, 16, LITERAL_BITS);
    private static final Lengths MATCH_LENGTHS = Lengths.of(3, 32, MATCH_BITS);
    private static final int MOST_OFFSET_BITS = 30;

    /** The range of lengths that each code stands for. */
    private record Lengths(int[] bases, int[] bits) {

        static Lengths of(int first, int single, int[] ranges) {
            int[] bits = new int[single + ranges.length];
            System.arraycopy(ranges, 0, bits, single, ranges.length);
            int[] bases = new int[bits.length];
            int base = first;
            for (int k = 0; k < bits.length; k++) {
                bases[k] = base;
                base += 1 << bits[k];
            }
            return new Lengths(bases, bits);
        }

        int read(int code, BackwardBits in) {
            if (code >= bases.length) {
                throw new CorruptException("a length of code " + code);
            }
            return bases[code] + in.take(bits[code]);
        }
    }

    private final int[] recent = new int[3];
    private StateTable literalTable;
    private StateTable offsetTable;
    private StateTable matchTable;

    /** Forgets everything from earlier frames. */
    void reset() {
        recent[0] = 1;
        recent[1] = 4;
        recent[2] = 8;
        literalTable = null;
        offsetTable = null;
        matchTable = null;
    }

    /** Reads the rest of a block and appends what it decodes to. */
    void read(Bytes block, byte[] literals, Zstandard out) {
        int count = count(block);
        int used = count == 0 ? 0 : read(block, count, literals, out);
        out.put(literals, used, literals.length - used);
    }

    private static int count(Bytes block) {
        int first = block.next();
        return first < 128 ? first : first < 255 ? ((first - 128) << 8) + block.next() : (int) block.fixed(2) + 0x7F00;
    }

    /** Returns how many literals were used. */
    private int read(Bytes block, int count, byte[] literals, Zstandard out) {
        int modes = block.next();
        literalTable = table(modes >> 6, block, USUAL_LITERALS, literalTable, 9);
        offsetTable = table(modes >> 4 & 3, block, USUAL_OFFSETS, offsetTable, 8);
        matchTable = table(modes >> 2 & 3, block, USUAL_MATCHES, matchTable, 9);
        BackwardBits in = new BackwardBits(block);
        int literalState = literalTable.first(in);
        int offsetState = offsetTable.first(in);
        int matchState = matchTable.first(in);
        int used = 0;
        for (int k = 0; k < count; k++) {
            int offsetCode = offsetTable.symbol(offsetState);
            if (offsetCode > MOST_OFFSET_BITS || in.left() < 0) {
                throw new CorruptException("a distance of 2^" + offsetCode + " bytes");
            }
            int offset = (1 << offsetCode) + in.take(offsetCode);
            int match = MATCH_LENGTHS.read(matchTable.symbol(matchState), in);
            int literal = LITERAL_LENGTHS.read(literalTable.symbol(literalState), in);
            if (k + 1 < count) {
                literalState = literalTable.next(literalState, in);
                matchState = matchTable.next(matchState, in);
                offsetState = offsetTable.next(offsetState, in);
            }
            if (literal > literals.length - used) {
                throw new CorruptException("more literals than there are");
            }
            out.put(literals, used, literal);
            used += literal;
            out.repeat(distance(offset, literal == 0), match);
        }
        in.requireEnd();
        return used;
    }

    private static StateTable table(int mode, Bytes block, StateTable usual, StateTable last, int mostLog) {
        return switch (mode) {
            case 0 -> usual;
            case 1 -> StateTable.of(block.next());
            case 2 -> StateTable.read(block, mostLog);
            default -> {
                if (last == null) {
                    throw new CorruptException("a table is reused before there is one");
                }
                yield last;
            }
        };
    }

    /** The offsets 1 to 3 stand for recent distances, which are kept with the latest first. */
    private int distance(int offset, boolean noLiterals) {
        int place = offset > 3 ? 3 : offset - 1 + (noLiterals ? 1 : 0);
        int distance = offset > 3 ? offset - 3 : place == 3 ? recent[0] - 1 : recent[place];
        if (place > 1) {
            recent[2] = recent[1];
        }
        if (place > 0) {
            recent[1] = recent[0];
            recent[0] = distance;
        }
        return distance;
    }
}
