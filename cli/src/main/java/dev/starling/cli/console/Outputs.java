package dev.starling.cli.console;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/** Checks, before the work begins, that its result can be written, and writes it afterwards. */
public final class Outputs {

    private Outputs() {}

    /**
     * Refuses a file that cannot be written, or that would overwrite one that the command reads.
     *
     * @throws InvalidInputException if it cannot, or would
     */
    public static void requireWritable(Path target, Collection<Path> inputs) {
        if (target.toString().equals("-")) {
            throw new InvalidInputException(
                    "'-' is standard output, where this cannot be written; give the name of a file (./- if that is its"
                            + " name)");
        }
        if (Files.isDirectory(target)) {
            throw new InvalidInputException(target + " is a directory; give the name of a file to write");
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            return;
        }
        for (Path input : inputs) {
            if (isSame(target, input)) {
                throw new InvalidInputException(
                        target + " is read by this command and would be overwritten; write to another file");
            }
        }
        Path folder = target.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            if (Files.exists(folder)) {
                throw new InvalidInputException(
                        target + " cannot be written: " + folder + " is a file, not a folder; choose a folder");
            }
            throw new InvalidInputException(
                    target + " cannot be written: the folder " + folder + " does not exist; create it first");
        }
        try {
            Files.delete(Files.createTempFile(folder, ".starling", ".tmp"));
        } catch (IOException e) {
            throw new InvalidInputException(
                    target + " cannot be written: no file can be created in " + folder
                            + "; choose a folder that you may write to",
                    e);
        }
    }

    /**
     * Refuses two results that would be written to the same file.
     *
     * @param first the option for the first file
     * @param second the option for the second file
     */
    public static void requireDifferent(String first, Optional<Path> one, String second, Optional<Path> other) {
        if (one.isPresent() && one.map(Outputs::whole).equals(other.map(Outputs::whole))) {
            throw new InvalidInputException(
                    first + " and " + second + " both name " + other.get() + "; give them different names");
        }
    }

    private static Path whole(Path file) {
        return file.toAbsolutePath().normalize();
    }

    /**
     * Writes a result after {@link #requireWritable} has passed: if that fails now, as on a full disk, the run has
     * failed.
     *
     * @throws RunFailure if it cannot be written
     */
    public static void write(Runnable writing) {
        try {
            writing.run();
        } catch (InvalidInputException e) {
            throw new RunFailure(e.getMessage(), e);
        }
    }

    /** Makes the folder of {@code --dir}, unless there is one. */
    public static void createFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InvalidInputException(folder + " cannot be created; choose another folder with --dir", e);
        }
    }

    /** Writes a text to a file as {@link #write(Runnable)} does. */
    public static void write(Path target, String text) {
        write(() -> AtomicFiles.write(target, out -> out.write(text.getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether two names, which may be links, are of the same existing file. */
    private static boolean isSame(Path target, Path input) {
        try {
            return Files.exists(target) && Files.exists(input) && Files.isSameFile(target, input);
        } catch (IOException e) {
            throw new InvalidInputException(input + " cannot be read: " + e.getMessage(), e);
        }
    }
}
