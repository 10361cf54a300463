package dev.starling.table.parquet;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.DatasetReader;
import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that DuckDB wrote. */
class ParquetFileTest {

    private static final String ROWS = "select case when i % 7 = 0 then null else i::integer end as whole,"
            + " (i * 1000000007)::bigint as big, (i % 200)::utinyint as small, (3000000000 + i)::uinteger as unsigned_,"
            + " (i / 3)::float as short_, case when i % 11 = 0 then null else i / 7 end as double_, i % 3 = 0 as truth,"
            + " case when i % 5 = 0 then null else 'level ' || (i % 4) end as level, i || ' é \"' as text,"
            + " '0' || (i % 3) as code, (date '1969-01-01' + i::integer) as day,"
            + " timestamp '1969-12-31 23:59:59.5' + to_seconds(i) as moment, (i / 8)::decimal(9, 3) as price,"
            + " (i / 8)::decimal(18, 4) as longer, (i / 8)::decimal(30, 5) as longest from range(3000) t(i)";

    @TempDir
    private Path folder;

    private Path written(String query, String options) throws SQLException {
        Path file = folder.resolve("rows.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (" + query + ") to '" + file + "' (format parquet" + options + ")");
        }
        return file;
    }

    private static Table read(Path file) {
        return TableReader.standard().read(file);
    }

    /** A table of every kind of cell, more than 15 columns, and runs of empty cells, by DuckDB and by ourselves. */
    @Test
    void whatIsWrittenIsReadByTheDatabaseAndByOurselves() throws IOException, SQLException {
        StringBuilder csv = new StringBuilder("name,time,error,gone");
        IntStream.range(0, 20).forEach(c -> csv.append(",x").append(c));
        for (int row = 0; row < 300; row++) {
            csv.append('\n').append(row % 3 == 0 ? "\"é, \"\"q\"\"\"" : row % 3 == 1 ? "adfs@8" : "");
            csv.append(',').append(row * 0.1).append(',').append(row > 100 && row < 200 ? "NaN" : "1e-" + row);
            csv.append(',');
            for (int c = 0; c < 20; c++) {
                csv.append(',').append(row - c);
            }
        }
        Table table = TableReader.standard()
                .format(Format.CSV)
                .read(new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.UTF_8)), "test");
        Path file = folder.resolve("written.parquet");
        Files.write(file, table.parquet());
        Table again = read(file);
        assertThat(again.names()).isEqualTo(table.names());
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select * from '" + file + "'")) {
            assertThat(found.getMetaData().getColumnTypeName(1)).isEqualTo("VARCHAR");
            assertThat(found.getMetaData().getColumnTypeName(3)).isEqualTo("DOUBLE");
            Table.Cursor row = table.cursor();
            Table.Cursor second = again.cursor();
            while (row.next()) {
                assertThat(found.next() && second.next()).isTrue();
                assertThat(found.getString(1)).isEqualTo(row.text(0).isEmpty() ? null : row.text(0));
                assertThat(second.text(0)).isEqualTo(row.text(0));
                for (int c = 1; c < table.names().size(); c++) {
                    Double expected = row.number(c);
                    double value = found.getDouble(c + 1);
                    assertThat(found.wasNull() ? Double.NaN : value).isEqualTo(expected);
                    assertThat(second.number(c)).isEqualTo(expected);
                }
            }
            assertThat(found.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ", codec 'uncompressed'",
                ", codec 'gzip'",
                ", codec 'lz4_raw'",
                ", codec 'zstd'",
                ", codec 'zstd', compression_level 1",
                ", codec 'zstd', compression_level 19, row_group_size 2048",
                ", row_group_size 2048",
                ", codec 'snappy', row_group_size 2048"
            })
    void cellsAreThoseOfTheDatabase(String options) throws SQLException {
        Table table = read(written(ROWS, options));
        assertThat(table.rows()).isEqualTo(3000);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet expected = statement.executeQuery(ROWS)) {
            Table.Cursor row = table.cursor();
            while (expected.next()) {
                assertThat(row.next()).isTrue();
                for (int c = 0; c < table.names().size(); c++) {
                    assertThat(row.text(c)).as(table.names().get(c)).isEqualTo(text(expected, c + 1));
                }
            }
        }
    }

    private static String text(ResultSet rows, int column) throws SQLException {
        if (rows.getObject(column) == null) {
            return "";
        }
        return switch (rows.getMetaData().getColumnName(column)) {
            case "short_" -> Float.toString(rows.getFloat(column));
            case "double_" -> Double.toString(rows.getDouble(column));
            case "day" -> rows.getObject(column, LocalDate.class).toString();
            case "moment" -> rows.getTimestamp(column).toLocalDateTime().toString();
            case "price", "longer", "longest" -> rows.getBigDecimal(column).toString();
            default -> rows.getString(column);
        };
    }

    @Test
    void columnKindsFollowFromParquetTypes() throws SQLException {
        Survey survey = Survey.of(read(written(ROWS, "")));
        assertThat(survey.column("whole").kind()).isEqualTo(Kind.NUMERIC);
        assertThat(survey.column("whole").missing()).isEqualTo(429);
        assertThat(survey.column("price").kind()).isEqualTo(Kind.NUMERIC);
        assertThat(survey.column("truth").kind()).isEqualTo(Kind.BOOLEAN);
        assertThat(survey.column("code").kind()).isEqualTo(Kind.CATEGORICAL);
        assertThat(survey.column("day").kind()).isEqualTo(Kind.DATE);
        assertThat(survey.column("moment").kind()).isEqualTo(Kind.DATE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            select [1, 2] as l, 1 as y            |                | column 'l' is nested, a list or a structure
            select {'a': 1} as s, 1 as y          |                | column 's' is nested, a list or a structure
            select map {'a': 1} as m, 1 as y      |                | column 'm' is nested, a list or a structure
            select 'x'::blob as b, 1 as y         |                | column 'b' holds bytes that are not declared to be text
            select time '12:00' as t, 1 as y      |                | column 't' holds times, identifiers or short floats
            select uuid() as u, 1 as y            |                | column 'u' holds times, identifiers or short floats
            select 1 as y from range(9)           | , codec 'brotli' | column 'y' is compressed with brotli, which cannot
            select 1 as y where false             |                | holds no rows; at least one is needed
            select 'nan'::double as d, 1 as y     |                | row 1: column 'd' holds NaN, which is not finite
            select '-inf'::float as d, 1 as y     |                | row 1: column 'd' holds -Infinity, which is not finite
            select date '12024-01-01' as d        |                | row 1: column 'd' holds +12024-01-01, which is not
            """)
    void unsupportedFilesAreRefusedByName(String query, String options, String message) throws SQLException {
        Path file = written(query, options == null ? "" : options);
        assertThatRefused(() -> read(file)).hasMessageContaining(message);
    }

    @Test
    void aTruncatedFileIsRefused() throws SQLException, IOException {
        byte[] whole = Files.readAllBytes(written(ROWS, ""));
        Path cut = folder.resolve("cut.parquet");
        for (int length : new int[] {4, 8, 11, 12, 100, whole.length / 2, whole.length - 1}) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThatRefused(() -> read(cut)).hasMessageContaining("cut.parquet is not a complete Parquet file: ");
        }
    }

    /** Whatever a byte is changed to, the file can be read, or is refused by one line. */
    @Test
    void aChangedByteIsRefusedOrHarmless() throws SQLException, IOException {
        byte[] whole = Files.readAllBytes(written(ROWS + " limit 100", ""));
        Path changed = folder.resolve("changed.parquet");
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int k = 0; k < 1000; k++) {
            byte[] bytes = whole.clone();
            // Half of the changes are in the footer, where they matter most.
            int from = k % 2 == 0 ? 4 : bytes.length - 1500;
            bytes[from + random.nextInt(bytes.length - from)] ^= (byte) (1 + random.nextInt(255));
            Files.write(changed, bytes);
            try {
                read(changed);
            } catch (InvalidInputException e) {
                refused++;
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
        assertThat(refused).isGreaterThan(300);
    }

    @Test
    void readingRowsWithoutARecipeIsRefused() throws SQLException {
        Path file = written(ROWS, "");
        assertThatThrownBy(() -> DatasetReader.standard().read(file))
                .hasMessageContaining("is a Parquet file, which holds a table");
    }
}
