package dev.starling.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Format;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableBuilderTest {

    private static final List<String> AWKWARD =
            List.of("plain", "a,b", "say \"no\"", "two\nlines", " blank ", "1.5", "é", "", "\r", "a\"");

    private static Table built(int blockBytes) {
        TableBuilder builder = new TableBuilder("made", List.of("t", "n,m"), blockBytes);
        for (String cell : AWKWARD) {
            builder.add(cell);
            builder.addMissing();
        }
        return builder.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 1 << 20})
    void cellsAreReturnedAsTheyWereAdded(int blockBytes) {
        Table table = built(blockBytes);
        List<String> cells = new ArrayList<>();
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            cells.add(row.text(0));
            assertThat(row.text(1)).isEmpty();
            assertThat(row.place()).isEqualTo("row " + cells.size());
        }
        assertThat(cells).isEqualTo(AWKWARD);
        assertThat(table.rows()).isEqualTo(AWKWARD.size());
    }

    @Test
    void writesCsv() {
        Table table = built(64);
        StringBuilder text = new StringBuilder(table.header()).append('\n');
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            text.append(row.record()).append('\n');
        }
        Table read = TableReader.standard()
                .format(Format.CSV)
                .read(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)), "again");
        assertThat(read.names()).containsExactly("t", "n,m");
        List<String> cells = new ArrayList<>();
        for (Table.Cursor row = read.cursor(); row.next(); ) {
            cells.add(row.text(0));
        }
        assertThat(cells).isEqualTo(AWKWARD);
    }

    @Test
    void declaredTextIsNotReadAsNumbers() {
        TableBuilder builder = new TableBuilder("made", List.of("zip", "n")).words("zip");
        for (int i = 0; i < 4; i++) {
            builder.add("0" + i % 2);
            builder.add("0" + i);
        }
        Survey survey = Survey.of(builder.build());
        assertThat(survey.column("zip").kind()).isEqualTo(Kind.CATEGORICAL);
        assertThat(survey.column("n").kind()).isEqualTo(Kind.NUMERIC);
    }

    @Test
    void invalidTablesAreRefused() {
        TableBuilder empty = new TableBuilder("made", List.of("a"));
        assertThatThrownBy(empty::build).hasMessage("made holds no rows; at least one is needed");
        TableBuilder same = new TableBuilder("made", List.of("a", "a"));
        same.add("1");
        assertThatThrownBy(same::build).isInstanceOf(IllegalStateException.class);
        same.add("2");
        assertThatThrownBy(same::build).hasMessageContaining("two columns are called 'a'");
        TableBuilder two = new TableBuilder("made", List.of("a", "b"));
        two.add("1");
        two.add("2");
        two.add("3");
        assertThat(two.problem("is odd")).hasMessage("made, row 2: column 'b' is odd");
    }
}
