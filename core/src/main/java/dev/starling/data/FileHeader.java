package dev.starling.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the first lines of a file say about the rest: how to parse it, where its rows begin, and what the features are
 * called.
 */
record FileHeader(RowParser parser, int skippedBytes, int skippedLines, List<String> names) {

    private static final Pattern PAIR = Pattern.compile("\\s[+-]?[0-9]+:[^\\s,;]*(\\s|$)");
    private static final List<String> USUAL_LABELS = List.of("label", "target", "y", "class");

    /** A line that is not blank. */
    record Line(String text, int endByte, int number) {}

    /**
     * The first lines of a file.
     *
     * @param csv whether they are CSV rather than LIBSVM text
     * @param mark length of the byte-order mark in bytes; 0 if there is none
     * @param lines those that are not blank
     */
    record Opening(boolean csv, int mark, List<Line> lines) {

        /**
         * Whether a line holds an {@code index:value} pair of LIBSVM. A file with neither pairs nor delimiters may be a
         * table with one column.
         */
        boolean hasPairs() {
            return lines.stream().anyMatch(line -> PAIR.matcher(line.text).find());
        }

        char delimiter() {
            return CsvLine.delimiterOf(lines.get(0).text);
        }

        List<String> cells(int line) {
            return line < lines.size() ? CsvLine.split(lines.get(line).text, delimiter()) : List.of();
        }

        /**
         * Whether the first line is a header: one of its names stands above a number, or it holds nothing but names.
         */
        boolean isHeader() {
            List<String> first = cells(0);
            List<String> second = cells(1);
            for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
                if (CsvLine.isText(first.get(i)) && CsvLine.isNumber(second.get(i))) {
                    return true;
                }
            }
            return first.stream().allMatch(CsvLine::isText);
        }
    }

    /** @param bytes the beginning of the text, at least its first line that is not blank */
    static Opening opening(byte[] bytes, Format format, String file) {
        requireUtf8(bytes, file);
        int mark = startsWithByteOrderMark(bytes) ? 3 : 0;
        List<Line> lines = lines(bytes, mark);
        return new Opening(format == Format.CSV || (format == Format.AUTO && looksLikeCsv(lines)), mark, lines);
    }

    /**
     * @param bytes the beginning of the text, at least its first line that is not blank
     * @param labelColumn which CSV column is the label: a name, a number from 1, {@code last}, or empty for the default
     */
    static FileHeader of(byte[] bytes, Format format, Optional<String> labelColumn, String file) {
        Opening opening = opening(bytes, format, file);
        int mark = opening.mark;
        List<Line> lines = opening.lines;
        boolean csv = opening.csv;
        if (!csv && labelColumn.isPresent()) {
            throw new InvalidInputException(file + " is LIBSVM text, where the label comes first; label column "
                    + CellText.quoted(labelColumn.get()) + " can be chosen in CSV only");
        }
        if (!csv || lines.isEmpty()) {
            return new FileHeader(new LibsvmParser(), mark, 0, List.of());
        }
        Line first = lines.get(0);
        char delimiter = opening.delimiter();
        List<String> cells = opening.cells(0);
        boolean header = opening.isHeader();
        String where = file + ", line " + first.number + ": ";
        if (header && CsvLine.hasOpenQuote(first.text)) {
            throw new InvalidInputException(where + CsvLine.OPEN_QUOTE);
        }
        if (cells.size() < 2) {
            throw new InvalidInputException(where + "one column only, " + CellText.quoted(first.text.strip())
                    + "; a label and at least one feature are needed, between commas, semicolons or tabs");
        }
        if (header) {
            ArrayChecks.requireNames(cells, where);
        }
        int label = header ? namedLabel(cells, labelColumn, where) : numberedLabel(cells.size(), labelColumn, where);
        CsvParser parser = new CsvParser((byte) delimiter, cells.size(), label, header ? cells : List.of());
        if (!header) {
            return new FileHeader(parser, mark, 0, List.of());
        }
        List<String> names = new ArrayList<>(cells);
        names.remove(label);
        return new FileHeader(parser, first.endByte, first.number, names);
    }

    /** UTF-16 has a zero byte in every Latin letter; UTF-8 text has no zero bytes. */
    private static void requireUtf8(byte[] bytes, String file) {
        int start = bytes.length < 2 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        if (start == 0xFFFE || start == 0xFEFF) {
            throw new InvalidInputException(file + " is UTF-16 text; convert it to UTF-8");
        }
        for (byte c : bytes) {
            if (c == 0) {
                throw new InvalidInputException(
                        file + " holds zero bytes, as UTF-16 text does; if it is UTF-16, convert it to UTF-8");
            }
        }
    }

    private static boolean startsWithByteOrderMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
    }

    private static List<Line> lines(byte[] bytes, int from) {
        List<Line> lines = new ArrayList<>();
        int start = from;
        int number = 0;
        for (int i = from; i <= bytes.length && lines.size() < 1000; i++) {
            if (i == bytes.length || bytes[i] == '\n') {
                number++;
                String text = new String(bytes, start, i - start, StandardCharsets.UTF_8);
                if (!text.isBlank()) {
                    lines.add(new Line(text, Math.min(i + 1, bytes.length), number));
                }
                start = i + 1;
            }
        }
        return lines;
    }

    /** The first line with a pair or a delimiter decides; lines with neither are rows without features. */
    private static boolean looksLikeCsv(List<Line> lines) {
        for (Line line : lines) {
            int comment = line.text.indexOf('#');
            String text = comment < 0 ? line.text : line.text.substring(0, comment);
            if (PAIR.matcher(text).find()) {
                return false;
            }
            if (text.strip().matches("(?s).*[,;|\t].*")) {
                return true;
            }
        }
        return false;
    }

    /**
     * The index of the label column: the requested one, or else the one with the first of the usual names that occurs.
     */
    static int namedLabel(List<String> names, Optional<String> wanted, String where) {
        if (wanted.isPresent()) {
            int exact = names.indexOf(wanted.get());
            return exact >= 0
                    ? exact
                    : position(wanted.get(), names.size()).orElseThrow(() -> {
                        InvalidInputException unknown =
                                InvalidInputException.unknownName("label column", wanted.get(), names);
                        return new InvalidInputException(where + unknown.getMessage());
                    });
        }
        for (String usual : USUAL_LABELS) {
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).equalsIgnoreCase(usual)) {
                    return i;
                }
            }
        }
        throw new InvalidInputException(where + "no column is called " + String.join(", ", USUAL_LABELS)
                + "; say which one is the label, by name, by number from 1, or as 'last'; there are: "
                + String.join(", ", names));
    }

    private static int numberedLabel(int fields, Optional<String> wanted, String where) {
        return wanted.isEmpty()
                ? 0
                : position(wanted.get(), fields)
                        .orElseThrow(() -> new InvalidInputException(where
                                + "unknown label column " + CellText.quoted(wanted.get())
                                + "; the columns have no names, so give a number from 1 to " + fields + ", or 'last'"));
    }

    private static Optional<Integer> position(String wanted, int fields) {
        if (wanted.equalsIgnoreCase("last")) {
            return Optional.of(fields - 1);
        }
        if (!wanted.matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(wanted);
        return number >= 1 && number <= fields ? Optional.of(number - 1) : Optional.empty();
    }
}
