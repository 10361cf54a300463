package dev.starling.data;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.support.Stored;
import org.junit.jupiter.api.Test;

class RowBufferTest {

    /** Room is made for as many values as rows have on average so far, which says nothing about those to come. */
    @Test
    void rowsMayBecomeHeavierOrLighter() {
        RowBuffer buffer = new RowBuffer(3000, 0);
        for (int row = 0; row < 6000; row++) {
            int values = row < 2000 ? 0 : row < 2100 ? 500 : 1;
            for (int column = 0; column < values; column++) {
                buffer.add(column, row + column);
            }
            buffer.endRow(row);
        }

        Dataset rows = buffer.toDataset(500);

        assertThat(rows.nonZeros()).isEqualTo(100 * 500 + 3900);
        assertThat(Stored.value(rows, 2050, 499)).isEqualTo(2549);
        assertThat(rows.value(5999, rows.start(5999))).isEqualTo(5999);
    }

    @Test
    void addsDatasetsOfEitherLayout() {
        Dataset dense = Dataset.dense(3, new float[] {1, 0, 2, 3, 4, 0}, new double[] {1, -1});
        Dataset sparse =
                Dataset.sparse(3, new int[] {0, 2, 2}, new int[] {0, 2}, new float[] {5, 6}, new double[] {1, 1});
        RowBuffer buffer = RowBuffer.ofSize(4, 6);
        buffer.addAll(dense);
        buffer.addAll(sparse.withWeights(new double[] {2, 0.5}));

        Dataset all = buffer.toDataset(3);

        assertThat(all.isDense()).isFalse();
        assertThat(all.storedValues()).isEqualTo(6);
        assertThat(all.labels()).containsExactly(1, -1, 1, 1);
        double[][] unit = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        double[][] expected = {{1, 0, 2}, {3, 4, 0}, {5, 0, 6}, {0, 0, 0}};
        double[] weights = {1, 1, 2, 0.5};
        for (int row = 0; row < 4; row++) {
            assertThat(all.weight(row)).isEqualTo(weights[row]);
            for (int c = 0; c < 3; c++) {
                assertThat(all.dot(row, unit[c])).isEqualTo(expected[row][c]);
            }
        }
    }

    @Test
    void rowsKeepTheirKeysAmongRowsWithoutKeys() {
        Dataset bare = Dataset.dense(2, new float[] {1, 2, 3, 4}, new double[] {1, -1});
        RowBuffer buffer = new RowBuffer(0, 0);
        buffer.addAll(bare);
        buffer.addAll(bare.withKeys(new long[] {7, 8}));
        buffer.addAll(bare);

        Dataset all = buffer.toDataset(2);

        assertThat(all.isKeyed()).isTrue();
        long[] said = {RowKeys.ofContent(bare, 0), RowKeys.ofContent(bare, 1)};
        long[] expected = {said[0], said[1], 7, 8, said[0], said[1]};
        for (int row = 0; row < expected.length; row++) {
            assertThat(RowKeys.ofContent(all, row)).isEqualTo(expected[row]);
        }
        buffer.clear();
        buffer.addAll(bare);
        assertThat(buffer.toDataset(2).isKeyed()).isFalse();
    }

    @Test
    void rowsKeepTheirOffsetsAmongRowsWithoutOffsets() {
        Dataset bare = Dataset.dense(1, new float[] {1, 2}, new double[] {1, -1});
        RowBuffer buffer = new RowBuffer(0, 0);
        buffer.addAll(bare);
        buffer.addAll(bare.withOffsets(new double[] {0.5, -3}));
        buffer.addAll(bare);

        Dataset all = buffer.toDataset(1);

        double[] expected = {0, 0, 0.5, -3, 0, 0};
        for (int row = 0; row < expected.length; row++) {
            assertThat(all.offset(row)).isEqualTo(expected[row]);
        }
        buffer.clear();
        buffer.addAll(bare);
        assertThat(buffer.toDataset(1).hasOffsets()).isFalse();
    }

    @Test
    void sparseRowsThatAreCopiedAtOnceEqualThoseAddedOneByOne() {
        Dataset floats = Dataset.sparse(
                4, new int[] {0, 1, 1, 3}, new int[] {2, 0, 3}, new float[] {5, 6, 7}, new double[] {1, 2, 3});
        Dataset doubles = floats.changed((column, value) -> column == 2 ? 0.1 : column == 0 ? 1e300 : -3)
                .withWeights(new double[] {2, 3, 4});
        Dataset withZeros = floats.changed((column, value) -> column == 0 ? 0.2 : 0);
        for (int room : new int[] {0, 4, 100}) {
            RowBuffer atOnce = new RowBuffer(room, room);
            RowBuffer oneByOne = new RowBuffer(0, 0);
            for (Dataset part : new Dataset[] {floats, doubles, withZeros, floats}) {
                // What a row that was refused has left behind.
                atOnce.add(1, 77);
                atOnce.dropUnended();
                atOnce.addAll(part);
                for (int row = 0; row < part.rows(); row++) {
                    oneByOne.add(part, row);
                }
            }
            Dataset expected = oneByOne.toDataset(4);
            Dataset all = atOnce.toDataset(4);

            assertThat(all.storedValues()).isEqualTo(expected.storedValues()).isEqualTo(10);
            assertThat(Fingerprint.of(all)).isEqualTo(Fingerprint.of(expected));
        }
    }

    @Test
    void growsBeyondTheRoomItWasGiven() {
        RowBuffer buffer = new RowBuffer(0, 0);
        for (int row = 0; row < 100; row++) {
            buffer.add(row % 7, row + 1);
            buffer.endRow(row);
        }
        buffer.add(6, 1);

        assertThat(buffer.stored()).isEqualTo(101);
        Dataset rows = buffer.toDataset(7);

        assertThat(rows.rows()).isEqualTo(100);
        assertThat(rows.storedValues()).isEqualTo(100);
        assertThat(rows.isWeighted()).isFalse();
        assertThat(rows.column(99, rows.start(99))).isEqualTo(99 % 7);
        assertThat(rows.value(99, rows.start(99))).isEqualTo(100);
    }

    @Test
    void refusesMoreRowsThanAnArrayHolds() {
        assertThatRefused(() -> RowBuffer.ofSize(1L << 40, 1))
                .hasMessage("more than 2147483638 values or rows; one place cannot hold them, so use several");
    }
}
