package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.job.RawWeights;
import dev.starling.peer.keys.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** A point that training has reached, as a file: the last certified one of a run, from which another can go on. */
public final class StartPoint {

    /** The name of the file in the directory of a run's state. */
    public static final String FILE = "certified.bin";

    private static final int VERSION = 1;

    private StartPoint() {}

    /** Writes a point, in place of the one before. */
    public static void write(RawWeights point, Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        point.save(out);
        OwnerOnly.replace(file, bytes.toByteArray());
    }

    /** SHA-256 of a file. */
    public static String digest(Path file) {
        return HexFormat.of().formatHex(Change.sha256(content(file)));
    }

    /** Reads a point that must have a digest. */
    static RawWeights read(Path file, String digest) {
        byte[] content = content(file);
        if (!HexFormat.of().formatHex(Change.sha256(content)).equals(digest)) {
            throw new InvalidInputException(file + " is not the point that the change goes on from; copy that of the "
                    + "site that proposed it");
        }
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
            if (in.readInt() != VERSION) {
                throw new IOException("it is of another version");
            }
            return RawWeights.restore(in);
        } catch (IOException e) {
            throw new InvalidInputException(file + " is not a point to go on from: " + e.getMessage(), e);
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InvalidInputException(
                    file + " cannot be read: " + e.getMessage() + "; it is the point that the change goes on from", e);
        }
    }
}
