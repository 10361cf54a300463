package dev.starling.peer.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.node.SumWords;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {

    private static double[] sent(double... entries) throws Exception {
        double[] received = new double[entries.length];
        int at = 0;
        List<Frame> parts = Wire.parts(Wire.vector(3, 1.5, entries, entries.length));
        for (Frame frame : parts) {
            Vector part = Frame.parseFrom(frame.toByteArray()).getVector();
            assertThat(Wire.isWhole(part)).isTrue();
            assertThat(Wire.bytes(part)).isLessThanOrEqualTo(Wire.PART_BYTES);
            assertThat(part.getSequence()).isEqualTo(3);
            assertThat(part.getClock()).isEqualTo(1.5);
            Wire.put(part, received, at);
            at += Wire.entries(part);
            assertThat(part.getFollowing()).isEqualTo(entries.length - at);
        }
        assertThat(at).isEqualTo(entries.length);
        return received;
    }

    /** What is nearly a whole number of 48 bits, in every place: equal to the last bit, the sign of zero included. */
    @Test
    void everyVectorArrivesUnchanged() throws Exception {
        double[] odd = {
            0, -0.0, 1, -1, 0.5, 0x1p48 - 1, 0x1p48, 0x1p48 - 0.5, 0x1p63, 0x1p300, Double.MIN_VALUE, Double.NaN
        };
        for (double last : odd) {
            for (double first : odd) {
                assertThat(sent(first, 7, last)).containsExactly(first, 7, last);
                assertThat(sent(last, first)).containsExactly(last, first);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {131_071, 131_072, 131_073, 174_762, 174_763, 300_000})
    void longVectorsArriveInParts(int length) throws Exception {
        Random random = new Random(length);
        for (int whole : new int[] {0, 1, length / 2, length - 1, length}) {
            double[] entries = new double[length];
            for (int k = 0; k < length; k++) {
                entries[k] = k < length - whole ? random.nextDouble() : random.nextLong() >>> 16;
            }
            assertThat(Arrays.equals(sent(entries), entries)).isTrue();
        }
    }

    @Test
    void aWordOfASumTakes24Bytes() {
        double[] words = new double[1 + 100 * SumWords.LIMBS];
        words[0] = 0.5;
        for (int k = 0; k < 100; k++) {
            SumWords.encode(k / 7.0 - 5, words, 1 + SumWords.LIMBS * k);
        }
        assertThat(Wire.bytes(Wire.vector(0, 0, words, words.length).getVector()))
                .isEqualTo(8 + 24 * 100);
    }
}
