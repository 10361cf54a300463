package dev.starling.cli;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What signals this process, and so every process it starts, was told to ignore. */
public final class Signals {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long INTERRUPT = 1L << 1;

    private Signals() {}

    /** Skips the test where SIGINT is ignored from the start, as in a background job of a shell: Java heeds that. */
    public static void assumeInterruptsArrive() throws IOException {
        if (!Files.exists(STATUS)) {
            return;
        }
        long ignored = Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("SigIgn:".length()).strip(), 16))
                .findFirst()
                .orElse(0);
        assumeFalse((ignored & INTERRUPT) != 0, "SIGINT is ignored here, as in a background job");
    }
}
