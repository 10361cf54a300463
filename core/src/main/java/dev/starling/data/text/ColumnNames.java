package dev.starling.data.text;

import dev.starling.data.InvalidInputException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the columns of a file are called, and which of them is the label. */
public final class ColumnNames {

    private static final List<String> USUAL_LABELS = List.of("label", "target", "y", "class");

    /** What a first column without a name is called, as R calls it. */
    public static final String ROW_NAMES = "row.names";

    /** What columns are called that only number or name rows, by R, by pandas and in its Parquet files. */
    private static final Set<String> NAMES_OF_ROWS = Set.of(ROW_NAMES, "Unnamed: 0", "__index_level_0__");

    private ColumnNames() {}

    /** Whether a column with this name only names or numbers the rows, so that nothing is learnt from it unasked. */
    public static boolean namesRows(String column) {
        return NAMES_OF_ROWS.contains(column);
    }

    /** Refuses columns without a name, and names that two of them share: whoever looks for one must find it. */
    public static void require(List<String> names, String where) {
        int unnamed = names.indexOf("");
        if (unnamed >= 0) {
            throw new InvalidInputException(where + "column " + (unnamed + 1)
                    + " has no name; give it one, or remove "
                    + (unnamed > 0 && unnamed == names.size() - 1
                            ? "the delimiters that lines end with"
                            : "it if it only numbers the rows"));
        }
        requireDifferent(names, where);
    }

    /** Refuses names that two columns share. */
    public static void requireDifferent(List<String> names, String where) {
        Set<String> met = new HashSet<>();
        for (String name : names) {
            if (!met.add(name)) {
                throw new InvalidInputException(where + "two columns are called " + CellText.quoted(name)
                        + "; give every column a name of its own");
            }
        }
    }

    /**
     * The index of the label column: the requested one, or else the one with the first of the usual names that occurs.
     */
    public static int namedLabel(List<String> names, Optional<String> wanted, String where) {
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

    /** The index of the label column of a file without names: the requested one, or else the first. */
    public static int numberedLabel(int fields, Optional<String> wanted, String where) {
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
