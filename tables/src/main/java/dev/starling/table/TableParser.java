package dev.starling.table;

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

    private static final int USUAL_BLOCK = 1 << 22;
    private static final int LARGEST_BLOCK = Integer.MAX_VALUE - 8;

    private final String file;
    private final TableHeader header;
    private final byte delimiter;
    private final int columns;
    private final int usualBlock;
    private final boolean decimalComma;
    private final List<Table.Block> blocks = new ArrayList<>();
    private long lines;
    private int[] marks = new int[1 << 12];
    private int marked;

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
        this.lines = header.skippedLines();
        this.usualBlock = usualBlock;
    }

    /**
     * Reads the stream to its end.
     *
     * @param afterEach called after each block
     */
    Table parse(InputStream in, Consumer<Table.Block> afterEach) throws IOException {
        byte[] bytes = new byte[usualBlock];
        int length = 0;
        boolean ended = false;
        while (!ended || length > 0) {
            int read = in.readNBytes(bytes, length, bytes.length - 1 - length);
            ended = read < bytes.length - 1 - length;
            length += read;
            if (ended && length > 0 && bytes[length - 1] != '\n') {
                bytes[length++] = '\n';
            }
            int end = block(bytes, length, ended);
            if (end == 0 && !ended) {
                bytes = Arrays.copyOf(bytes, larger(bytes.length));
                continue;
            }
            byte[] rest = new byte[Math.max(usualBlock, length - end + 2)];
            System.arraycopy(bytes, end, rest, 0, length - end);
            if (end > 0) {
                keep(bytes, end);
                afterEach.accept(blocks.get(blocks.size() - 1));
            }
            bytes = rest;
            length -= end;
        }
        if (blocks.isEmpty()) {
            blocks.add(new Table.Block(new byte[0], new int[0], 0, lines));
        }
        return new Table(file, header, blocks);
    }

    private void keep(byte[] bytes, int end) {
        byte[] text = Arrays.copyOf(bytes, end);
        Table.Block block = new Table.Block(text, Arrays.copyOf(marks, marked), marked / (columns + 1), lines);
        requireText(block);
        if (decimalComma) {
            for (int k = 0; k + 1 < marked; k++) {
                replaceComma(text, marks[k], marks[k + 1] - 1);
            }
        }
        blocks.add(block);
        lines += lineEnds(text, end);
        marked = 0;
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

    /** Marks the cells of all complete records and returns where the last of them ends. */
    private int block(byte[] bytes, int length, boolean last) {
        int at = 0;
        while (at < length) {
            int blank = at;
            while (blank < length && (bytes[blank] == ' ' || bytes[blank] == '\r' || isPaddingTab(bytes[blank]))) {
                blank++;
            }
            int end = blank < length && bytes[blank] == '\n' ? blank + 1 : record(bytes, at, length);
            if (end < 0) {
                if (last) {
                    throw problem(bytes, at, CsvLine.OPEN_QUOTE);
                }
                return at;
            }
            at = end;
        }
        return at;
    }

    private boolean isPaddingTab(byte c) {
        return c == '\t' && delimiter != '\t';
    }

    /** Marks the cells of one record and returns where the next begins; −1 if the record is incomplete. */
    private int record(byte[] bytes, int from, int length) {
        int before = marked;
        int at = from;
        int fields = 0;
        while (true) {
            fields++;
            if (fields <= columns) {
                mark(at);
            }
            at = cell(bytes, at, length);
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
                    bytes, from, fields + (fields == 1 ? " field" : " fields") + "; there are " + columns + " columns");
        }
        mark(at);
        return at;
    }

    /** The position of the delimiter or line end after a cell; −1 if there is none. */
    private int cell(byte[] bytes, int from, int length) {
        int at = from;
        while (at < length && (bytes[at] == ' ' || isPaddingTab(bytes[at]))) {
            at++;
        }
        if (at < length && bytes[at] == '"') {
            at = closingQuote(bytes, at + 1, length);
            if (at < 0) {
                return -1;
            }
            at++;
            while (at < length && (bytes[at] == ' ' || bytes[at] == '\r' || isPaddingTab(bytes[at]))) {
                at++;
            }
            if (at < length && bytes[at] != delimiter && bytes[at] != '\n') {
                throw problem(bytes, at, "text follows a closing double quote; a quote within a cell is written twice");
            }
            return at < length ? at : -1;
        }
        while (at < length && bytes[at] != delimiter && bytes[at] != '\n') {
            if (bytes[at] == '"') {
                throw problem(
                        bytes,
                        at,
                        "a double quote within a cell that has none around it; quote the cell and write it twice");
            }
            at++;
        }
        return at < length ? at : -1;
    }

    private static int closingQuote(byte[] bytes, int from, int length) {
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

    private void mark(int at) {
        if (marked == marks.length) {
            marks = Arrays.copyOf(marks, (int) Math.min(LARGEST_BLOCK, 2L * marked));
        }
        marks[marked++] = at;
    }

    /** Rejects anything that is not UTF-8, and zero bytes, which text does not have. */
    private void requireText(Table.Block block) {
        if (isText(block.bytes(), 0, block.bytes().length)) {
            return;
        }
        int start = 0;
        for (int i = 0; i < block.bytes().length; i++) {
            if (block.bytes()[i] == '\n') {
                if (!isText(block.bytes(), start, i)) {
                    throw problem(block.bytes(), start, "this is not UTF-8 text; convert the file to UTF-8");
                }
                start = i + 1;
            }
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

    private InvalidInputException problem(byte[] bytes, int at, String text) {
        return new InvalidInputException(file + ", line " + (lines + lineEnds(bytes, at) + 1) + ": " + text);
    }

    private static long lineEnds(byte[] bytes, int to) {
        long count = 0;
        for (int i = 0; i < to; i++) {
            count += bytes[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    private static int larger(int length) throws IOException {
        if (length >= LARGEST_BLOCK) {
            throw new IOException("a line is longer than 2 GB");
        }
        return (int) Math.min(LARGEST_BLOCK, 2L * length);
    }
}
