package dev.starling.cli.console;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that a result can be written before the work that leads to it. */
public final class Outputs {

    private Outputs() {}

    /**
     * Refuses a file that could not be written at the end.
     *
     * @throws InvalidInputException if it could not
     */
    public static void requireWritable(Path target) {
        if (Files.isDirectory(target)) {
            throw new InvalidInputException(target + " is a directory; give the name of a file to write");
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            return;
        }
        Path folder = target.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException(
                    target + " cannot be written: the folder " + folder + " does not exist; create it first");
        }
        try {
            Files.delete(Files.createTempFile(folder, ".starling", ".tmp"));
        } catch (IOException e) {
            throw new InvalidInputException(
                    target + " cannot be written: no file can be made in " + folder
                            + "; choose a folder that you may write to",
                    e);
        }
    }
}
