package dev.starling.peer.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.support.SavedStates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job is told the same again, whichever checkpoint it falls back on. */
class AnswerLogTest {

    @TempDir
    private Path folder;

    @Test
    void answersAreTheSameAfterAnyCheckpointIsLost() throws Exception {
        Path file = folder.resolve("answers");
        byte[] early;
        try (AnswerLog log = AnswerLog.open(file)) {
            early = SavedStates.of(log);
            assertThat(log.next(() -> new double[] {36000, 2.5})).containsExactly(36000, 2.5);
            assertThat(log.next(() -> new double[] {0})).containsExactly(0);
        }
        try (AnswerLog log = AnswerLog.open(file)) {
            SavedStates.restore(log, early);
            // The machine is faster now.
            assertThat(log.next(() -> new double[] {780, 1})).containsExactly(36000, 2.5);
            assertThat(log.next(() -> new double[] {1})).containsExactly(0);
            assertThat(log.next(() -> new double[] {1})).containsExactly(1);
        }
    }

    @Test
    void anAnswerWhoseLengthAloneReachedTheDiskIsNotOne() throws Exception {
        Path file = folder.resolve("answers");
        try (AnswerLog log = AnswerLog.open(file)) {
            log.next(() -> new double[] {1, 2});
        }
        long one = Files.size(file);
        for (int real = 0; real < one; real++) {
            byte[] whole = Files.readAllBytes(file);
            byte[] doubled = Arrays.copyOf(whole, 2 * whole.length);
            System.arraycopy(whole, 0, doubled, whole.length, real);
            Path copy = folder.resolve("answers-" + real);
            Files.write(copy, doubled);
            try (AnswerLog log = AnswerLog.open(copy)) {
                assertThat(log.next(() -> new double[] {9})).containsExactly(1, 2);
                assertThat(log.next(() -> new double[] {9})).as("after " + real).containsExactly(9);
            }
        }
    }

    @Test
    void anIncompleteAnswerWasToldToNobody() throws Exception {
        Path file = folder.resolve("answers");
        try (AnswerLog log = AnswerLog.open(file)) {
            log.next(() -> new double[] {1, 2});
        }
        Files.write(file, new byte[] {0, 0, 0, 2, 64, 0}, StandardOpenOption.APPEND);
        try (AnswerLog log = AnswerLog.open(file)) {
            assertThat(log.next(() -> new double[] {9})).containsExactly(1, 2);
            assertThat(log.next(() -> new double[] {9})).containsExactly(9);
        }
        try (AnswerLog log = AnswerLog.open(file)) {
            log.next(() -> new double[] {7});
            assertThat(log.next(() -> new double[] {7})).containsExactly(9);
        }
    }
}
