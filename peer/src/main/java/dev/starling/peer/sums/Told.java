package dev.starling.peer.sums;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a site was told, and can show: the root of the tree has signed the history of so many totals. Whoever has signed
 * two histories of as many totals lied, whoever passed them on.
 *
 * @param totals how many totals
 * @param history the digest of all questions and totals up to the last of them
 * @param signature the root's signature
 */
public record Told(long totals, byte[] history, byte[] signature) {

    /** Sites are at most one total apart when one of them stops, and one of these must be known to both. */
    static final int KEPT = 3;

    private static final int LONGEST = 2048;

    /** What is signed: without the session, what was signed in one run could be shown in another. */
    static byte[] digest(byte[] session, long totals, byte[] history) {
        return Sha256.of("starling told 1")
                .put(session)
                .put(totals)
                .put(history)
                .value();
    }

    /** The latest of what a site was told, as bytes. */
    static byte[] encode(List<Told> latest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Told one : latest) {
                out.writeLong(one.totals);
                out.write(one.history);
                out.writeShort(one.signature.length);
                out.write(one.signature);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Reads {@link #encode}; of bytes that somebody made up, what can be read of them. */
    static List<Told> decode(byte[] bytes) {
        List<Told> latest = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            while (latest.size() < KEPT && in.available() > 0) {
                long totals = in.readLong();
                byte[] history = new byte[Sha256.BYTES];
                in.readFully(history);
                byte[] signature = new byte[Math.min(in.readUnsignedShort(), LONGEST)];
                in.readFully(signature);
                latest.add(new Told(totals, history, signature));
            }
        } catch (IOException e) {
            return latest;
        }
        return latest;
    }

    /** Whether somebody who has signed both must have lied. */
    boolean contradicts(Told other) {
        return totals == other.totals && !Arrays.equals(history, other.history);
    }
}
