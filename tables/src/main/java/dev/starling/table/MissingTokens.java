package dev.starling.table;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides which cells are missing values. */
public final class MissingTokens {

    /** An empty cell, NA and ?. */
    public static final List<String> USUAL = List.of("", "NA", "?");

    private final Set<String> tokens;
    private final boolean someAreNumbers;

    public MissingTokens(List<String> tokens) {
        this.tokens = new LinkedHashSet<>(tokens);
        this.someAreNumbers = tokens.stream().anyMatch(token -> !Double.isNaN(CellParsing.number(token)));
    }

    public boolean isMissing(Table.Cursor row, int column) {
        if (!someAreNumbers && !Double.isNaN(row.number(column))) {
            return false;
        }
        return tokens.contains(row.text(column).strip());
    }
}
