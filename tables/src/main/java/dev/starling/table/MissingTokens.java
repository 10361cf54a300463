package dev.starling.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides which cells are missing values. */
public final class MissingTokens {

    /** An empty cell, ? and what pandas, R, SQL and spreadsheets write. */
    public static final List<String> USUAL =
            List.of("", "NA", "?", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "<NA>", "#N/A", ".");

    private static final Set<String> ALL_USUAL = Set.copyOf(USUAL);

    private final Set<String> tokens;
    private final boolean someAreNumbers;

    /** The bytes with which the text of a missing value can begin, which most cells do not begin with. */
    private final boolean[] begin = new boolean[1 << Byte.SIZE];

    public MissingTokens(List<String> tokens) {
        this.tokens = new LinkedHashSet<>(tokens);
        // Nothing, blanks of any kind and quotes tell nothing yet.
        Arrays.fill(begin, 0, ' ' + 1, true);
        begin['"'] = true;
        Arrays.fill(begin, Byte.MAX_VALUE + 1, begin.length, true);
        tokens.stream()
                .filter(token -> !token.isEmpty())
                .forEach(token -> begin[token.getBytes(StandardCharsets.UTF_8)[0] & 0xFF] = true);
        this.someAreNumbers = tokens.stream().anyMatch(token -> !Double.isNaN(CellParsing.number(token)));
    }

    /** Whether a text is one of the usual ways to write a missing value. */
    static boolean isUsual(String text) {
        return ALL_USUAL.contains(text);
    }

    public boolean isMissing(Table.Cursor row, int column) {
        if (!begin[row.firstByte(column)]) {
            return false;
        }
        if (!someAreNumbers && !Double.isNaN(row.number(column))) {
            return false;
        }
        return tokens.contains(row.text(column).strip());
    }
}
