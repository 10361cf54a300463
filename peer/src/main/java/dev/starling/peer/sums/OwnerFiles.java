package dev.starling.peer.sums;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read and that are on disk when a call returns. */
public final class OwnerFiles {

    private OwnerFiles() {}

    /** Writes a new file; after a crash it is there whole or not at all. */
    public static void writeForced(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try (FileChannel channel = create(temporary)) {
            append(channel, content);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(file);
    }

    /** A channel that appends to a file, which is made if it is not there. */
    static FileChannel appending(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        if (!Files.exists(file)) {
            create(file).close();
            forceDirectory(file);
        }
        return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Appends, and returns once it is on disk. */
    static void append(FileChannel channel, byte[] content) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
        channel.force(true);
    }

    /** All of a file. */
    public static byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }

    private static FileChannel create(Path file) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes);
    }

    /** Where the system lets a directory be opened, its entries are on disk too. */
    private static void forceDirectory(Path file) {
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        } catch (IOException e) {
            // Not every system can; the file itself is on disk.
            return;
        }
    }
}
