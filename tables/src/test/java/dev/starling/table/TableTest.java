package dev.starling.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.keys.RowKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {

    private static final String QUOTED =
            "name,note\r\n\"Smith, Ann\",\"said \"\"no\"\"\nand left\"\r\nBo,  plain  \r\n";

    private static Table read(String text) {
        return TableReader.standard()
                .format(Format.CSV)
                .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "t.csv");
    }

    private static List<List<String>> cells(Table table) {
        List<List<String>> all = new ArrayList<>();
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            List<String> cells = new ArrayList<>();
            for (int c = 0; c < table.names().size(); c++) {
                cells.add(row.text(c));
            }
            all.add(cells);
        }
        return all;
    }

    @Test
    void textShowsSourceAndSize() {
        assertThat(read("a,b\n1,x\n2,y\n3,z\n")).hasToString("Table[t.csv, 3 rows × 2 columns]");
    }

    @Test
    void quotedCellsMayHoldDelimitersQuotesAndLineEnds() {
        assertThat(cells(read(QUOTED)))
                .containsExactly(List.of("Smith, Ann", "said \"no\"\nand left"), List.of("Bo", "plain"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 8, 13, 21, 64})
    void theSizeOfBlocksChangesNothing(int block) throws IOException {
        TableHeader header = new TableHeader(',', List.of("name", "note"), "name,note", 0, 1);
        String rows = QUOTED.substring(QUOTED.indexOf('\n') + 1);
        Table table = new TableParser("t.csv", header, false, block)
                .parse(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)), read -> {});
        assertThat(cells(table)).isEqualTo(cells(read(QUOTED)));
        Table.Cursor row = table.cursor();
        row.next();
        assertThat(row.line()).isEqualTo(2);
        row.next();
        assertThat(row.line()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b\n1,x\n",
                "a;b\n1;x",
                "a\tb\r\n1\tx\r\n",
                "a|b\n\n1|x\n\n",
                "\uFEFFa,b\n 1 , \"x\" \n",
                "\"a\",\"b\"\n\"1\",x"
            })
    void findsDelimiterNamesAndRows(String text) {
        Table table = read(text);
        assertThat(table.names()).containsExactly("a", "b");
        assertThat(cells(table)).containsExactly(List.of("1", "x"));
    }

    @Test
    void aDelimiterInQuotesIsText() {
        assertThat(read("\"a;b\",c\nx,2\n").names()).containsExactly("a;b", "c");
    }

    @Test
    void aCellIsANumberOrNot() {
        Table.Cursor row = read("a,b,c,d,e,f\n1.5,\" 2 \",3x,,-4e2,1e999\n").cursor();
        row.next();
        assertThat(new double[] {
                    row.number(0), row.number(1), row.number(2), row.number(3), row.number(4), row.number(5)
                })
                .containsExactly(1.5, 2, Double.NaN, Double.NaN, -400, Double.POSITIVE_INFINITY);
    }

    @Test
    void aRowIsReturnedAsItWasWritten() {
        Table.Cursor row = read(QUOTED).cursor();
        row.next();
        assertThat(row.record()).isEqualTo("\"Smith, Ann\",\"said \"\"no\"\"\nand left\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            a,b#1,x#2         | line 3: 1 field; there are 2 columns
            a,b#1,x,y         | line 2: 3 fields; there are 2 columns
            a,b#1,x#"2,y      | line 3: a double quote is not closed
            a,b#1,"x"y        | line 2: text follows a closing double quote
            a,b#1,x"y         | line 2: a double quote within a cell that has none around it
            a,a#1,x           | two columns are called 'a'
            a,,b#1,2,x        | column 2 has no name
            a,b               | holds no rows
            1,x#2,y           | the columns have no names
            """)
    void errorsNameTheProblemAndItsPlace(String text, String problem) {
        assertThatThrownBy(() -> read(text.replace('#', '\n')))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessageContaining("t.csv")
                .hasMessageContaining(problem);
    }

    @Test
    void refusesWhatIsNotText() {
        byte[] latin = "a,b\n1,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> TableReader.standard().read(new ByteArrayInputStream(latin), "t.csv"))
                .hasMessage("t.csv, line 2: this is not UTF-8 text; convert the file to UTF-8");
    }

    @Test
    void numbersAreReadAsATableIfTheyHaveNames() {
        List<String> seen = new ArrayList<>();
        for (String text : List.of("y,a\n1,2\n-1,3\n", "1,2\n-1,3\n")) {
            Dataset rows = TableReader.standard()
                    .rows(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                            "n",
                            DatasetReader.standard(),
                            table -> {
                                seen.addAll(table.names());
                                return Dataset.of(new double[][] {{2}, {3}}, new double[] {1, -1});
                            });
            assertThat(rows.labels()).containsExactly(1, -1);
        }
        assertThat(seen).containsExactly("y", "a");
    }

    /** Registers of people keep these numbers: a cell must have the same one in every version. */
    @Test
    void keysOfCellsAreThoseOfTheirText() {
        String text = "a,b\n1,1.0\n\" 2 \",2\n1e5,100000\nNA,\n,.\n-0,0\n12345678901234567890,é\n\"x\"\"y\",+3\n0x1F,";
        Table table =
                TableReader.standard().read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "rows");
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            for (int column = 0; column < 2; column++) {
                assertThat(row.key(column))
                        .as(row.place() + ", column " + column)
                        .isEqualTo(RowKeys.ofCells(List.of(row.text(column))));
            }
        }
    }

    @Test
    void missingValuesAreToldByTheirWholeText() {
        String text = "a\n-999\n-99\n\"-999\"\n999\n\u2003NA\nN\n-999 \n";
        Table table =
                TableReader.standard().read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "rows");
        MissingTokens tokens = new MissingTokens(List.of("NA", "-999"));
        List<Boolean> missing = new ArrayList<>();
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            missing.add(tokens.isMissing(row, 0));
        }
        assertThat(missing).containsExactly(true, false, true, false, true, false, true);
    }

    /**
     * Rows of which many share their text, in all the ways to write it, with others in one column and lines between.
     */
    private static String repeated(int rows) {
        StringBuilder text = new StringBuilder("f,n,own,last\r\n");
        List<String> factors = List.of("L1", " L2 ", "\"L,3\"", "NA", "", "\"say \"\"no\"\"\"", "é");
        List<String> numbers = List.of("0", "-0", "1.5", " 2 ", "\" 3 \"", "1e999", "x", "-999");
        for (int row = 0; row < rows; row++) {
            text.append(factors.get(row * 5 % 7))
                    .append(',')
                    .append(numbers.get(row * 3 % 8))
                    .append(',');
            text.append(row).append("x,").append(row % 2 == 0 ? "a" : "b").append(row % 3 == 0 ? "\r\n" : "\n");
            text.append(row % 50 == 49 ? "\n" : "");
        }
        return text.toString();
    }

    @Test
    void cellsThatManyRowsShareAreThoseOfRowsOnTheirOwn() {
        String text = repeated(400);
        Table shared = read(text);
        MissingTokens tokens = new MissingTokens(List.of("NA", "", "-999"));
        List<String> lines =
                text.lines().filter(line -> !line.isBlank()).skip(1).toList();
        int row = 0;
        int codes = 0;
        for (Table.Cursor cursor = shared.cursor(); cursor.next(); row++) {
            Table.Cursor alone = read("f,n,own,last\n" + lines.get(row) + "\n").cursor();
            alone.next();
            for (int c = 0; c < 4; c++) {
                assertThat(alone.code(c)).isEqualTo(-1);
                assertThat(cursor.text(c)).isEqualTo(alone.text(c));
                assertThat(cursor.number(c)).isEqualTo(Double.valueOf(alone.number(c)));
                assertThat(cursor.key(c)).isEqualTo(alone.key(c));
                assertThat(tokens.isMissing(cursor, c)).isEqualTo(tokens.isMissing(alone, c));
                codes += cursor.code(c) >= 0 ? 1 : 0;
            }
            assertThat(cursor.record()).isEqualTo(alone.record());
            assertThat(cursor.line()).isEqualTo(2 + row + row / 50);
        }
        assertThat(row).isEqualTo(400);
        assertThat(codes).as("all columns but one keep what rows share once").isEqualTo(1200);
    }

    @Test
    void whetherRowsShareTextChangesNoCount() throws IOException {
        String text = repeated(400);
        String rows = text.substring(text.indexOf('\n') + 1);
        List<String> names = List.of("f", "n", "own", "last");
        // Blocks of a few rows keep the text of each.
        Table alone = new TableParser("t.csv", new TableHeader(',', names, "f,n,own,last", 0, 1), false, 32)
                .parse(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)), read -> {});
        Table.Cursor cursor = alone.cursor();
        cursor.next();
        assertThat(cursor.code(0)).isEqualTo(-1);
        for (int c = 0; c < 4; c++) {
            assertThat(counts(read(text), c))
                    .usingRecursiveComparison()
                    .withComparatorForType(Double::compare, Double.class)
                    .ignoringFields("last", "ofLast", "cells", "ofCodes")
                    .isEqualTo(counts(alone, c));
        }
    }

    private static CellCounts counts(Table table, int column) {
        CellCounts counts = new CellCounts(table.names().get(column), false);
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            counts.add(row, column, new MissingTokens(MissingTokens.USUAL));
        }
        return counts;
    }

    @Test
    void wholeColumnsAreTheTableThatTheirCellsMake() {
        double[] numbers = {1.5, Double.NaN, -2, 1e300, 0};
        int[] places = {0, 2, -1, 1, 2};
        List<String> levels = List.of("a", " b ", "say \"c\", d");
        TableBuilder cells = new TableBuilder("the table", List.of("n", "f")).words("f");
        for (int row = 0; row < numbers.length; row++) {
            if (Double.isNaN(numbers[row])) {
                cells.addMissing();
            } else {
                cells.add(Labels.text(numbers[row]));
            }
            if (places[row] < 0) {
                cells.addMissing();
            } else {
                cells.add(levels.get(places[row]));
            }
        }
        Table columns = new TableColumns("the table")
                .numbers("n", numbers)
                .levels("f", levels, places)
                .build();
        Table built = cells.build();
        assertThat(cells(columns)).isEqualTo(cells(built));
        assertThat(columns.holdsWords("f")).isTrue();
        List<Integer> all = List.of(0, 1, 2, 3, 4);
        assertThat(columns.keysOf(List.of(), all)).isEqualTo(built.keysOf(List.of(), all));
        Table.Cursor one = columns.cursor();
        for (Table.Cursor other = built.cursor(); other.next(); ) {
            one.next();
            assertThat(one.record()).isEqualTo(other.record());
            assertThat(one.place()).isEqualTo(other.place());
            assertThat(one.number(0)).isEqualTo(Double.valueOf(other.number(0)));
            for (int c = 0; c < 2; c++) {
                assertThat(new MissingTokens(MissingTokens.USUAL).isMissing(one, c))
                        .isEqualTo(new MissingTokens(MissingTokens.USUAL).isMissing(other, c));
            }
        }
    }

    @Test
    void aFactorMayHaveMoreLevelsThanAByteTells() {
        List<String> levels = IntStream.range(0, 1000).mapToObj(k -> "L" + k).toList();
        Table table = new TableColumns("t").levels("f", levels, 999, 0, -1, 256).build();
        assertThat(cells(table)).containsExactly(List.of("L999"), List.of("L0"), List.of(""), List.of("L256"));
    }

    @Test
    void columnsThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new TableColumns("the table").numbers("a", 1, Double.NEGATIVE_INFINITY))
                .hasMessage(
                        "the table, row 2: column 'a' is infinite; give a finite number, or NaN for a missing value");
        assertThatThrownBy(() -> new TableColumns("the table").levels("a", List.of("x"), 0, 1))
                .hasMessage("column 'a' has the code 1; there are 1 levels, from 0, and -1 for a missing value");
        assertThatThrownBy(() ->
                        new TableColumns("t").numbers("a", 1).numbers("b", 1, 2).build())
                .hasMessageContaining("columns with different numbers of rows: [1, 2]");
    }
}
