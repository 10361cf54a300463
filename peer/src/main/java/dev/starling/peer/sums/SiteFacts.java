package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

    private static final int PROTOCOL = 3;

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
        return Bytes.of(this, SiteFacts::state);
    }

    private static SiteFacts state(State s, SiteFacts facts) throws IOException {
        if (s.number(PROTOCOL) != PROTOCOL) {
            throw new IOException("do all sites run versions of the program with the same protocol?");
        }
        List<Map.Entry<String, Double>> limits = new ArrayList<>(new TreeMap<>(facts.limits).entrySet());
        String run = s.text(facts.run);
        byte[] network = Bytes.fixed(s, facts.network, Sha256.BYTES);
        byte[] settings = Bytes.fixed(s, facts.settings, Sha256.BYTES);
        int site = s.number(facts.site);
        byte[] publicKey = Bytes.fixed(s, facts.publicKey, Sha256.BYTES);
        byte[] nonce = Bytes.fixed(s, facts.nonce, Sha256.BYTES);
        long rows = s.number(facts.rows);
        double weight = s.number(facts.weight);
        s.elements(
                limits,
                Map.entry("", 0.0),
                (one, limit) -> Map.entry(
                        one.text(limit.getKey()), one.number(limit.getValue().doubleValue())));
        Map<String, Double> named = new TreeMap<>();
        limits.forEach(limit -> named.put(limit.getKey(), limit.getValue()));
        byte[] commitment = Bytes.fixed(s, facts.commitment, Sha256.BYTES);
        return new SiteFacts(run, network, settings, site, publicKey, nonce, rows, weight, named, commitment);
    }

    /**
     * Decodes the facts that another site sent.
     *
     * @throws InvalidInputException if they are malformed
     */
    static SiteFacts decode(byte[] bytes) {
        byte[] none = {};
        SiteFacts blank = new SiteFacts("", none, none, 0, none, none, 0, 0, Map.of(), none);
        SiteFacts facts = Bytes.read(bytes, blank, SiteFacts::state, "what a site states as its facts");
        if (facts.rows < 1 || !(facts.weight > 0) || Double.isInfinite(facts.weight)) {
            throw new InvalidInputException("facts make no sense: " + facts.rows + " rows of weight " + facts.weight);
        }
        facts.limits.values().stream()
                .filter(limit -> !(limit >= 0) || Double.isInfinite(limit))
                .findFirst()
                .ifPresent(limit -> {
                    throw new InvalidInputException("facts have the limit " + limit);
                });
        return facts;
    }
}
