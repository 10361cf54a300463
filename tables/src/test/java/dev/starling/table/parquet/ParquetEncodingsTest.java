package dev.starling.table.parquet;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that pyarrow wrote, with encodings that DuckDB does not write; encodings.py says what is in it. */
class ParquetEncodingsTest {

    private static final int ROWS = 500;

    @TempDir
    private Path folder;

    private static byte[] whole() throws IOException {
        try (InputStream in = ParquetEncodingsTest.class.getResourceAsStream("encodings.parquet")) {
            return in.readAllBytes();
        }
    }

    private Table read(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("encodings.parquet"), content);
        return TableReader.standard().read(file);
    }

    private static List<String> expected(int i) {
        long big = i == 3 ? Long.MIN_VALUE : i == 4 ? Long.MAX_VALUE : (1 - 2L * (i % 2)) * i * 100_000_000_003L;
        return List.of(
                i % 7 == 0 ? "" : Integer.toString(i * i - 1000),
                Long.toString(big),
                "",
                LocalDate.ofEpochDay(i * 37L - 5000).toString(),
                i % 5 == 0 ? "" : "é".repeat(i % 4) + i,
                String.format(Locale.ROOT, "patient-%05d", i / 3) + "x".repeat(i % 3),
                Double.toString(i / 8.0 - 3),
                i % 11 == 0 ? "" : Float.toString(i / 4f));
    }

    @Test
    void cellsAreReadAsWritten() throws IOException {
        Table table = read(whole());
        assertThat(table.names())
                .containsExactly("whole", "big", "nothing", "day", "text", "patient", "ratio", "short");
        assertThat(table.rows()).isEqualTo(ROWS);
        Table.Cursor row = table.cursor();
        for (int i = 0; row.next(); i++) {
            for (int c = 0; c < table.names().size(); c++) {
                assertThat(row.text(c))
                        .as("%s of row %d", table.names().get(c), i)
                        .isEqualTo(expected(i).get(c));
            }
        }
    }

    /**
     * pandas wrote it: {@code pd.DataFrame({'visits': [1, 2, 3, 4], 'took': pd.to_timedelta(['5min', …]), 'y': …})}.
     * The column is stored as whole numbers of nanoseconds, which only pandas' own notes reveal.
     */
    @Test
    void timeSpansOfPandasAreRefusedByName() throws IOException {
        byte[] content;
        try (InputStream in = ParquetEncodingsTest.class.getResourceAsStream("timedelta.parquet")) {
            content = in.readAllBytes();
        }
        assertThatRefused(() -> read(content))
                .hasMessageEndingWith(
                        "column 'took' holds time spans, which have no unit of their own; write a number of"
                                + " seconds or days instead, in pandas with .dt.total_seconds()");
    }

    /** Whatever a byte is changed to, the file can be read, or is refused by one line. */
    @Tag("thorough")
    @Test
    void aChangedByteIsRefusedOrHarmless() throws IOException {
        byte[] whole = whole();
        SplittableRandom random = new SplittableRandom(2);
        int refused = 0;
        for (int k = 0; k < 1000; k++) {
            byte[] bytes = whole.clone();
            bytes[4 + random.nextInt(bytes.length - 4)] ^= (byte) (1 + random.nextInt(255));
            try {
                read(bytes);
            } catch (InvalidInputException e) {
                refused++;
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
        // Most changes are of values, which only a checksum could tell.
        assertThat(refused).isGreaterThan(200);
    }
}
