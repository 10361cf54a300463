package dev.starling.table;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.text.CellText;
import dev.starling.data.text.ColumnNames;
import dev.starling.data.text.CsvLine;
import dev.starling.data.text.TextOpening;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the first lines say about a file that will be read as a table of text.
 *
 * @param line the line of names as it was written; empty if the names are not in the file
 */
record TableHeader(char delimiter, List<String> names, String line, int skippedBytes, int skippedLines) {

    /** How many lines are searched for text. */
    private static final int LOOKED_AT = 100;

    TableHeader {
        names = List.copyOf(names);
    }

    /**
     * The header of a CSV file whose columns have names, as they must if some cells near the start are not numbers;
     * empty for other files, which hold rows of numbers.
     *
     * @param names the names of the columns if the file does not have them; otherwise empty
     */
    static Optional<TableHeader> ofNamed(byte[] bytes, Format format, List<String> names, String file) {
        TextOpening opening = TextOpening.of(bytes, format, file);
        boolean named = opening.csv()
                && !opening.lines().isEmpty()
                && (!names.isEmpty() || opening.isHeader() || !holdsNumbers(opening, 0));
        return named ? Optional.of(of(opening, format, names, file)) : Optional.empty();
    }

    /**
     * The opening of a CSV file with names whose rows hold nothing but numbers, judging by the first of them; empty for
     * other files, and for those with a column that names the rows.
     */
    static Optional<TextOpening> aboveNumbers(byte[] bytes, Format format, String file) {
        TextOpening opening = TextOpening.of(bytes, format, file);
        boolean named = opening.csv() && opening.lines().size() > 1 && opening.isHeader();
        return Optional.of(opening)
                .filter(found -> named
                        && found.cells(0).stream().noneMatch(name -> name.isEmpty() || ColumnNames.namesRows(name))
                        && holdsNumbers(found, 1));
    }

    /**
     * What the whole numbers in a column have after their digits, judging by the first of them: nothing, or {@code .0};
     * empty if they are written in another way, such as {@code +1} or {@code 01}.
     */
    static Optional<String> decimals(TextOpening opening, int column) {
        Set<String> found = new HashSet<>();
        for (int i = 1; i < Math.min(LOOKED_AT, opening.lines().size()); i++) {
            List<String> cells = opening.cells(i);
            double number = column < cells.size() ? CsvLine.number(cells.get(column)) : Double.NaN;
            if (number == Math.rint(number)) {
                String plain = Labels.text(number + 0.0);
                String cell = cells.get(column);
                found.add(cell.startsWith(plain) ? cell.substring(plain.length()) : "?");
            }
        }
        boolean one = found.isEmpty() || found.equals(Set.of("")) || found.equals(Set.of(".0"));
        return one ? Optional.of(String.join("", found)) : Optional.empty();
    }

    private static boolean holdsNumbers(TextOpening opening, int from) {
        for (int i = from; i < Math.min(LOOKED_AT, opening.lines().size()); i++) {
            List<String> cells = opening.cells(i);
            boolean whole = cells.size() == opening.cells(0).size();
            if (whole && cells.stream().anyMatch(cell -> !CsvLine.isNumber(cell) && !CellText.isNotFinite(cell))) {
                return false;
            }
        }
        return true;
    }

    /** The header of a CSV file, which must have names; empty for LIBSVM text. */
    static Optional<TableHeader> ofCsv(byte[] bytes, Format format, List<String> names, String file) {
        TextOpening opening = TextOpening.of(bytes, format, file);
        boolean oneColumn = format == Format.AUTO && !opening.lines().isEmpty() && !opening.hasPairs();
        return opening.csv() || oneColumn ? Optional.of(of(opening, format, names, file)) : Optional.empty();
    }

    /** The header of a file that must have names unless they are given. */
    static TableHeader of(byte[] bytes, Format format, List<String> names, String file) {
        return of(TextOpening.of(bytes, format, file), format, names, file);
    }

    private static TableHeader of(TextOpening opening, Format format, List<String> names, String file) {
        if (opening.lines().isEmpty()) {
            throw new InvalidInputException(file + " holds no rows; at least one is needed");
        }
        if (!opening.csv() && (format == Format.LIBSVM || opening.hasPairs())) {
            throw new InvalidInputException(
                    file + " is LIBSVM text, whose columns have no names; a CSV file with a line of names is needed");
        }
        TextOpening.Line first = opening.lines().get(0);
        String where = file + ", line " + first.number() + ": ";
        List<String> cells = opening.cells(0);
        if (!names.isEmpty()) {
            if (names.size() != cells.size()) {
                throw new InvalidInputException(where + cells.size() + (cells.size() == 1 ? " field" : " fields")
                        + " for " + names.size() + " names; there must be a name for each");
            }
            if (opening.hasNamesAboveNumbers()) {
                throw new InvalidInputException(where + "the columns have names already, the first "
                        + CellText.quoted(cells.get(0)) + "; give none, or remove this line");
            }
            return new TableHeader(opening.delimiter(), names, "", first.startByte(), first.number() - 1);
        }
        if (CsvLine.hasOpenQuote(first.text())) {
            throw new InvalidInputException(where + CsvLine.OPEN_QUOTE);
        }
        if (!opening.isHeader()) {
            throw new InvalidInputException(where + "the columns have no names, judging by this line of " + cells.size()
                    + (cells.size() == 1 ? " cell" : " cells") + "; put a line of names first, or give the names");
        }
        opening.requireEvenHeader(where);
        List<String> named = new ArrayList<>(cells);
        if (opening.hasRowNames()) {
            named.set(0, ColumnNames.ROW_NAMES);
        }
        return new TableHeader(
                opening.delimiter(), named, first.text().stripTrailing(), first.endByte(), first.number());
    }
}
