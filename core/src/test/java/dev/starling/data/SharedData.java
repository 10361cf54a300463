package dev.starling.data;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Real datasets that are not part of the repository; a test that needs one is skipped where it is absent. */
final class SharedData {

    private SharedData() {}

    static Path data(String name) {
        return existing("data", name);
    }

    static Path golden(String name) {
        return existing("golden", name);
    }

    private static Path existing(String folder, String name) {
        Path file = Path.of(System.getProperty("starling.shared", "../../shared"), folder, name);
        assumeTrue(Files.exists(file), () -> file + " is absent");
        return file;
    }
}
