package dev.starling.cli;

import java.nio.file.Path;

/** placeholder */
final class Page {
    private Page() {}

    static void write(ComparisonReport report, Path target) {}
}
