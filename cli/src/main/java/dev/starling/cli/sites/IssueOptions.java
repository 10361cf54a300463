package dev.starling.cli.sites;

import dev.starling.data.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Where certificates are issued and how long they are valid: the options of commands that issue certificates. */
final class IssueOptions {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "keys",
            description = "Directory of the authority, where new files are written too (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "825",
            description = "Days for which the certificates are valid (default: ${DEFAULT-VALUE}).")
    private int days;

    Path directory() {
        return directory;
    }

    Duration validity() {
        return validity(days);
    }

    static Duration validity(int days) {
        if (days < 1 || days > 36_500) {
            throw new InvalidInputException("--days " + days + " must be between 1 and 36500");
        }
        return Duration.ofDays(days);
    }
}
