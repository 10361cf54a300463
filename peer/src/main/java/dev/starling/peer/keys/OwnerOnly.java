package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only their owner may read: private keys. */
public final class OwnerOnly {

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private OwnerOnly() {}

    /** Writes a new file that nobody else can read at any moment. Refuses to replace one. */
    static void write(Path file, byte[] content) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        FileAttribute<?>[] attributes = isPosix()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
        Files.createFile(temporary, attributes);
        Files.write(temporary, content, StandardOpenOption.WRITE);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Reads a private key's file.
     *
     * @throws InvalidInputException if it is missing or others may read it
     */
    public static byte[] read(Path file) {
        try {
            if (isPosix()) {
                Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
                permissions.addAll(Files.getPosixFilePermissions(file));
                permissions.remove(PosixFilePermission.OWNER_EXECUTE);
                if (!permissions.equals(OWNER)) {
                    throw new InvalidInputException(file + " has permissions "
                            + PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                            + "; a private key must be readable by its owner only (chmod 600 " + file.getFileName()
                            + ")");
                }
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; 'starling keys site' makes it", e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
