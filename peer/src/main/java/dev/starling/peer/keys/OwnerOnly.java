package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/** Files that only their owner may read: private keys, and a site's state, ledgers and registers. */
public final class OwnerOnly {

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final Set<PosixFilePermission> OWNER_DIRECTORY = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private OwnerOnly() {}

    /** Writes a new file that nobody else can read at any moment. Refuses to replace an existing one. */
    public static void write(Path file, byte[] content) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        replace(file, content);
    }

    /**
     * Writes a file that nobody else can read at any moment, replacing an existing one. It is on disk when this
     * returns; after a crash either the old one or the new one is there, complete.
     *
     * @throws FileSystemException if it cannot be written, with the file's name, which an error while writing lacks
     */
    public static void replace(Path file, byte[]... content) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try (FileChannel channel = open(temporary)) {
            for (byte[] part : content) {
                write(channel, part);
            }
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw unwritable(file, e);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceName(file);
    }

    private static IOException unwritable(Path file, IOException e) {
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        IOException named = new FileSystemException(file.toString(), null, "cannot be written: " + reason);
        named.initCause(e);
        return named;
    }

    /** A stream into an open file; an error while writing names the file, which the channel's own does not. */
    public static OutputStream stream(FileChannel channel, Path file) {
        return new FilterOutputStream(Channels.newOutputStream(channel)) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                try {
                    out.write(bytes, offset, length);
                } catch (IOException e) {
                    throw unwritable(file, e);
                }
            }
        };
    }

    /** Opens a file that nobody else can read for writing, creating it if necessary. */
    public static FileChannel open(Path file, OpenOption... more) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(more));
        options.add(StandardOpenOption.CREATE);
        options.add(StandardOpenOption.WRITE);
        return FileChannel.open(file, options, attributes(OWNER));
    }

    /** Opens a file that nobody else can read for appending, creating it if necessary. */
    public static FileChannel appending(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        FileChannel channel = open(file, StandardOpenOption.APPEND);
        forceName(file);
        return channel;
    }

    /** Appends, and returns once it is on disk. */
    public static void append(FileChannel channel, byte[] content) throws IOException {
        write(channel, content);
        channel.force(true);
    }

    private static void write(FileChannel channel, byte[] content) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    /** Forces the name of a file to disk as well, on systems that allow a directory to be opened. */
    public static void forceName(Path file) throws IOException {
        FileChannel directory;
        try {
            directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ);
        } catch (IOException e) {
            // Not every system can; the file itself is on disk.
            return;
        }
        try (directory) {
            directory.force(true);
        }
    }

    /**
     * Creates a directory that nobody else can read, or makes an existing one so. What is forced to disk in it later is
     * lost with its name, so that name and the one above are on disk when this returns.
     */
    public static void directory(Path directory) throws IOException {
        Files.createDirectories(directory, attributes(OWNER_DIRECTORY));
        Path absolute = directory.toAbsolutePath();
        forceName(absolute);
        if (absolute.getParent().getParent() != null) {
            forceName(absolute.getParent());
        }
        if (isPosix() && !Files.getPosixFilePermissions(directory).equals(OWNER_DIRECTORY)) {
            Files.setPosixFilePermissions(directory, OWNER_DIRECTORY);
        }
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return isPosix()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /**
     * Reads a private key's file.
     *
     * @throws InvalidInputException if it is missing or others may read it
     */
    public static byte[] read(Path file) {
        return read(file, "a private key", "'starling keys site' makes it");
    }

    /**
     * Reads a file that holds a secret.
     *
     * @param secret what it holds
     * @param remedy what to do if it does not exist
     * @throws InvalidInputException if it is missing or others may read it
     */
    public static byte[] read(Path file, String secret, String remedy) {
        try {
            if (isPosix()) {
                Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
                permissions.addAll(Files.getPosixFilePermissions(file));
                permissions.remove(PosixFilePermission.OWNER_EXECUTE);
                if (!permissions.equals(OWNER)) {
                    throw new InvalidInputException(file + " has permissions "
                            + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                            + "; " + secret + " must be readable by its owner only (chmod 600 " + file.getFileName()
                            + ")");
                }
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; " + remedy, e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
