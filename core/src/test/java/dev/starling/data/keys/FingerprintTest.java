package dev.starling.data.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final Dataset ROWS = Dataset.dense(2, new float[] {1, 0, 0, 2}, new double[] {1, -1});

    private static final BigInteger GOLDEN = new BigInteger("9e3779b97f4a7c15", 16);
    private static final BigInteger MURMUR = new BigInteger("ff51afd7ed558ccd", 16);
    private static final BigInteger LAST = new BigInteger("c4ceb9fe1a85ec53", 16);

    @Test
    void isTheSameInEitherLayout() {
        Dataset rows = Generator.classification(3000, 20).density(0.4).generate();
        assertThat(Fingerprint.of(rows.laidOut(true))).isEqualTo(Fingerprint.of(rows.laidOut(false)));
    }

    @Test
    void differsWithEverythingThatMatters() {
        List<String> all = new ArrayList<>();
        all.add(Fingerprint.of(ROWS));
        all.add(Fingerprint.of(ROWS.withFeatures(3)));
        all.add(Fingerprint.of(ROWS.withLabels(new double[] {1, 1})));
        all.add(Fingerprint.of(ROWS.withWeights(new double[] {1, 1})));
        all.add(Fingerprint.of(ROWS.withWeights(new double[] {1, 2})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 0, 2, 0}, new double[] {1, -1})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 2, 0, 0}, new double[] {1, -1})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 0, 0, 3}, new double[] {1, -1})));
        assertThat(all).doesNotHaveDuplicates().allMatch(hex -> hex.matches("[0-9a-f]{32}"));
    }

    /** Hashes of rows as coefficients of two polynomials, in arithmetic without overflow. */
    @Test
    void staysTheSameFromReleaseToRelease() {
        long[] first = {Double.doubleToLongBits(1), Float.floatToIntBits(1)};
        long[] second = {Double.doubleToLongBits(-1), 1L << 32 | Float.floatToIntBits(2)};
        List<BigInteger> one = mixed(first);
        List<BigInteger> other = mixed(second);
        BigInteger a = low(one.get(0).multiply(GOLDEN).add(other.get(0)));
        BigInteger b = low(one.get(1).multiply(MURMUR).add(other.get(1)));
        List<BigInteger> whole = mixed(2L << 32, 2, a.longValue(), b.longValue());
        assertThat(Fingerprint.of(ROWS)).isEqualTo(String.format("%016x%016x", whole.get(0), whole.get(1)));
    }

    private static List<BigInteger> mixed(long... words) {
        BigInteger a = GOLDEN;
        BigInteger b = MURMUR;
        for (long signed : words) {
            BigInteger word = new BigInteger(Long.toUnsignedString(signed));
            a = low(a.xor(word).multiply(GOLDEN));
            a = a.xor(a.shiftRight(32));
            b = low(low(b.shiftLeft(27)).or(b.shiftRight(37)).add(word).multiply(MURMUR));
            b = b.xor(b.shiftRight(29));
        }
        return List.of(spread(a, MURMUR, LAST), spread(low(b.add(a.multiply(LAST))), MURMUR, LAST));
    }

    @Test
    void followsFromTheFingerprintsOfPartsInTheirOrder() {
        Dataset rows = Generator.classification(1000, 5).generate();
        Fingerprint.Part first = Fingerprint.Part.of(rows, 0, 137);
        Fingerprint.Part second = Fingerprint.Part.of(rows, 137, 138);
        Fingerprint.Part third = Fingerprint.Part.of(rows, 138, 1000);
        assertThat(first.then(second).then(third).digits())
                .isEqualTo(Fingerprint.Part.NONE
                        .then(first)
                        .then(second.then(third))
                        .digits())
                .isEqualTo(Fingerprint.of(rows));
        assertThat(second.then(first).then(third).digits()).isNotEqualTo(Fingerprint.of(rows));
    }

    @Test
    void noticesAnyTwoRowsThatChangePlaces() {
        Dataset rows = Generator.classification(64, 3).generate();
        Set<String> all = new HashSet<>(Set.of(Fingerprint.of(rows)));
        for (int one = 0; one < 64; one++) {
            for (int other = 0; other < one; other++) {
                int[] order = IntStream.range(0, 64).toArray();
                order[one] = other;
                order[other] = one;
                all.add(Fingerprint.of(rows.picked(order)));
            }
        }
        assertThat(all).hasSize(1 + 64 * 63 / 2);
    }

    private static BigInteger spread(BigInteger bits, BigInteger first, BigInteger second) {
        BigInteger once = low(bits.xor(bits.shiftRight(33)).multiply(first));
        BigInteger twice = low(once.xor(once.shiftRight(33)).multiply(second));
        return twice.xor(twice.shiftRight(33));
    }

    private static BigInteger low(BigInteger number) {
        return number.mod(BigInteger.ONE.shiftLeft(64));
    }

    /** One value changed in its last bit changes half of the bits, in both halves, wherever it stands. */
    @Test
    void theSmallestChangeGivesAnUnrelatedFingerprint() {
        Dataset rows = Generator.classification(200, 7).generate();
        String before = Fingerprint.of(rows);
        for (int row = 0; row < rows.rows(); row++) {
            double[] labels = rows.labels().clone();
            labels[row] = Math.nextUp(labels[row]);
            String after = Fingerprint.of(rows.withLabels(labels));
            for (int half = 0; half < 2; half++) {
                long changed = part(before, half) ^ part(after, half);
                assertThat(Long.bitCount(changed))
                        .as("row %d, half %d", row, half)
                        .isBetween(12, 52);
            }
        }
    }

    private static long part(String digits, int half) {
        return Long.parseUnsignedLong(digits.substring(16 * half, 16 * half + 16), 16);
    }

    /** Tables of few small numbers are many and much alike; either half alone tells them all apart. */
    @Test
    void distinguishesSmallTables() {
        Set<Long> first = new HashSet<>();
        Set<Long> second = new HashSet<>();
        int tables = 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3;
        for (int table = 0; table < tables; table++) {
            float[] values = new float[8];
            int rest = table;
            for (int k = 0; k < values.length; k++) {
                values[k] = rest % 3;
                rest /= 3;
            }
            String digits = Fingerprint.of(Dataset.dense(2, values, new double[] {1, 1, -1, -1}));
            first.add(part(digits, 0));
            second.add(part(digits, 1));
        }
        assertThat(first).hasSize(tables);
        assertThat(second).hasSize(tables);
    }

    @Test
    void isTheDigestOfTheContentOfRows() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(2).putInt(2).putLong(0);
        bytes.putDouble(1).putFloat(1).putInt(0).putLong(-1);
        bytes.putDouble(-1).putFloat(2).putInt(1).putLong(-1);
        assertThat(Fingerprint.binding(ROWS))
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    }

    @Test
    void isTheSameForManyBlocksInEitherLayout() {
        Dataset rows = Generator.classification(3000, 20).density(0.4).generate();
        assertThat(Fingerprint.binding(rows.laidOut(true))).isEqualTo(Fingerprint.binding(rows.laidOut(false)));
        double[] labels = rows.labels().clone();
        labels[2999] = 0.5;
        assertThat(Fingerprint.binding(rows.withLabels(labels))).isNotEqualTo(Fingerprint.binding(rows));
    }
}
