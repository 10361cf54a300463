package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.sums.SumSession;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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
record RoundFile(String run, int site, int number, List<Part> parts) {

    /** What a part of a file is. */
    enum Kind {
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
    record Part(Kind kind, int to, byte[] content) {}

    private static final String TITLE = "starling round 2";
    private static final String SUFFIX = ".starling";
    private static final int MOST_PARTS = 1 << 17;

    RoundFile {
        parts = List.copyOf(parts);
    }

    /** The name of a file, by which people can tell which one is missing. */
    static String name(String run, String site, int number) {
        return String.format("%s-%s-%03d%s", run, site, number, SUFFIX);
    }

    /** Whether a file's name is one that these files have. */
    static boolean isOne(Path file) {
        return file.getFileName().toString().endsWith(SUFFIX);
    }

    private byte[] body() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(TITLE);
            out.writeUTF(run);
            out.writeInt(site);
            out.writeInt(number);
            out.writeInt(parts.size());
            for (Part part : parts) {
                out.writeUTF(part.kind.name());
                out.writeInt(part.to);
                out.writeInt(part.content.length);
                out.write(part.content);
            }
        }
        return bytes.toByteArray();
    }

    /** Writes the file under its final name, complete or not at all. */
    void write(Path file, SumSession session) throws IOException {
        OwnerOnly.replace(file, session.signFile(body()));
    }

    /** The content of a file whose signature has not been checked. */
    static RoundFile read(Path file) {
        try {
            return parse(SumSession.fileContent(Files.readAllBytes(file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidInputException(file + " is not a file of a round, or is cut short", e);
        }
    }

    private static RoundFile parse(byte[] body) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
            if (!in.readUTF().equals(TITLE)) {
                throw new IOException("another title");
            }
            String run = in.readUTF();
            int site = in.readInt();
            int number = in.readInt();
            int count = in.readInt();
            if (count < 0 || count > MOST_PARTS || site < 0 || number < 0) {
                throw new IOException("impossible counts");
            }
            List<Part> parts = new ArrayList<>();
            for (int k = 0; k < count; k++) {
                Kind kind = Kind.valueOf(in.readUTF());
                int to = in.readInt();
                int length = in.readInt();
                if (length < 0 || length > in.available()) {
                    throw new IOException("a part is cut short");
                }
                parts.add(new Part(kind, to, in.readNBytes(length)));
            }
            return new RoundFile(run, site, number, parts);
        }
    }
}
