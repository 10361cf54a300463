package dev.starling.peer.bulletin;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.sums.SumSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that takes a site's part of a round to the others, by whatever way: signed by the site and numbered from 0.
 * The first says the site's key; all that follow are encrypted for those they are for.
 *
 * @param run the run's name
 * @param site the number of the site that wrote it
 * @param number which of its files this is
 * @param parts what it holds
 */
public record RoundFile(String run, int site, int number, List<Part> parts) {

    /** What a part of a file is. */
    public enum Kind {
        /** The key with which everything else is encrypted: all that whoever carries files can read. */
        KEY,
        FACTS,
        CONFIRMATION,
        MESSAGES,
        ATTESTATION
    }

    /**
     * A part of a file.
     *
     * @param to the site it is encrypted for; negative if it is a key, for all
     */
    public record Part(Kind kind, int to, byte[] content) {}

    private static final String TITLE = "starling round 3";
    private static final String SUFFIX = ".starling";
    private static final int LONGEST = 1 << 28;

    /** Copies the list. */
    public RoundFile {
        parts = List.copyOf(parts);
    }

    /** The name of a file, by which people can tell which one is missing. */
    public static String name(String run, String site, int number) {
        return String.format("%s-%s-%03d%s", run, site, number, SUFFIX);
    }

    /** Whether a file's name is one that these files have. */
    public static boolean isOne(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX);
    }

    private static RoundFile state(State s, RoundFile file) throws IOException {
        Bytes.title(s, TITLE);
        String run = s.text(file.run);
        int site = s.number(file.site);
        int number = s.number(file.number);
        List<Part> parts = new ArrayList<>(file.parts);
        s.elements(
                parts,
                new Part(Kind.KEY, 0, new byte[0]),
                (one, part) -> new Part(one.choice(part.kind), one.number(part.to), one.bytes(part.content, LONGEST)));
        if (site < 0 || number < 0) {
            throw new IOException("impossible numbers");
        }
        return new RoundFile(run, site, number, parts);
    }

    /** Writes the file under its final name, complete or not at all. */
    public void write(Path file, SumSession session) throws IOException {
        OwnerOnly.replace(file, session.signFile(Bytes.of(this, RoundFile::state)));
    }

    /** The content of a file whose signature has not been checked. */
    public static RoundFile read(Path file) {
        try {
            byte[] content = SumSession.attestation(Files.readAllBytes(file)).content();
            return Bytes.read(content, new RoundFile("", 0, 0, List.of()), RoundFile::state, file.toString());
        } catch (IOException | InvalidInputException e) {
            throw new InvalidInputException(file + " is not a file of a round, or is cut short", e);
        }
    }
}
