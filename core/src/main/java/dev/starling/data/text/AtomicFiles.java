package dev.starling.data.text;

import dev.starling.data.InvalidInputException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes files atomically, under a temporary name that is changed at the end: a file appears whole or not at all. */
public final class AtomicFiles {

    private static final int BUFFER = 1 << 16;

    private AtomicFiles() {}

    /** Something that writes and may fail. */
    @FunctionalInterface
    public interface IOConsumer<T> {
        /** Writes to the given destination. */
        void accept(T to) throws IOException;
    }

    /**
     * Writes a file, replacing an existing one only once everything is on the disk. If anything fails, the old file
     * stays as it was and no temporary file is left behind. Devices and pipes are written to directly.
     *
     * @throws InvalidInputException if the file cannot be written
     */
    public static void write(Path target, IOConsumer<OutputStream> content) {
        try {
            if (Files.isDirectory(target)) {
                throw new InvalidInputException(target + " is a directory; give the name of a file to write");
            }
            if (Files.exists(target) && !Files.isRegularFile(target)) {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target), BUFFER)) {
                    content.accept(out);
                }
            } else {
                replace(Files.isSymbolicLink(target) && Files.exists(target) ? target.toRealPath() : target, content);
            }
        } catch (IOException e) {
            throw unwritable(target, e);
        } catch (RuntimeException e) {
            // The library that does the writing may have wrapped the I/O error.
            throw e.getCause() instanceof IOException cause ? unwritable(target, cause) : e;
        }
    }

    private static InvalidInputException unwritable(Path target, IOException e) {
        return new InvalidInputException(target + " cannot be written: " + reason(target, e), e);
    }

    private static void replace(Path target, IOConsumer<OutputStream> content) throws IOException {
        Path temporary = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (FileChannel channel =
                            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER)) {
                content.accept(out);
                out.flush();
                channel.force(true);
            }
            move(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String reason(Path target, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "the folder " + target.toAbsolutePath().getParent() + " does not exist; create it first";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied; choose a folder that you may write to";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
