package dev.starling.table;

import dev.starling.cores.Cores;
import dev.starling.cores.Loops;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.CsvLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the cells of a CSV file as RFC 4180 defines them: a cell in double quotes may hold delimiters, line ends and,
 * written twice, double quotes.
 */
final class TableParser {

    private static final int USUAL_BLOCK = 1 << 20;
    private static final int LARGEST_BLOCK = Integer.MAX_VALUE - 8;

    /** How many blocks are read before their cells are found, for each thread that does it. */
    private static final int AT_ONCE = 2;

    private final String file;
    private final TableHeader header;
    private final byte delimiter;
    private final int columns;
    private final int usualBlock;
    private final boolean decimalComma;

    /** @param decimalComma whether numbers have a decimal comma, which becomes a point */
    TableParser(String file, TableHeader header, boolean decimalComma) {
        this(file, header, decimalComma, USUAL_BLOCK);
    }

    TableParser(String file, TableHeader header, boolean decimalComma, int usualBlock) {
        this.decimalComma = decimalComma;
        this.file = file;
        this.header = header;
        this.delimiter = (byte) header.delimiter();
        this.columns = header.names().size();
        this.usualBlock = usualBlock;
    }

    /**
     * Reads the stream to its end.
     *
     * @param afterEach called after each block
     */
    Table parse(InputStream in, Consumer<Table.Block> afterEach) throws IOException {
        List<Table.Block> blocks = new ArrayList<>();
        List<Records> read = new ArrayList<>();
        byte[] bytes = new byte[usualBlock];
        int length = 0;
        long lines = header.skippedLines();
        boolean ended = false;
        while (!ended || length > 0) {
            int count = in.readNBytes(bytes, length, bytes.length - 1 - length);
            ended = count < bytes.length - 1 - length;
            length += count;
            if (ended && length > 0 && bytes[length - 1] != '\n') {
                bytes[length++] = '\n';
            }
            Records records = complete(bytes, length, lines, ended);
            int end = records.bytes.length;
            if (end == 0 && !ended) {
                // Quotes where there should be none would make it look for another one in all of the file.
                Records begun = new Records(bytes, lines, 0);
                begun.makeRoom();
                begun.record(0, length);
                bytes = Arrays.copyOf(bytes, larger(bytes.length));
                continue;
            }
            System.arraycopy(bytes, end, bytes, 0, length - end);
            length -= end;
            if (end > 0) {
                read.add(records);
                lines += records.lines;
            }
            if (read.size() == AT_ONCE * Cores.here() || ended) {
                Table.Block[] found = new Table.Block[read.size()];
                Loops.run(found.length, k -> found[k] = read.get(k).block());
                read.clear();
                for (Table.Block block : found) {
                    blocks.add(block);
                    afterEach.accept(block);
                }
            }
        }
        if (blocks.isEmpty()) {
            blocks.add(new Table.Block(List.of(), 0, lines));
        }
        return new Table(file, header, blocks);
    }

    /** The complete records that some text begins with: they end at the last line end that is not in quotes. */
    private Records complete(byte[] bytes, int length, long linesBefore, boolean last) {
        boolean quoted = false;
        int end = 0;
        int lines = 0;
        int linesOfAll = 0;
        for (int at = 0; at < length; at++) {
            if (bytes[at] == '"') {
                quoted = !quoted;
            } else if (bytes[at] == '\n') {
                linesOfAll++;
                if (!quoted) {
                    end = at + 1;
                    lines = linesOfAll;
                }
            }
        }
        return new Records(Arrays.copyOf(bytes, last ? length : end), linesBefore, last ? linesOfAll : lines);
    }

    /** Makes the comma of a cell a point if the cell is a number with one comma and without points. */
    private static void replaceComma(byte[] text, int from, int to) {
        int comma = -1;
        for (int i = from; i < to; i++) {
            if (text[i] == ',') {
                if (comma >= 0) {
                    return;
                }
                comma = i;
            } else if ("0123456789+-eE \t\r\"".indexOf(text[i]) < 0) {
                return;
            }
        }
        if (comma > from && comma + 1 < to) {
            text[comma] = '.';
        }
    }

    /** Some records, of which the cells are to be found. */
    private final class Records {
        private final byte[] bytes;
        private final long linesBefore;
        private final int lines;
        private int[] marks = {};
        private int marked;

        Records(byte[] bytes, long linesBefore, int lines) {
            this.bytes = bytes;
            this.linesBefore = linesBefore;
            this.lines = lines;
        }

