package dev.starling.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {

    private static final double[] NUMBERS =
            new Random(1).doubles(100_000, -1, 1).toArray();

    /**
     * A sum whose last digits depend on the order of additions, and the blocks in the order in which they were added.
     */
    private static final class Sum implements Blocks.Part<Sum> {
        private double value;
        private List<Integer> firsts = new ArrayList<>();

        @Override
        public void clear() {
            value = 0;
            firsts = new ArrayList<>();
        }

        @Override
        public void sum(int from, int to) {
            firsts.add(from);
            for (int k = from; k < to; k++) {
                value += NUMBERS[k];
            }
        }

        @Override
        public void add(Sum next) {
            value += next.value;
            firsts.addAll(next.firsts);
        }
    }

    private static Sum sum(int rows, int perBlock, int length, AtomicInteger made) {
        Sum total = new Sum();
        Blocks.sum(rows, perBlock, length, total, () -> {
            made.getAndIncrement();
            return new Sum();
        });
        return total;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 16})
    void blocksAreAddedInTheirOrder(int threads) {
        AtomicInteger made = new AtomicInteger();
        for (int perBlock : new int[] {64, 1000, 99_999}) {
            Sum total = new Cores(threads).call(() -> sum(NUMBERS.length, perBlock, 1, made));
            double expected = 0;
            List<Integer> firsts = new ArrayList<>();
            for (int from = 0; from < NUMBERS.length; from += perBlock) {
                double block = 0;
                for (int k = from; k < Math.min(NUMBERS.length, from + perBlock); k++) {
                    block += NUMBERS[k];
                }
                expected += block;
                firsts.add(from);
            }
            assertThat(total.firsts).isEqualTo(firsts);
            assertThat(total.value).isEqualTo(expected);
        }
    }

    @Test
    void oneBlockIsSummedUpAsIfThereWereNone() {
        AtomicInteger made = new AtomicInteger();
        double expected = 0;
        for (double number : NUMBERS) {
            expected += number;
        }
        assertThat(sum(NUMBERS.length, NUMBERS.length, 1, made).value).isEqualTo(expected);
        assertThat(made.get()).isZero();
    }

    @Test
    void memoryIsBounded() {
        AtomicInteger few = new AtomicInteger();
        new Cores(8).call(() -> sum(NUMBERS.length, 10, 16 << 20, few));
        assertThat(few.get()).isLessThanOrEqualTo(2);
        AtomicInteger one = new AtomicInteger();
        sum(NUMBERS.length, 10, 1, one);
        assertThat(one.get()).isEqualTo(1);
    }

    @Test
    void aBlockThatFailsEndsTheSum() {
        Sum total = new Sum();
        assertThatThrownBy(() -> new Cores(4).call(() -> {
                    Blocks.sum(NUMBERS.length, 10, 16 << 20, total, () -> {
                        throw new IllegalStateException("no room");
                    });
                    return null;
                }))
                .hasMessageContaining("no room");
    }

    /** Sums of long vectors need large blocks; a few rows are one block. */
    @Test
    void theSizeOfBlocksFollowsFromWhatIsSummedUp() {
        assertThat(Blocks.rows(50, 200, 57)).isEqualTo(4096);
        assertThat(Blocks.rows(50, 1450, 1332)).isEqualTo(4096);
        assertThat(Blocks.rows(16, 192, 2_001_000)).isGreaterThan(300_000);
        assertThat(Blocks.rows(2000, 2_008_000, 2_001_000)).isEqualTo(1024);
    }
}
