package dev.starling.table;

import dev.starling.data.Labels;
import dev.starling.data.text.NumberParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The cells of one column in some rows. A text that many rows have, such as the level of a factor, is kept once, and
 * for each row which one it is: a byte or an int instead of the text, which need not be looked at again and again
 * either.
 */
abstract sealed class Cells permits Cells.Written, Cells.Numbers {

    /** A column with more different texts keeps one for each row. */
    private static final int MOST_DIFFERENT = 1 << Byte.SIZE;

    /** It does as well if not at least so many rows share a text on average. */
    private static final int FEWEST_ALIKE = 4;

    /** Which of the column's texts a row has; −1 if texts are kept row by row. */
    int code(int row) {
        return -1;
    }

    /** How many texts are kept; 0 if that is so row by row. */
    int codes() {
        return 0;
    }

    /** The text of a cell: without its quotes, or without surrounding blanks if it has none. */
    abstract String text(int row, Texts texts);

    /** The number that a cell holds; NaN if it holds anything else. */
    abstract double number(int row, NumberParser numbers);

    /** What a cell was read from, perhaps among others. */
    abstract byte[] bytes(int row);

    /** Where in these bytes it starts. */
    abstract int from(int row);

    /** Where the byte is that ends it. */
    abstract int to(int row);

    /** The first byte of a cell's text or quotes, 0 if it is empty; a quote if that is not known. */
    abstract int firstByte(int row);

    /** The columns of some rows, given their text and for each row where its cells start and where it ends. */
    static List<Cells> of(byte[] bytes, int[] marks, int width) {
        List<Cells> columns = new ArrayList<>();
        int rows = marks.length / (width + 1);
        for (int c = 0; c < width; c++) {
            columns.add(new Coding(bytes, marks, c, width + 1, rows).cells());
        }
        return columns;
    }

    /** Cells of a factor, given the place of each row's level, −1 where it is missing. */
    static Cells ofLevels(int[] places, List<String> levels) {
        byte[][] written = new byte[levels.size() + 1][];
        int[] starts = new int[written.length + 1];
        for (int k = 0; k < written.length; k++) {
            String text = k == 0 ? "," : TableBuilder.written(levels.get(k - 1)) + ',';
            written[k] = text.getBytes(StandardCharsets.UTF_8);
            starts[k + 1] = starts[k] + written[k].length;
        }
        byte[] bytes = new byte[starts[written.length]];
        for (int k = 0; k < written.length; k++) {
            System.arraycopy(written[k], 0, bytes, starts[k], written[k].length);
        }
        return written.length <= MOST_DIFFERENT
                ? new Written(bytes, starts, narrow(places), null)
                : new Written(
                        bytes,
                        starts,
                        null,
                        Arrays.stream(places).map(place -> place + 1).toArray());
    }

    private static byte[] narrow(int... places) {
        byte[] codes = new byte[places.length];
        for (int row = 0; row < codes.length; row++) {
            codes[row] = (byte) (places[row] + 1);
        }
        return codes;
    }

    /** Cells that hold these numbers; those that are NaN are empty. */
    static Cells ofNumbers(double... numbers) {
        return new Numbers(numbers);
    }

    /** Where text starts, after blanks. */
    static int start(byte[] bytes, int from, int to) {
        int start = from;
        while (start < to && isBlank(bytes[start])) {
            start++;
        }
        return start;
    }

