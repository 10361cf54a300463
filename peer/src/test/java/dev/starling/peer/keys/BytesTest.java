package dev.starling.peer.keys;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** One description of fields writes and reads them, whatever the bytes are. */
class BytesTest {

    private record Pair(String name, byte[] content, double[] numbers) {
        static Pair state(State s, Pair pair) throws IOException {
            Bytes.title(s, "pair");
            return new Pair(s.text(pair.name), s.bytes(pair.content, 1 << 30), s.vector(pair.numbers, 1 << 27));
        }
    }

    private static final Pair BLANK = new Pair("", new byte[0], new double[0]);

    private static Pair read(byte[] bytes) {
        return Bytes.read(bytes, BLANK, Pair::state, "a pair");
    }

    @Test
    void readsWhatItWrote() {
        Pair pair = read(Bytes.of(new Pair("one", new byte[] {1, 2}, new double[] {-0.0, 1e300}), Pair::state));
        assertThat(pair.name()).isEqualTo("one");
        assertThat(pair.content()).containsExactly(1, 2);
        assertThat(pair.numbers()).containsExactly(-0.0, 1e300);
    }

    @Test
    void whatIsCutShortOrLongerOrSomethingElseIsRefused() {
        byte[] whole = Bytes.of(new Pair("one", new byte[] {1, 2}, new double[] {3}), Pair::state);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith("a pair is cut short, or is something else");
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length + 1)))
                .hasMessageContaining("bytes after its end");
        whole[2] = 'q';
        assertThatThrownBy(() -> read(whole)).hasMessageContaining("does not begin with 'pair'");
    }

    /** A few bytes that claim to be a gigabyte must not take one. */
    @Test
    void takesNoMoreMemoryThanThereIs() {
        byte[] bytes = Bytes.of(BLANK, Pair::state);
        byte[] claim = bytes.clone();
        claim[bytes.length - 8] = 0x3F;
        long before = allocated();
        assertThatRefused(() -> read(claim));
        byte[] vector = bytes.clone();
        vector[bytes.length - 4] = 0x07;
        assertThatRefused(() -> read(vector));
        assertThat(allocated() - before).isLessThan(10_000_000);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
