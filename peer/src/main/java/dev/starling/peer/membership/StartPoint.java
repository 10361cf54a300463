package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.job.RawWeights;
import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with a point that training has reached: the last certified point of a run, from which another run can
 * continue.
 */
public final class StartPoint {

    /** The name of the file in a run's state directory. */
    public static final String FILE = "certified.bin";

    private static final int VERSION = 1;

    private StartPoint() {}

    /** Writes a point, replacing the previous one. */
    public static void write(RawWeights point, Path file) throws IOException {
        OwnerOnly.replace(file, Bytes.of(point, StartPoint::state));
    }

    private static RawWeights state(State s, RawWeights point) throws IOException {
        if (s.number(VERSION) != VERSION) {
            throw new IOException("it has another format version");
        }
        return point.state(s);
    }

    /** SHA-256 of a file. */
    public static String digest(Path file) {
        return Sha256.hex(content(file));
    }

    /** Reads a point whose file must have a given digest. */
    static RawWeights read(Path file, String digest) {
        byte[] content = content(file);
        if (!Sha256.hex(content).equals(digest)) {
            throw new InvalidInputException(file
                    + " is not the point that the change continues from; copy the file from the site that proposed it");
        }
        return Bytes.read(content, RawWeights.NONE, StartPoint::state, file + ", from which the run is to continue,");
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InvalidInputException(
                    file + " cannot be read: " + e.getMessage()
                            + "; it should hold the point that the change continues from",
                    e);
        }
    }
}
