package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The signed statement of a site about itself before the first sum: everything on which the others' masks and rules
 * depend. Equal facts always have the same encoding.
 *
 * @param run the name of the run
 * @param network digest of the sites' names, their order, the edges, and their pinned keys
 * @param settings digest of all settings and columns
 * @param site the site's number
 * @param publicKey its X25519 key for this run
 * @param nonce a random number for this run
 * @param rows how many rows it has
 * @param weight the sum of their weights
 * @param limits what its rules allow, by name
 * @param commitment a commitment to a digest of its rows
 */
public record SiteFacts(
        String run,
        byte[] network,
        byte[] settings,
        int site,
        byte[] publicKey,
        byte[] nonce,
        long rows,
        double weight,
        Map<String, Double> limits,
        byte[] commitment) {

    private static final int PROTOCOL = 2;
    private static final int MOST_LIMITS = 64;
    private static final int LONGEST = 16 * 1024;

    /** Copies the limits. */
    public SiteFacts {
        limits = Map.copyOf(limits);
    }

    /** The commitment in hexadecimal. */
    public String committed() {
        return HexFormat.of().formatHex(commitment);
    }

    /** Encodes the facts as bytes. */
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(PROTOCOL);
            out.writeUTF(run);
            out.write(network);
            out.write(settings);
            out.writeInt(site);
            out.write(publicKey);
            out.write(nonce);
            out.writeLong(rows);
            out.writeDouble(weight);
            out.writeInt(limits.size());
            for (Map.Entry<String, Double> limit : new TreeMap<>(limits).entrySet()) {
                out.writeUTF(limit.getKey());
                out.writeDouble(limit.getValue());
            }
            out.write(commitment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes the facts that another site sent.
     *
     * @throws InvalidInputException if they are malformed
     */
    static SiteFacts decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (bytes.length > LONGEST || in.readInt() != PROTOCOL) {
                throw new InvalidInputException(
                        "facts have another protocol version; do all sites run versions of the program with the same protocol?");
            }
            String run = in.readUTF();
            byte[] network = digest(in);
            byte[] settings = digest(in);
            int site = in.readInt();
            byte[] publicKey = digest(in);
            byte[] nonce = digest(in);
            long rows = in.readLong();
            double weight = in.readDouble();
            int count = in.readInt();
            if (rows < 1 || !(weight > 0) || Double.isInfinite(weight) || count < 0 || count > MOST_LIMITS) {
                throw new InvalidInputException("facts make no sense: " + rows + " rows of weight " + weight);
            }
            Map<String, Double> limits = new TreeMap<>();
            for (int k = 0; k < count; k++) {
                String name = in.readUTF();
                double limit = in.readDouble();
                if (!(limit >= 0) || Double.isInfinite(limit)) {
                    throw new InvalidInputException("facts have the limit " + limit);
                }
                limits.put(name, limit);
            }
            SiteFacts facts = new SiteFacts(
                    run, network, settings, site, publicKey, nonce, rows, weight, limits, digest(in));
            if (in.available() > 0) {
                throw new InvalidInputException("facts are followed by other bytes");
            }
            return facts;
        } catch (IOException e) {
            throw new InvalidInputException("facts are cut short", e);
        }
    }

    private static byte[] digest(DataInputStream in) throws IOException {
        byte[] digest = new byte[Sha256.BYTES];
        in.readFully(digest);
        return digest;
    }
}
