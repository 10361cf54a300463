package dev.starling.cli.console;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/** Checks that a result can be written before the work that leads to it, and writes it afterwards. */
public final class Outputs {

    private Outputs() {}

    /**
     * Refuses a file that could not be written at the end, or that would replace one of those the command reads.
     *
     * @throws InvalidInputException if it could not, or would
     */
    public static void requireWritable(Path target, Collection<Path> inputs) {
        if (target.toString().equals("-")) {
            throw new InvalidInputException(
                    "'-' is standard output, to which this cannot go; give the name of a file (./- if that is its name)");
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
     * Refuses two results that would go to one file.
     *
     * @param first the option that names the one
     * @param second the option that names the other
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
     * Writes a result that could be written when that was checked: if it cannot now, the run has failed, as on a full
     * disk.
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

    /** Whether two names, links among them, are of one file that exists. */
    private static boolean isSame(Path target, Path input) {
        try {
            return Files.exists(target) && Files.exists(input) && Files.isSameFile(target, input);
        } catch (IOException e) {
            throw new InvalidInputException(input + " cannot be read: " + e.getMessage(), e);
        }
    }
}
