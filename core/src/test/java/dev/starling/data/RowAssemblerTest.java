package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RowAssemblerTest {

    private static final int PIECES = 64;
    private static final long PIECE_BYTES = 1 << 18;
    private static final long SIZE = PIECES * PIECE_BYTES;

    /** What the rows of a file are like, and what changes after a tenth of them. */
    enum Shape {
        SPARSE(40, 0.1, 40, 0.1),
        DENSE(40, 0.8, 40, 0.8),
        SPARSE_THEN_DENSE(40, 0.3, 40, 0.9),
        DENSE_THEN_SPARSE(40, 0.9, 40, 0.2),
        DENSE_THEN_WIDER_AND_DENSE(40, 0.9, 41, 0.9),
        DENSE_THEN_WIDER_AND_SPARSE(10, 0.9, 100, 0.1),
        SPARSE_THEN_SPARSER(40, 0.4, 40, 0.02),
        LABELS_ONLY_THEN_SPARSE(40, 0, 40, 0.1),
        LABELS_ONLY_THEN_DENSE(40, 0, 40, 0.9);

        private final int firstColumns;
        private final double firstDensity;
        private final int laterColumns;
        private final double laterDensity;

        Shape(int firstColumns, double firstDensity, int laterColumns, double laterDensity) {
            this.firstColumns = firstColumns;
            this.firstDensity = firstDensity;
            this.laterColumns = laterColumns;
            this.laterDensity = laterDensity;
        }

        /** Rows as lists of all their values, in pieces of several lengths, of none too. */
        List<List<float[]>> pieces() {
            Random random = new Random(5);
            List<List<float[]>> pieces = new ArrayList<>();
            for (int p = 0; p < PIECES; p++) {
                boolean first = p < PIECES / 10;
                List<float[]> piece = new ArrayList<>();
                for (int i = p % 9 == 8 ? 0 : 4 + random.nextInt(5); i > 0; i--) {
                    piece.add(row(random, first ? firstColumns : laterColumns, first ? firstDensity : laterDensity));
                }
                pieces.add(piece);
            }
            return pieces;
        }

        private static float[] row(Random random, int columns, double density) {
            float[] row = new float[columns];
            for (int c = 0; c < columns; c++) {
                row[c] = random.nextDouble() < density ? 1 + random.nextInt(1000) : 0;
            }
            return row;
        }
    }

    static Stream<Arguments> shapesAndSizes() {
        // A size that is too small lets the estimate fall short; one too large makes it too long.
        return Stream.of(Shape.values())
                .flatMap(shape -> Stream.of(
                                -1L, SIZE, SIZE * 2 / 3, SIZE / 3, SIZE * 21 / 20, SIZE * 3, SIZE * 1_000_000)
                        .map(size -> Arguments.of(shape, size)));
    }

    @ParameterizedTest
    @MethodSource("shapesAndSizes")
    void putsEveryRowInPlaceHoweverWrongTheEstimate(Shape shape, long size) {
        List<List<float[]>> pieces = shape.pieces();
        RowAssembler assembler = new RowAssembler("rows", size, 0, false, false);
        addAll(pieces, assembler);
        assertThat(DatasetReaderTest.describe(assembler.finish())).isEqualTo(expected(pieces));
    }

    @ParameterizedTest
    @MethodSource("shapesAndSizes")
    void keepsNoArrayThatIsMuchTooLong(Shape shape, long size) {
        RowAssembler assembler = new RowAssembler("rows", size, 0, false, false);
        addAll(shape.pieces(), assembler);
        Dataset rows = assembler.finish();
        assertThat(rows.values(0).length()).isBetween((int) rows.storedValues(), (int) (rows.storedValues() * 17 / 16));
        assertThat(rows.columns(0)).hasSize(rows.isDense() ? 0 : rows.values(0).length());
    }

    /** Adds pieces and, as a parser would, writes other things into those that were copied. */
    private static List<Boolean> addAll(List<List<float[]>> pieces, RowAssembler assembler) {
        List<Boolean> copied = new ArrayList<>();
        int label = 0;
        for (int p = 0; p < pieces.size(); p++) {
            RowBuffer piece = new RowBuffer(1, 1);
            for (float[] row : pieces.get(p)) {
                for (int c = 0; c < row.length; c++) {
                    if (row[c] != 0f) {
                        piece.add(c, row[c]);
                        piece.largestColumn = Math.max(piece.largestColumn, c);
                    }
                }
                piece.endRow(label++);
            }
            copied.add(assembler.add(piece, (p + 1) * PIECE_BYTES));
            if (copied.get(p)) {
                Arrays.fill(piece.labels, -1);
                Arrays.fill(piece.rowStarts, -1);
                Arrays.fill(piece.columns, -1);
                piece.values.fill(0, piece.values.length(), -1);
            }
        }
        return copied;
    }

    private static String expected(List<List<float[]>> pieces) {
        List<float[]> rows = pieces.stream().flatMap(List::stream).toList();
        int features = 0;
        long nonZeros = 0;
        for (float[] row : rows) {
            for (int c = 0; c < row.length; c++) {
                if (row[c] != 0f) {
                    features = Math.max(features, c + 1);
                    nonZeros++;
                }
            }
        }
        boolean dense = 2 * nonZeros >= (long) rows.size() * features;
        StringBuilder text = new StringBuilder("d=" + features + (dense ? " dense" : " sparse"));
        for (int i = 0; i < rows.size(); i++) {
            text.append(" | ").append((double) i);
            float[] row = Arrays.copyOf(rows.get(i), features);
            for (int c = 0; c < features; c++) {
                if (dense || row[c] != 0f) {
                    text.append(' ').append(c).append('=').append(row[c]);
                }
            }
        }
        return text.toString();
    }
}
