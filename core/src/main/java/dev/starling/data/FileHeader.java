package dev.starling.data;

import dev.starling.data.text.CellText;
import dev.starling.data.text.ColumnNames;
import dev.starling.data.text.CsvLine;
import dev.starling.data.text.TextOpening;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the first lines of a file say about the rest: how to parse it, where its rows begin, and what the features are
 * called.
 */
record FileHeader(RowParser parser, int skippedBytes, int skippedLines, List<String> names) {

    /**
     * @param bytes the beginning of the text, at least its first line that is not blank
     * @param labelColumn which CSV column is the label: a name, a number from 1, {@code last}, or empty for the default
     */
    static FileHeader of(byte[] bytes, Format format, Optional<String> labelColumn, String file) {
        TextOpening opening = TextOpening.of(bytes, format, file);
        int mark = opening.mark();
        List<TextOpening.Line> lines = opening.lines();
        boolean csv = opening.csv();
        if (!csv && labelColumn.isPresent()) {
            throw new InvalidInputException(file + " is LIBSVM text, where the label comes first; label column "
                    + CellText.quoted(labelColumn.get()) + " can be chosen in CSV only");
        }
        if (!csv || lines.isEmpty()) {
            return new FileHeader(new LibsvmParser(), mark, 0, List.of());
        }
        TextOpening.Line first = lines.get(0);
        char delimiter = opening.delimiter();
        List<String> cells = opening.cells(0);
        boolean header = opening.isHeader();
        String where = file + ", line " + first.number() + ": ";
        if (header && CsvLine.hasOpenQuote(first.text())) {
            throw new InvalidInputException(where + CsvLine.OPEN_QUOTE);
        }
        if (cells.size() < 2) {
            throw new InvalidInputException(
                    where + "one column only, " + CellText.quoted(first.text().strip())
                            + "; a label and at least one feature are needed, between commas, semicolons or tabs");
        }
        if (header) {
            opening.requireEvenHeader(where);
            ColumnNames.require(cells, where);
        }
        int label = header
                ? ColumnNames.namedLabel(cells, labelColumn, where)
                : ColumnNames.numberedLabel(cells.size(), labelColumn, where);
        CsvParser parser = new CsvParser((byte) delimiter, cells.size(), label, header ? cells : List.of());
        if (!header) {
            return new FileHeader(parser, first.startByte(), first.number() - 1, List.of());
        }
        List<String> names = new ArrayList<>(cells);
        names.remove(label);
        return new FileHeader(parser, first.endByte(), first.number(), names);
    }
}