        /** The records with the positions of their cells. */
        Table.Block block() {
            int length = bytes.length;
            makeRoom();
            for (int at = 0; at < length; ) {
                int blank = blanks(at, length, true);
                int end = blank < length && bytes[blank] == '\n' ? blank + 1 : record(at, length);
                if (end < 0) {
                    throw problem(at, CsvLine.OPEN_QUOTE);
                }
                at = end;
            }
            requireText();
            if (decimalComma) {
                for (int k = 0; k + 1 < marked; k++) {
                    replaceComma(bytes, marks[k], marks[k + 1] - 1);
                }
            }
            int[] found = marked == marks.length ? marks : Arrays.copyOf(marks, marked);
            return Table.Block.of(bytes, found, columns, linesBefore, lines);
        }

        private void makeRoom() {
            // Every cell has a byte of its own, if only the one that ends it, and every record one more position.
            long most = Math.min(Math.max(1L, lines) * (columns + 1), bytes.length + lines + 1L);
            marks = new int[(int) Math.min(LARGEST_BLOCK, most)];
        }

        /** Marks the cells of one record and returns where the next begins; −1 if the record is incomplete. */
        int record(int from, int length) {
            int before = marked;
            int at = from;
            int fields = 0;
            while (true) {
                fields++;
                if (fields <= columns) {
                    marks[marked++] = at;
                }
                at = cell(at, length);
                if (at < 0) {
                    marked = before;
                    return -1;
                }
                if (bytes[at++] == '\n') {
                    break;
                }
            }
            if (fields != columns) {
                throw problem(
                        from, fields + (fields == 1 ? " field" : " fields") + "; there are " + columns + " columns");
            }
            marks[marked++] = at;
            return at;
        }

        /** The position of the delimiter or line end after a cell; −1 if there is none. */
        private int cell(int from, int length) {
            int at = blanks(from, length, false);
            if (at < length && bytes[at] == '"') {
                at = closingQuote(at + 1, length);
                if (at < 0) {
                    return -1;
                }
                at = blanks(at + 1, length, true);
                if (at < length && bytes[at] != delimiter && bytes[at] != '\n') {
                    throw problem(at, "text follows a closing double quote; a quote within a cell is written twice");
                }
                return at < length ? at : -1;
            }
            while (at < length && bytes[at] != delimiter && bytes[at] != '\n') {
                if (bytes[at] == '"') {
                    throw problem(
                            at,
                            "a double quote within a cell that has none around it; quote the cell and write it twice");
                }
                at++;
            }
            return at < length ? at : -1;
        }

        /** The position after blanks, and perhaps after what ends a line before its end. */
        private int blanks(int from, int length, boolean returns) {
            int at = from;
            while (at < length
                    && (bytes[at] == ' '
                            || (returns && bytes[at] == '\r')
                            || (bytes[at] == '\t' && delimiter != '\t'))) {
                at++;
            }
            return at;
        }

        private int closingQuote(int from, int length) {
            for (int at = from; at < length; at++) {
                if (bytes[at] == '"') {
                    if (at + 1 >= length) {
                        return -1;
                    }
                    if (bytes[at + 1] != '"') {
                        return at;
                    }
                    at++;
                }
            }
            return -1;
        }

        /** Rejects anything that is not UTF-8, and zero bytes, which text does not have. */
        private void requireText() {
            if (isText(bytes, 0, bytes.length)) {
                return;
            }
            int start = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    if (!isText(bytes, start, i)) {
                        throw problem(start, "this is not UTF-8 text; convert the file to UTF-8");
                    }
                    start = i + 1;
                }
            }
        }

        private InvalidInputException problem(int at, String text) {
            long line = linesBefore + 1;
            for (int i = 0; i < at; i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            return new InvalidInputException(file + ", line " + line + ": " + text);
        }
    }

    private static boolean isText(byte[] bytes, int from, int to) {
        boolean ascii = true;
        for (int i = from; i < to; i++) {
            if (bytes[i] == 0) {
                return false;
            }
            ascii &= bytes[i] > 0;
        }
        try {
            return ascii
                    || StandardCharsets.UTF_8
                                    .newDecoder()
                                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                                    .length()
                            > 0;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static int larger(int length) throws IOException {
        if (length >= LARGEST_BLOCK) {
            throw new IOException("a line is longer than 2 GB");
        }
        return (int) Math.min(LARGEST_BLOCK, 2L * length);
    }
}
