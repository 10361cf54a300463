package dev.starling.data;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetReaderErrorsTest {

    private static final DatasetReader READER = DatasetReader.standard();

    private static void assertRefused(DatasetReader reader, byte[] bytes, String message) {
        assertThatRefused(() -> reader.read(DatasetReaderTest.stream(bytes), "a9a"))
                .hasMessage(message);
    }

    static Stream<Arguments> badLibsvm() {
        return Stream.of(
                Arguments.of("1 0:1", "feature index 0; indices start at 1 and ascend"),
                Arguments.of("1 -3:1", "feature index -3; indices start at 1 and ascend"),
                Arguments.of("1 3:1 2:1", "feature index 2 after 3; indices start at 1 and ascend"),
                Arguments.of("1 3:1 3:1", "feature index 3 after 3; indices start at 1 and ascend"),
                Arguments.of("1 2147483648:1", "feature index 2147483648; the largest possible is 2147483647"),
                Arguments.of(
                        "1 99999999999999999999:1",
                        "feature index 99999999999999999999; the largest possible is 2147483647"),
                Arguments.of("1 3:nan", "feature 3 has value nan; values must be finite"),
                Arguments.of("1 3:-Inf", "feature 3 has value -Inf; values must be finite"),
                Arguments.of("1 3:1e309", "feature 3 has value 1e309; values must be finite"),
                Arguments.of("1 3:", "'3:' is not index:value, such as 3:0.5"),
                Arguments.of("1 3: 5", "'3:' is not index:value, such as 3:0.5"),
                Arguments.of("1 3:0x5", "'3:0x5' is not index:value, such as 3:0.5"),
                Arguments.of("1 3:1:2", "'3:1:2' is not index:value, such as 3:0.5"),
                Arguments.of("1 :2", "':2' is not index:value, such as 3:0.5"),
                Arguments.of("1 0.25", "'0.25' is not index:value, such as 3:0.5"),
                Arguments.of("1 a:1", "'a:1' is not index:value, such as 3:0.5"),
                Arguments.of(
                        "1 qid:7 3:1", "ranking groups such as 'qid:7' are not supported; remove the qid: entries"),
                Arguments.of("spam 3:1", "label 'spam'; labels must be numbers, such as +1 and -1"),
                Arguments.of("1,2 3:1", "label '1,2'; labels must be numbers, such as +1 and -1"),
                Arguments.of("nan 3:1", "label nan; labels must be finite"),
                Arguments.of("1e999 3:1", "label 1e999; labels must be finite"),
                Arguments.of("3:1 4:1", "the line starts with '3:1'; it must start with a label, such as +1 or 3.5"));
    }

    @ParameterizedTest
    @MethodSource("badLibsvm")
    void namesFileLineAndValueOfABadLibsvmLine(String line, String problem) {
        String text = "1 3:1\n\n# aside\r\n" + line + "\n1 3:1\n";
        for (int chunk : new int[] {4, 1 << 20}) {
            assertRefused(READER.pieces(chunk, 3), DatasetReaderTest.plain(text), "a9a, line 4: " + problem);
        }
    }

    static Stream<Arguments> badCsv() {
        return Stream.of(
                Arguments.of("1,2", "2 fields; the first line has 3"),
                Arguments.of("1", "1 field; the first line has 3"),
                Arguments.of("1,2,3,4", "4 fields; the first line has 3"),
                Arguments.of("1,2,3,", "4 fields; the first line has 3"),
                Arguments.of("1,,3", "column 2 (age) is empty; fill in missing values or drop such rows"),
                Arguments.of(
                        "1,2,2020-01-31",
                        "column 3 (day) holds '2020-01-31', which is not a number; encode categories and dates as"
                                + " numbers or drop the column"),
                Arguments.of(
                        "red,2,3",
                        "column 1 (y) holds 'red', which is not a number; encode categories and dates as numbers or"
                                + " drop the column"),
                Arguments.of("1,NaN,3", "column 2 (age) holds NaN; values must be finite"),
                Arguments.of("1,1e350,3", "column 2 (age) holds 1e350; values must be finite"),
                Arguments.of("\"1,2,3", "a double quote is not closed; quotes must come in pairs around a cell"),
                Arguments.of("1,2\",3", "a double quote is not closed; quotes must come in pairs around a cell"),
                Arguments.of("1,\"2,\"3", "2 fields; the first line has 3"),
                Arguments.of("1,\"\"2,3\"\"", "a double quote is not closed; quotes must come in pairs around a cell"),
                Arguments.of("1,\"2,3\"", "2 fields; the first line has 3"),
                Arguments.of("inf,1,3", "column 1 (y) holds inf; labels must be finite"));
    }

    @ParameterizedTest
    @MethodSource("badCsv")
    void namesFileLineAndCellOfABadCsvLine(String line, String problem) {
        String text = "y,age,day\n1,2,3\n\n" + line + "\n1,2,3\n";
        for (int chunk : new int[] {4, 1 << 20}) {
            assertRefused(READER.pieces(chunk, 3), DatasetReaderTest.plain(text), "a9a, line 4: " + problem);
        }
    }

    @Test
    void refusesCategoriesInAFileWithoutNames() {
        assertRefused(
                READER,
                DatasetReaderTest.plain("1,M,0.5\n2,F,0.25\n"),
                "a9a, line 1: column 2 holds 'M', which is not a number; encode categories and dates as numbers or"
                        + " drop the column");
    }

    @Test
    void refusesANameWhoseQuoteIsNotClosed() {
        assertRefused(
                READER,
                DatasetReaderTest.plain("y,\"a,b\n1,2\n"),
                "a9a, line 1: a double quote is not closed; quotes must come in pairs around a cell");
    }

    @Test
    void namesUtf16Text() {
        String text = "1 1:0.5\n-1 2:1\n";
        assertRefused(READER, text.getBytes(StandardCharsets.UTF_16), "a9a is UTF-16 text; convert it to UTF-8");
        assertRefused(
                READER,
                ("\uFEFF" + text).getBytes(StandardCharsets.UTF_16LE),
                "a9a is UTF-16 text; convert it to UTF-8");
        assertRefused(
                READER,
                text.getBytes(StandardCharsets.UTF_16LE),
                "a9a holds zero bytes, as UTF-16 text does; if it is UTF-16, convert it to UTF-8");
    }

    @ParameterizedTest
    @CsvSource({"C, ''", "rx, ''", "PRICE, price", "pirce, price", "roms, rooms", "rows, ''"})
    void offersOnlySimilarNames(String given, String offered) {
        assertRefused(
                READER.labelColumn(given),
                DatasetReaderTest.plain("price,rooms,a\n1,2,3\n"),
                "a9a, line 1: unknown label column '" + given + "';"
                        + (offered.isEmpty() ? "" : " did you mean '" + offered + "'?")
                        + " there are: price, rooms, a");
    }

    @Test
    void offersTheNearestNameForAnUnknownLabelColumn() {
        assertRefused(
                READER.labelColumn("prize"),
                DatasetReaderTest.plain("price,rooms\n1,2\n"),
                "a9a, line 1: unknown label column 'prize'; did you mean 'price'? there are: price, rooms");
    }

    @Test
    void asksForTheLabelColumnWhenNamesDoNotTell() {
        assertRefused(
                READER,
                DatasetReaderTest.plain("price,rooms\n1,2\n"),
                "a9a, line 1: no column is called label, target, y, class; say which one is the label, by name, by"
                        + " number from 1, or as 'last'; there are: price, rooms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"price", "0", "3"})
    void asksForTheNumberOfAColumnWithoutNames(String column) {
        assertRefused(
                READER.labelColumn(column),
                DatasetReaderTest.plain("1,2\n"),
                "a9a, line 1: unknown label column '" + column
                        + "'; the columns have no names, so give a number from 1 to 2, or 'last'");
    }

    @Test
    void refusesACsvFileOfOneColumn() {
        assertRefused(
                READER.format(Format.CSV),
                DatasetReaderTest.plain("y\n2\n"),
                "a9a, line 1: one column only, 'y'; a label and at least one feature are needed, between commas,"
                        + " semicolons or tabs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# nothing\n", "y,a\n"})
    void refusesAFileWithoutRows(String text) {
        assertRefused(READER, DatasetReaderTest.plain(text), "a9a holds no rows; at least one is needed");
    }

    @Test
    void refusesAFileWithLabelsOnly() {
        assertRefused(
                READER,
                DatasetReaderTest.plain("1\n2\n"),
                "a9a holds labels only; rows look like '+1 3:0.5 7:1' or are numbers between commas");
    }

    @Test
    void refusesAMissingFile(@TempDir Path folder) {
        Path file = folder.resolve("none.gz");
        assertThatRefused(() -> READER.read(file))
                .hasMessage(file + " does not exist; give the path of a LIBSVM or CSV file");
    }

    @Test
    void refusesADirectory(@TempDir Path folder) {
        assertThatRefused(() -> READER.read(folder))
                .hasMessage(folder + " is a directory; give one of the files in it");
    }

    @Test
    void namesAPathInMessagesAsItWasGiven(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a9a.gz");
        Files.write(file, DatasetReaderTest.gzip("1 1:1\n".repeat(16) + "1 0:1\n"));
        assertThatThrownBy(() -> READER.read(file))
                .hasMessage(file + ", line 17: feature index 0; indices start at 1 and ascend");
    }

    @Test
    void saysThatGzipIsTruncated() throws IOException {
        byte[] packed = DatasetReaderTest.gzip(manyRows());
        for (int length : new int[] {5, packed.length / 2, packed.length - 9, packed.length - 3}) {
            assertRefused(
                    READER,
                    Arrays.copyOf(packed, length),
                    "a9a: the gzip data ends too early, the file is truncated; copy or download it again");
        }
    }

    @Test
    void saysThatGzipIsCorrupt() throws IOException {
        byte[] packed = DatasetReaderTest.gzip(manyRows());
        packed[packed.length - 6] ^= 1;
        assertRefused(READER, packed, "a9a: the gzip data is corrupt; copy or download it again");
    }

    @Test
    void saysThatBzip2IsTruncated() throws IOException {
        byte[] packed = DatasetReaderTest.bzip2(manyRows());
        for (int length : new int[] {packed.length / 2, packed.length - 3}) {
            assertRefused(
                    READER,
                    Arrays.copyOf(packed, length),
                    "a9a: the bzip2 data ends too early, the file is truncated; copy or download it again");
        }
    }

    @Test
    void saysThatBzip2IsCorrupt() throws IOException {
        byte[] packed = DatasetReaderTest.bzip2(manyRows());
        packed[packed.length / 2] ^= 1;
        assertRefused(READER, packed, "a9a: the bzip2 data is corrupt; copy or download it again");
    }

    @Test
    void damagedCompressedFilesAreAlwaysRefused() throws IOException {
        Random random = new Random(6);
        String text = manyRows().substring(0, 20_000);
        for (byte[] packed : List.of(DatasetReaderTest.gzip(text), DatasetReaderTest.bzip2(text))) {
            for (int round = 0; round < 300; round++) {
                byte[] damaged = packed.clone();
                // The first ten bytes are the header, where gzip keeps a time stamp that nothing checks.
                damaged[10 + random.nextInt(packed.length - 10)] ^= (byte) (1 << random.nextInt(8));
                assertThatRefused(() -> READER.read(DatasetReaderTest.stream(damaged), "a9a"));
            }
        }
    }

    @Test
    void reportsABadLineBeforeTruncatedData() throws IOException {
        byte[] packed = DatasetReaderTest.gzip("1 3:x\n" + manyRows());
        assertRefused(
                READER.pieces(100, 2),
                Arrays.copyOf(packed, packed.length - 100),
                "a9a, line 1: '3:x' is not index:value, such as 3:0.5");
    }

    @ParameterizedTest
    @CsvSource({"fd377a585a00,xz", "28b52ffd0000,zstd", "504b03040000,zip"})
    void namesACompressionThatItCannotRead(String magic, String packing) {
        assertRefused(
                READER,
                HexFormat.of().parseHex(magic),
                "a9a is compressed with " + packing + "; decompress it first: plain text, gzip and bzip2 are read");
    }

    @Test
    void refusesALabelColumnForLibsvm() {
        assertRefused(
                READER.labelColumn("price"),
                DatasetReaderTest.plain("1 3:1\n"),
                "a9a is LIBSVM text, where the label comes first; label column 'price' can be chosen in CSV only");
    }

    @Test
    void countsLinesWhenArraysAreReused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("rows");
        Files.writeString(file, "1 3:1\n\n".repeat(300_000) + "1 3:x\n" + "1 3:1\n".repeat(1000));
        assertThatRefused(() -> READER.pieces(10_000, 2).read(file))
                .hasMessage(file + ", line 600001: '3:x' is not index:value, such as 3:0.5");
    }

    @Test
    void refusesMoreValuesOfAFewRowsThanOneArrayHolds() {
        RowBuffer piece = new RowBuffer(0, 0);
        piece.rows = 4;
        piece.stored = 1_100_000_000;
        piece.largestColumn = 1_000_000_000;
        RowAssembler assembler = new RowAssembler("a9a", -1, 0, false, false);
        assembler.add(piece, 100);
        assembler.add(piece, 200);
        assertThatRefused(assembler::finish)
                .hasMessage(
                        "a9a: 64 rows have 2200000000 values; one place can hold 2147483639 of so few rows, so split"
                                + " the file over several");
    }

    @Test
    void saysThatItWasInterruptedAndStaysInterrupted() throws IOException {
        byte[] packed = DatasetReaderTest.gzip(manyRows());
        Thread.currentThread().interrupt();
        try {
            assertRefused(READER, packed, "a9a cannot be read: interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    @Timeout(20)
    void refusesBinaryDataBeforeItsFirstLineEnd() {
        InputStream endless = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] buffer, int from, int length) {
                Arrays.fill(buffer, from, from + length, (byte) 0);
                return length;
            }
        };
        assertThatRefused(() -> READER.read(endless, "/dev/zero")).hasMessageStartingWith("/dev/zero holds zero bytes");
    }

    @Test
    void saysWhyAStreamFailed() {
        InputStream failing = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] buffer, int from, int length) throws IOException {
                throw new IOException("the disk is on fire");
            }
        };
        assertThatRefused(() -> READER.read(failing, "standard input"))
                .hasMessage("standard input cannot be read: the disk is on fire");
    }

    @Test
    void reportsTheFirstBadLineWhicheverThreadFindsOne() {
        Random random = new Random(3);
        for (int round = 0; round < 50; round++) {
            int first = 1 + random.nextInt(2000);
            StringBuilder text = new StringBuilder();
            for (int line = 1; line <= 3000; line++) {
                boolean bad = line == first || (line > first && random.nextInt(5) == 0);
                text.append(bad ? "1 0:1\n" : line % 50 == 0 ? "\n" : "1 1:1 2:0.123456789 9:4\n");
            }
            assertRefused(
                    READER.pieces(1 + random.nextInt(3000), 4),
                    DatasetReaderTest.plain(text.toString()),
                    "a9a, line " + first + ": feature index 0; indices start at 1 and ascend");
        }
    }

    @Test
    void keepsAMessageOnOneShortLineWhateverTheFileHolds() {
        assertRefused(
                READER,
                DatasetReaderTest.plain("\u0001" + "z".repeat(100) + " 1:1\n"),
                "a9a, line 1: label '?" + "z".repeat(39) + "…'; labels must be numbers, such as +1 and -1");
    }

    private static String manyRows() {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append("1 1:").append(random.nextInt(1000)).append(" 9:1\n");
        }
        return text.toString();
    }
}
