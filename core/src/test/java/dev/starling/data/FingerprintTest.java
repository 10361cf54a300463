package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final Dataset ROWS = Dataset.dense(2, new float[] {1, 0, 0, 2}, new double[] {1, -1});

    @Test
    void isTheSameInEitherLayout() {
        Dataset rows = Generator.classification(3000, 20).density(0.4).generate();
        assertThat(Fingerprint.of(rows.laidOut(true))).isEqualTo(Fingerprint.of(rows.laidOut(false)));
    }

    @Test
    void differsWithEveryThingThatCounts() {
        List<String> all = new ArrayList<>();
        all.add(Fingerprint.of(ROWS));
        all.add(Fingerprint.of(ROWS.withFeatures(3)));
        all.add(Fingerprint.of(ROWS.withLabels(new double[] {1, 1})));
        all.add(Fingerprint.of(ROWS.withWeights(new double[] {1, 1})));
        all.add(Fingerprint.of(ROWS.withWeights(new double[] {1, 2})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 0, 2, 0}, new double[] {1, -1})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 2, 0, 0}, new double[] {1, -1})));
        all.add(Fingerprint.of(Dataset.dense(2, new float[] {1, 0, 0, 3}, new double[] {1, -1})));
        assertThat(all).doesNotHaveDuplicates().allMatch(hex -> hex.matches("[0-9a-f]{64}"));
    }

    @Test
    void staysTheSameFromReleaseToRelease() throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(52).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(2).putInt(2).putInt(0);
        bytes.putDouble(1).putInt(0).putFloat(1).putInt(-1);
        bytes.putDouble(-1).putInt(1).putFloat(2).putInt(-1);
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes.array());
        assertThat(Fingerprint.of(ROWS)).isEqualTo(HexFormat.of().formatHex(hash));
    }
}
