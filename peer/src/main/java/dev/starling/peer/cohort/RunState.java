package dev.starling.peer.cohort;

import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.sums.SessionSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run has left in a site's state.
 *
 * @param folder the run's folder
 * @param hasEnded whether the site knows that the run is over
 */
public record RunState(Path folder, boolean hasEnded) {

    private static final String SECRETS = "session.secret";
    private static final Set<String> KEPT = Set.of(RunCohort.LEDGER, "totals");

    /** All runs in a site's state, by name. */
    public static List<RunState> all(SiteConfig config) throws IOException {
        Set<String> over = new TreeSet<>();
        if (CohortRegister.exists(config.register())) {
            try (CohortRegister register = CohortRegister.open(config.register())) {
                register.entries().stream()
                        .filter(entry -> entry.released().isPresent())
                        .forEach(entry -> over.add(entry.run()));
            }
        }
        List<RunState> runs = new ArrayList<>();
        if (Files.isDirectory(config.state())) {
            try (Stream<Path> folders = Files.list(config.state())) {
                for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                    runs.add(new RunState(
                            folder, over.contains(folder.getFileName().toString())));
                }
            }
        }
        return runs;
    }

    /** The run's name. */
    public String name() {
        return folder.getFileName().toString();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** How many bytes it takes. */
    public long bytes() throws IOException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /** Whether the key of its masks is still there. */
    public boolean hasSecrets() throws IOException {
        Path file = folder.resolve(SECRETS);
        return Files.exists(file) && !SessionSecrets.open(file).areForgotten();
    }

    /**
     * Deletes what the run does not need any more; secrets are overwritten first, as far as a disk allows that.
     *
     * @param all whether to delete its ledger and totals as well
     * @return how many files were deleted
     */
    public int purge(boolean all) throws IOException {
        int deleted = 0;
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (name.equals(SECRETS)) {
                Files.write(file, new byte[(int) Files.size(file)], StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            }
            if (all || !KEPT.contains(name)) {
                Files.delete(file);
                deleted++;
            }
        }
        if (all) {
            Files.deleteIfExists(folder);
        }
        return deleted;
    }
}