    /** Where text that starts somewhere ends, before blanks. */
    static int end(byte[] bytes, int start, int to) {
        int end = to;
        while (end > start && isBlank(bytes[end - 1])) {
            end--;
        }
        return end;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    /** Cells as they are written. */
    static final class Written extends Cells {

        private final byte[] bytes;

        /** Where each text starts, and where the last one and its end are over. */
        private final int[] starts;

        /* Which text is whose: one of these, or neither if every row has its own. */
        private final byte[] few;
        private final int[] many;

        /* What is known of texts that rows share. */
        private final String[] texts;
        private final double[] numbers;

        Written(byte[] bytes, int[] starts, byte[] few, int[] many) {
            this.bytes = bytes;
            this.starts = starts;
            this.few = few;
            this.many = many;
            int shared = few == null && many == null ? 0 : starts.length - 1;
            this.texts = new String[shared];
            this.numbers = new double[shared];
            NumberParser parser = new NumberParser();
            Texts maker = new Texts();
            for (int k = 0; k < shared; k++) {
                texts[k] = textAt(k, maker);
                numbers[k] = numberAt(k, parser);
            }
        }

        private int place(int row) {
            return few != null ? few[row] & 0xFF : many != null ? many[row] : row;
        }

        @Override
        int code(int row) {
            return texts.length == 0 ? -1 : place(row);
        }

        @Override
        int codes() {
            return texts.length;
        }

        @Override
        String text(int row, Texts maker) {
            return texts.length == 0 ? textAt(row, maker) : texts[place(row)];
        }

        @Override
        double number(int row, NumberParser parser) {
            return texts.length == 0 ? numberAt(row, parser) : numbers[place(row)];
        }

        @Override
        byte[] bytes(int row) {
            return bytes;
        }

        @Override
        int from(int row) {
            return starts[place(row)];
        }

        @Override
        int to(int row) {
            return starts[place(row) + 1] - 1;
        }

        @Override
        int firstByte(int row) {
            int place = place(row);
            int to = starts[place + 1] - 1;
            int start = start(bytes, starts[place], to);
            return start < to ? bytes[start] & 0xFF : 0;
        }

        private String textAt(int place, Texts maker) {
            int start = start(bytes, starts[place], starts[place + 1] - 1);
            int end = end(bytes, start, starts[place + 1] - 1);
            if (start < end && bytes[start] == '"') {
                String quoted = maker.of(bytes, start + 1, end - 1);
                return quoted.indexOf('"') < 0 ? quoted : quoted.replace("\"\"", "\"");
            }
            return maker.of(bytes, start, end);
        }

        private double numberAt(int place, NumberParser parser) {
            int start = start(bytes, starts[place], starts[place + 1] - 1);
            int end = end(bytes, start, starts[place + 1] - 1);
            if (end - start >= 2 && bytes[start] == '"') {
                start++;
                end--;
                while (start < end && bytes[start] == ' ') {
                    start++;
                }
                while (start < end && bytes[end - 1] == ' ') {
                    end--;
                }
            }
            if (start >= end) {
                return Double.NaN;
            }
            double number = parser.parseDouble(bytes, start);
            return parser.end() == end ? number : Double.NaN;
        }
    }

    /** Cells that were numbers before they came into a table. */
    static final class Numbers extends Cells {

        private final double[] numbers;

        Numbers(double... numbers) {
            this.numbers = numbers;
        }

        @Override
        String text(int row, Texts texts) {
            return Double.isNaN(numbers[row]) ? "" : Labels.text(numbers[row]);
        }

        @Override
        double number(int row, NumberParser parser) {
            return numbers[row];
        }

        @Override
        byte[] bytes(int row) {
            return (text(row, null) + ',').getBytes(StandardCharsets.UTF_8);
        }

        @Override
        int from(int row) {
            return 0;
        }

        @Override
        int to(int row) {
            return bytes(row).length - 1;
        }

        @Override
        int firstByte(int row) {
            return Double.isNaN(numbers[row]) ? 0 : '"';
        }
    }

    /** Finds the different texts of a column. */
    private static final class Coding {

        private static final int SLOTS = 4 * MOST_DIFFERENT;

        private final byte[] bytes;
        private final int[] marks;
        private final int column;
        private final int step;
        private final int rows;

        /** One more than the text met in each slot. */
        private final int[] slots = new int[SLOTS];

        /** Where each text was met first. */
        private final int[] firsts;

        private int count;

        Coding(byte[] bytes, int[] marks, int column, int step, int rows) {
            this.bytes = bytes;
            this.marks = marks;
            this.column = column;
            this.step = step;
            this.rows = rows;
            this.firsts = new int[Math.min(MOST_DIFFERENT, rows / FEWEST_ALIKE)];
        }

        Cells cells() {
            byte[] codes = new byte[firsts.length == 0 ? 0 : rows];
            for (int row = 0; row < rows; row++) {
                int code = code(row * step + column);
                if (code < 0) {
                    return new Written(texts(rows, null), starts(rows, null), null, null);
                }
                codes[row] = (byte) code;
            }
            return new Written(texts(count, firsts), starts(count, firsts), codes, null);
        }

        /** The number of a text, given where its mark is; −1 if there are too many. */
        private int code(int mark) {
            int from = marks[mark];
            int to = marks[mark + 1];
            int hash = to - from;
            for (int k = from; k < to; k++) {
                hash = 31 * hash + bytes[k];
            }
            for (int slot = (hash ^ hash >>> 10) & SLOTS - 1; ; slot = slot + 1 & SLOTS - 1) {
                int known = slots[slot] - 1;
                if (known < 0) {
                    if (count == firsts.length) {
                        return -1;
                    }
                    firsts[count] = mark;
                    slots[slot] = ++count;
                    return count - 1;
                }
                if (Arrays.equals(bytes, marks[firsts[known]], marks[firsts[known] + 1], bytes, from, to)) {
                    return known;
                }
            }
        }

        private int mark(int k, int[] places) {
            return places == null ? k * step + column : places[k];
        }

        /** Where texts start one after another: those with marks at some places, or those of all rows. */
        private int[] starts(int texts, int[] places) {
            int[] starts = new int[texts + 1];
            for (int k = 0; k < texts; k++) {
                int mark = mark(k, places);
                starts[k + 1] = starts[k] + marks[mark + 1] - marks[mark];
            }
            return starts;
        }

        private byte[] texts(int texts, int[] places) {
            byte[] all = new byte[starts(texts, places)[texts]];
            int at = 0;
            for (int k = 0; k < texts; k++) {
                int mark = mark(k, places);
                System.arraycopy(bytes, marks[mark], all, at, marks[mark + 1] - marks[mark]);
                at += marks[mark + 1] - marks[mark];
            }
            return all;
        }
    }
}
