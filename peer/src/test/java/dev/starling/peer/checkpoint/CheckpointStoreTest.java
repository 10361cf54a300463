package dev.starling.peer.checkpoint;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointStoreTest {

    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private CheckpointStore open() {
        return CheckpointStore.open(directory, 2, warnings::add);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Path file(int number) {
        return directory.resolve(String.format("checkpoint-%09d.bin", number));
    }

    private void write(String... contents) throws IOException {
        try (CheckpointStore store = open()) {
            for (String content : contents) {
                store.write(bytes(content));
            }
        }
    }

    @Test
    void returnsTheNewestAndKeepsAsManyAsAsked() throws IOException {
        write("one", "two", "three");
        try (CheckpointStore store = open();
                Stream<Path> files = Files.list(directory)) {
            assertThat(store.newest()).contains(bytes("three"));
            assertThat(files.filter(path -> path.toString().endsWith(".bin")))
                    .containsExactlyInAnyOrder(file(1), file(2));
        }
    }

    @Test
    void isEmptyWhenItIsNew() throws IOException {
        try (CheckpointStore store = open()) {
            assertThat(store.newest()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 15, 20, 30, 50})
    void usesTheOneBeforeATornOne(int length) throws IOException {
        write("one", "two");
        Files.write(file(1), Arrays.copyOf(Files.readAllBytes(file(1)), length));
        try (CheckpointStore store = open()) {
            assertThat(store.newest()).contains(bytes("one"));
            assertThat(warnings).singleElement().asString().contains("checkpoint-000000001.bin is damaged");
        }
    }

    @Test
    void usesTheOneBeforeIfAnyBitOfTheNewestIsWrong() throws IOException {
        write("one", "two");
        byte[] whole = Files.readAllBytes(file(1));
        for (int k = 0; k < whole.length; k++) {
            byte[] damaged = whole.clone();
            damaged[k] ^= 4;
            Files.write(file(1), damaged);
            try (CheckpointStore store = open()) {
                assertThat(store.newest()).as("byte %d", k).contains(bytes("one"));
            }
        }
    }

    @Test
    void ignoresAnUnfinishedFile() throws IOException {
        write("one");
        Files.write(directory.resolve("checkpoint-000000001.bin.new"), bytes("half of"));
        try (CheckpointStore store = open()) {
            assertThat(store.newest()).contains(bytes("one"));
            assertThat(warnings).isEmpty();
        }
    }

    @Test
    void refusesADirectoryThatAnotherProcessHolds() {
        try (CheckpointStore first = open()) {
            assertThat(first.directory()).isEqualTo(directory);
            assertThatRefused(this::open).hasMessageContaining("in use by another process");
        }
    }
}
