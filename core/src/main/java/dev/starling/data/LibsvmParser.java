package dev.starling.data;

import dev.starling.data.text.CellText;
import dev.starling.data.text.NumberParser;
import java.nio.charset.StandardCharsets;

/**
 * Parses lines such as {@code +1 3:0.5 7:1 # a comment}: a label, then index:value pairs with indices ascending from 1.
 */
final class LibsvmParser implements RowParser {

    private static final int LARGEST_INDEX = Integer.MAX_VALUE;

    @Override
    public void parse(byte[] bytes, int length, ParsedRows rows) {
        NumberParser numbers = new NumberParser();
        int at = 0;
        while (at < length) {
            rows.lines++;
            at = skipSpace(bytes, at);
            byte first = bytes[at];
            if (first != '\n' && first != '#') {
                at = row(bytes, at, numbers, rows);
                if (rows.isBad()) {
                    return;
                }
            }
            while (bytes[at] != '\n') {
                at++;
            }
            at++;
        }
    }

    /** Reads one row and returns where it stopped: at a line end or comment, or anywhere if the row is bad. */
    private static int row(byte[] bytes, int from, NumberParser numbers, ParsedRows rows) {
        double label = numbers.parseDouble(bytes, from);
        int at = numbers.end();
        if (!isFinite(label) || !endsToken(bytes[at])) {
            rows.problem = badLabel(token(bytes, from));
            return from;
        }
        int previous = 0;
        for (at = skipSpace(bytes, at); bytes[at] != '\n' && bytes[at] != '#'; at = skipSpace(bytes, at)) {
            int start = at;
            long index = 0;
            byte c = bytes[at];
            for (; c >= '0' && c <= '9' && index <= LARGEST_INDEX; c = bytes[++at]) {
                index = index * 10 + (c - '0');
            }
            if (c != ':' || index <= previous || index > LARGEST_INDEX) {
                rows.problem = badIndex(token(bytes, start), previous);
                return start;
            }
            double value = numbers.parseDouble(bytes, at + 1);
            at = numbers.end();
            if (!isFinite(value) || !endsToken(bytes[at])) {
                rows.problem = badValue(token(bytes, start));
                return start;
            }
            previous = (int) index;
            if (value != 0) {
                rows.add(previous - 1, value);
            }
        }
        rows.largestColumn = Math.max(rows.largestColumn, previous - 1);
        rows.endRow(label);
        return at;
    }

    private static boolean isFinite(double value) {
        return Math.abs(value) <= Double.MAX_VALUE;
    }

    private static int skipSpace(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r') {
            at++;
        }
        return at;
    }

    private static boolean endsToken(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '#';
    }

    private static String token(byte[] bytes, int from) {
        int to = from;
        while (!endsToken(bytes[to])) {
            to++;
        }
        return CellText.text(bytes, from, to);
    }

    private static String badLabel(String token) {
        if (isNumberTooLarge(token) || CellText.isNotFinite(token)) {
            return "label " + token + "; labels must be finite";
        }
        if (token.contains(":")) {
            return "the line starts with " + CellText.quoted(token) + "; it must start with a label, such as +1 or 3.5";
        }
        return "label " + CellText.quoted(token) + "; labels must be numbers, such as +1 and -1";
    }

    private static String badIndex(String token, int previous) {
        int colon = token.indexOf(':');
        if (token.startsWith("qid:")) {
            return "ranking groups such as " + CellText.quoted(token) + " are not supported; remove the qid: entries";
        }
        String index = colon < 0 ? "" : token.substring(0, colon);
        if (!index.matches("-?[0-9]+")) {
            return CellText.quoted(token) + " is not index:value, such as 3:0.5";
        }
        if (index.startsWith("-") || index.matches("0+")) {
            return "feature index " + index + "; indices start at 1 and ascend";
        }
        if (index.length() > 10 || Long.parseLong(index) > LARGEST_INDEX) {
            return "feature index " + index + "; the largest possible is " + LARGEST_INDEX;
        }
        return "feature index " + index + " after " + previous + "; indices start at 1 and ascend";
    }

    private static String badValue(String token) {
        int colon = token.indexOf(':');
        String index = token.substring(0, colon);
        String value = token.substring(colon + 1);
        if (CellText.isNotFinite(value) || isNumberTooLarge(value)) {
            return "feature " + index + " has value " + value + "; values must be finite";
        }
        return CellText.quoted(token) + " is not index:value, such as 3:0.5";
    }

    private static boolean isNumberTooLarge(String text) {
        NumberParser numbers = new NumberParser();
        byte[] bytes = (text + '\n').getBytes(StandardCharsets.UTF_8);
        return Double.isInfinite(numbers.parseDouble(bytes, 0)) && numbers.end() == bytes.length - 1;
    }
}
