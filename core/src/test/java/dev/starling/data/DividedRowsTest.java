package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.support.Stored;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows in several arrays: what is made from them, and how they are read. */
class DividedRowsTest {

    private static final Dataset SPARSE =
            Generator.classification(1_000, 30).density(0.2).seed(1).generate();
    private static final Dataset DENSE =
            Generator.classification(1_000, 7).density(0.8).seed(2).generate().laidOut(true);
    private static final Dataset DOUBLES = DENSE.changed((column, value) -> value / 3);

    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.of("sparse", SPARSE), Arguments.of("dense", DENSE), Arguments.of("doubles", DOUBLES));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void whatIsMadeFromThemIsTheSame(String name, Dataset rows) {
        int[] some = {999, 0, 63, 64, 65, 500, 64};
        List<UnaryOperator<Dataset>> made = List.of(
                data -> data,
                data -> data.laidOut(true),
                data -> data.laidOut(false),
                data -> data.withBias(0.5f),
                data -> data.withFeatures(40),
                data -> data.narrowed(3),
                data -> data.picked(some),
                data -> data.dealt(1, 3),
                data -> data.changed((column, value) -> value * (column + 1)),
                Dataset::inFloats,
                Dataset::wellLaidOut,
                data -> Standardizer.centred(Moments.of(data)).withTarget().apply(data),
                data -> Standardizer.scaled(Moments.of(data)).apply(data),
                data -> Standardizer.identity(data.features())
                        .withFarFeaturesMoved(Moments.of(data.changed((column, value) -> value + 1e6)), false)
                        .apply(data));
        Dataset divided = InParts.of(rows, 64);
        for (UnaryOperator<Dataset> step : made) {
            Dataset expected = step.apply(rows);
            Dataset found = step.apply(divided);
            assertThat(Stored.values(found)).isEqualTo(Stored.values(expected));
            assertThat(Stored.columns(found)).isEqualTo(Stored.columns(expected));
            assertThat(found.labels()).isEqualTo(expected.labels());
            assertThat(Fingerprint.of(found)).isEqualTo(Fingerprint.of(expected));
            assertThat(RowKeys.sum(found)).isEqualTo(RowKeys.sum(expected));
            assertThat(found.storedValues()).isEqualTo(expected.storedValues());
            assertThat(found.nonZeros()).isEqualTo(expected.nonZeros());
            assertThat(found.largest()).isEqualTo(expected.largest());
            assertThat(found).hasToString(expected.toString());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void areAddedToABuffer(String name, Dataset rows) {
        RowBuffer buffer = new RowBuffer(0, 0);
        buffer.addAll(InParts.of(rows, 128));
        assertThat(Fingerprint.of(buffer.toDataset(rows.features()))).isEqualTo(Fingerprint.of(rows));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 500, 3_000, 100_000})
    void areReadPartByPart(int most) {
        for (Dataset rows : List.of(SPARSE, DENSE, DOUBLES)) {
            for (long size : new long[] {-1, 40L << 20}) {
                RowAssembler assembler = new RowAssembler("rows", size, 0, false, false, most);
                int piece = 0;
                for (int from = 0; from < rows.rows(); from += 90) {
                    RowBuffer next = ParsedRows.ofText(0, false);
                    for (int row = from; row < Math.min(rows.rows(), from + 90); row++) {
                        next.add(rows, row);
                    }
                    next.largestColumn = rows.features() - 1;
                    assembler.add(next, (long) ++piece << 20);
                }
                Dataset read = assembler.finish();
                assertThat(read.isDense()).isEqualTo(rows.wellLaidOut().isDense());
                assertThat(Fingerprint.of(read)).isEqualTo(Fingerprint.of(rows));
                assertThat(read.values(0) == read.values(999)).isEqualTo(most == 100_000);
            }
        }
    }

    @Test
    void aPieceThatIsCopiedCanBeUsedAgain() {
        RowAssembler assembler = new RowAssembler("rows", 100L << 20, 3, false, false, 100);
        List<Boolean> copied = new ArrayList<>();
        ParsedRows piece = ParsedRows.ofText(0, false);
        for (int k = 1; k <= 40; k++) {
            byte[] text = ("1 1:" + k + " 2:0.5 3:1\n").repeat(50).getBytes(StandardCharsets.UTF_8);
            new LibsvmParser().parse(text, text.length, piece);
            boolean reusable = assembler.add(piece, (long) k << 21);
            copied.add(reusable);
            if (reusable) {
                piece.clear();
            } else {
                piece = ParsedRows.ofText(0, false);
            }
        }
        Dataset rows = assembler.finish();
        assertThat(copied).contains(true);
        assertThat(rows.rows()).isEqualTo(2_000);
        for (int row = 0; row < 2_000; row++) {
            assertThat(Stored.values(rows, row)).containsExactly(1 + row / 50, 0.5, 1);
        }
    }
}
