package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.keys.Fingerprint;
import dev.starling.support.Fixtures;
import dev.starling.support.SharedData;
import dev.starling.support.Stored;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetReaderTest {

    private static final DatasetReader READER = DatasetReader.standard();

    static Dataset read(DatasetReader reader, String text) {
        return reader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "standard input");
    }

    private static Dataset read(String text) {
        return read(READER, text);
    }

    /** Everything about the rows as text, so that a difference shows. */
    static String describe(Dataset rows) {
        StringBuilder text = new StringBuilder("d=" + rows.features() + (rows.isDense() ? " dense" : " sparse"));
        for (int i = 0; i < rows.rows(); i++) {
            text.append(" | ").append(rows.label(i));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int column = rows.column(i, k);
                text.append(' ').append(column).append('=').append(rows.value(i, k));
            }
        }
        return text.toString();
    }

    static void assertSame(Dataset actual, Dataset expected) {
        assertThat(actual.features()).isEqualTo(expected.features());
        assertThat(actual.isDense()).isEqualTo(expected.isDense());
        assertThat(actual.labels()).isEqualTo(expected.labels());
        assertThat(Stored.columns(actual)).isEqualTo(Stored.columns(expected));
        assertThat(Stored.values(actual)).isEqualTo(Stored.values(expected));
        for (int i = 0; i < expected.rows(); i++) {
            assertThat(actual.end(i) - actual.start(i)).isEqualTo(expected.end(i) - expected.start(i));
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void readsANamedPipeLikeAFile(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process writer = new ProcessBuilder("sh", "-c", "printf '1 1:2\\n-1 2:3\\n' > \"$0\"", pipe.toString()).start();
        try {
            assertThat(describe(READER.read(pipe))).isEqualTo(describe(read("1 1:2\n-1 2:3\n")));
        } finally {
            writer.destroy();
        }
    }

    @Test
    void readsSparseLibsvmRows() {
        assertThat(describe(read("+1 3:0.5 7:1e-1\n-1 1:2\n"))).isEqualTo("d=7 sparse | 1.0 2=0.5 6=0.1 | -1.0 0=2.0");
    }

    @Test
    void storesRowsThatAreAtLeastHalfFullDensely() {
        assertThat(describe(read("1 1:1 2:2\n3.5 2:4\n"))).isEqualTo("d=2 dense | 1.0 0=1.0 1=2.0 | 3.5 0=0.0 1=4.0");
    }

    @Test
    void skipsCommentsAndBlankLinesAndTakesEveryLineEnd() {
        String text = "# made by hand\r\n\r\n1 1:1 9:2 # first\r\n   \n-1\t3:1\t\n2#none\n#\n1 4:1";
        assertThat(describe(read(text))).isEqualTo("d=9 sparse | 1.0 0=1.0 8=2.0 | -1.0 2=1.0 | 2.0 | 1.0 3=1.0");
    }

    @Test
    void dropsWrittenZerosButCountsTheirFeature() {
        assertThat(describe(read("1 1:0 2:1 9:-0.0\n1 5:1e-400\n"))).isEqualTo("d=9 sparse | 1.0 1=1.0 | 1.0");
        assertThat(describe(read("1 1:1e-60\n"))).isEqualTo("d=1 dense | 1.0 0=1.0E-60");
    }

    @Test
    void hasAtLeastTheRequestedFeatures() {
        assertThat(read(READER.features(40), "1 3:1\n").features()).isEqualTo(40);
        assertThat(read(READER.features(2), "1 3:1\n").features()).isEqualTo(3);
    }

    @Test
    void skipsAByteOrderMark() {
        assertThat(describe(read("\uFEFF1 3:1\n"))).isEqualTo("d=3 sparse | 1.0 2=1.0");
        assertThat(describe(read("\uFEFFy,a\n1,3\n"))).isEqualTo("d=1 dense | 1.0 0=3.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", " , "})
    void readsCsvWithEveryDelimiterToTheSameRowsAsLibsvm(String delimiter) {
        String text = "2,1,0,0,0\r\n\r\n-3.5,0,0,0.25,0\n".replace(",", delimiter);
        assertSame(read(text), read("2 1:1\n-3.5 3:0.25 4:0\n"));
    }

    @Test
    void findsTheUsualLabelColumnByName() {
        assertThat(describe(read("a,Target,b\n1,2,3\n"))).isEqualTo("d=2 dense | 2.0 0=1.0 1=3.0");
        assertThat(describe(read("y,label,b\n1,2,3\n"))).isEqualTo("d=2 dense | 2.0 0=1.0 1=3.0");
    }

    @Test
    void takesTheFirstColumnAsLabelWithoutNames() {
        assertThat(describe(read("1,2,3\n"))).isEqualTo("d=2 dense | 1.0 0=2.0 1=3.0");
    }

    @ParameterizedTest
    @CsvSource({"price,2.0", "1,1.0", "3,3.0", "last,3.0"})
    void takesTheRequestedLabelColumn(String column, double label) {
        assertThat(read(READER.labelColumn(column), "a,price,b\n1,2,3\n").label(0))
                .isEqualTo(label);
    }

    @Test
    void takesNumbersAsNamesBesideAWord() {
        assertThat(describe(read("label,1,2\n5,6,7\n"))).isEqualTo("d=2 dense | 5.0 0=6.0 1=7.0");
    }

    @Test
    void readsCellsInQuotes() {
        assertThat(describe(read("\"y\",\"a, b\"\n\"1\",\"2\"\n"))).isEqualTo("d=1 dense | 1.0 0=2.0");
    }

    @Test
    void readsTheRequestedFormat() {
        assertThat(describe(read(READER.format(Format.LIBSVM).features(1), "1\n2\n")))
                .isEqualTo("d=1 sparse | 1.0 | 2.0");
    }

    @Test
    void detectsTheFormatAfterRowsWithoutFeatures() {
        assertThat(describe(read("1\n2\n1 5:1\n"))).isEqualTo("d=5 sparse | 1.0 | 2.0 | 1.0 4=1.0");
    }

    @Test
    void readsALineLongerThanAnyBuffer() {
        StringBuilder text = new StringBuilder("1");
        for (int i = 1; i <= 20_000; i++) {
            text.append(' ').append(i).append(":1.25");
        }
        Dataset rows = read(READER.pieces(64, 2), text + "\n" + text + "\n");
        assertThat(rows.rows()).isEqualTo(2);
        assertThat(rows.features()).isEqualTo(20_000);
        assertThat(rows.nonZeros()).isEqualTo(40_000);
        StringBuilder header = new StringBuilder("y");
        StringBuilder cells = new StringBuilder("7");
        for (int i = 0; i < 30_000; i++) {
            header.append(",column").append(i);
            cells.append(",2");
        }
        assertThat(read(header + "\n" + cells).nonZeros()).isEqualTo(30_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16, 64, 1000, 1 << 20})
    void readsTheSameRowsWhereverTheTextIsCut(int chunk) throws IOException {
        Random random = new Random(chunk);
        for (int round = 0; round < 5; round++) {
            String text = randomLibsvm(random, 200, 30);
            Dataset expected = read(READER.pieces(1 << 20, 1), text);
            for (byte[] packed : List.of(plain(text), gzip(text), bzip2(text), gzipInMembers(text))) {
                DatasetReader reader = READER.pieces(chunk, 1 + random.nextInt(4));
                assertSame(reader.read(new Trickle(packed), "standard input"), expected);
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"0.1,0.1", "0.9,0.9", "0.4,1", "0.9,0.02", "0.3,0.02", "0.02,0.3"})
    void readsAFileToTheSameRowsAsAStream(double density, double laterDensity, @TempDir Path folder)
            throws IOException {
        String text = changing(density, laterDensity, 6 << 20);
        Dataset expected = read(READER.pieces(text.length() + 16, 1), text);
        for (byte[] packed : List.of(plain(text), gzip(text))) {
            Path file = Files.write(folder.resolve("rows"), packed);
            Dataset rows = READER.pieces(30_000, 3).read(file);
            assertThat(rows.isDense()).isEqualTo(expected.isDense());
            assertThat(Fingerprint.of(rows)).isEqualTo(Fingerprint.of(expected));
            Dataset unknown = READER.pieces(30_000, 3).read(stream(packed), "standard input");
            assertSame(unknown, expected);
        }
    }

    /** Rows of which this many values are there in the first half of the text, and this many in the rest. */
    private static String changing(double density, double laterDensity, int length) {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder("1 30:1\n");
        while (text.length() < length) {
            text.append(random.nextInt(3));
            for (int c = 1; c <= 30; c++) {
                if (random.nextDouble() < (text.length() < length / 2 ? density : laterDensity)) {
                    text.append(' ').append(c).append(':').append(random.nextFloat());
                }
            }
            text.append('\n');
        }
        return text.toString();
    }

    @Test
    void readsConcatenatedBzip2() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(bzip2("1 3:1\n-1 5"));
        both.write(bzip2(":2\n"));
        assertThat(describe(READER.read(new ByteArrayInputStream(both.toByteArray()), "x")))
                .isEqualTo("d=5 sparse | 1.0 2=1.0 | -1.0 4=2.0");
    }

    @Test
    void reportsItsProgress(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("rows");
        Files.writeString(file, "1 3:1\n".repeat(100_000));
        List<Long> seen = new ArrayList<>();
        Dataset rows = READER.pieces(10_000, 2)
                .progress((bytes, total) -> {
                    assertThat(total).isEqualTo(600_000);
                    seen.add(bytes);
                })
                .read(file);
        assertThat(rows.rows()).isEqualTo(100_000);
        assertThat(seen).isSorted().hasSizeGreaterThan(10).last().isEqualTo(600_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "census, 300, 123, false, 4200, 1, 72",
        "forest, 300, 54, true, 16144, 2, 150",
        "species, 300, 10, true, 3000, 1, 86"
    })
    void readsRowsWrittenByOtherPrograms(
            String name, int rowCount, int features, boolean dense, long nonZeros, double label, long count) {
        Dataset rows = READER.read(Fixtures.file(name));
        assertThat(rows.rows()).isEqualTo(rowCount);
        assertThat(rows.features()).isEqualTo(features);
        assertThat(rows.isDense()).isEqualTo(dense);
        assertThat(rows.nonZeros()).isEqualTo(nonZeros);
        assertThat(countOf(rows, label)).isEqualTo(count);
    }

    @Test
    void readsA9a() {
        Dataset rows = READER.read(SharedData.file("a9a.gz"));
        assertThat(rows.rows()).isEqualTo(32561);
        assertThat(rows.features()).isEqualTo(123);
        assertThat(rows.isDense()).isFalse();
        assertThat(countOf(rows, 1)).isEqualTo(7841);
        assertThat(countOf(rows, -1)).isEqualTo(24720);
    }

    @Tag("slow")
    @Test
    void readsCovtype() {
        Dataset rows = READER.read(SharedData.file("covtype.libsvm.binary.scale.gz"));
        assertThat(rows.rows()).isEqualTo(581012);
        assertThat(rows.features()).isEqualTo(54);
        assertThat(countOf(rows, 1)).isEqualTo(297711);
        assertThat(countOf(rows, 2)).isEqualTo(283301);
        assertThat(rows.nonZeros() / 581012.0).isBetween(11.94, 11.96);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "w8a,49749,300",
        "news20,15935,62061",
        "cadata,20640,8",
        "higgs_21k_natural,20973,28",
        "heart_scale,270,13",
        "rcv1_cocoa_small.train,2000,9947"
    })
    void readsOtherRealFiles(String name, int rowCount, int features) {
        Dataset rows = READER.read(SharedData.file(name + ".gz"));
        assertThat(rows.rows()).isEqualTo(rowCount);
        assertThat(rows.features()).isEqualTo(features);
    }

    private static long countOf(Dataset rows, double label) {
        long count = 0;
        for (double y : rows.labels()) {
            count += y == label ? 1 : 0;
        }
        return count;
    }

    private static String randomLibsvm(Random random, int rows, int features) {
        StringBuilder text = new StringBuilder("1 " + features + ":1\n");
        for (int i = 0; i < rows; i++) {
            text.append(random.nextInt(5) - 2);
            for (int c = 1; c <= features; c++) {
                if (random.nextInt(6) == 0) {
                    text.append(' ').append(c).append(':').append(random.nextGaussian());
                }
            }
            text.append(random.nextInt(10) == 0 ? " # aside\r\n\n" : "\n");
        }
        return text.toString();
    }

    static byte[] plain(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain(text));
        }
        return packed.toByteArray();
    }

    private static byte[] gzipInMembers(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int from = 0; from < text.length(); from += 777) {
            packed.write(gzip(text.substring(from, Math.min(text.length(), from + 777))));
        }
        return packed.toByteArray();
    }

    static byte[] bzip2(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new BZip2CompressorOutputStream(packed)) {
            out.write(plain(text));
        }
        return packed.toByteArray();
    }

    /** Gives a few bytes at a time and never says that more are available, as a pipe may. */
    private static final class Trickle extends FilterInputStream {
        private final Random random = new Random(1);

        Trickle(byte[] bytes) {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            return super.read(buffer, from, Math.min(length, 1 + random.nextInt(300)));
        }

        @Override
        public int available() {
            return 0;
        }
    }

    static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }
}
