package dev.starling.peer.sums;

import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
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

    /** Saves or restores it. */
    static Told state(State s, Told told) throws IOException {
        return new Told(
                s.number(told.totals), Bytes.fixed(s, told.history, Sha256.BYTES), s.bytes(told.signature, LONGEST));
    }

    /** Saves or restores the latest of what a site was told. */
    static List<Told> states(State s, List<Told> latest) throws IOException {
        List<Told> all = new ArrayList<>(latest);
        s.elements(all, new Told(0, new byte[0], new byte[0]), Told::state);
        return all;
    }

    /** Whether somebody who has signed both must have lied. */
    boolean contradicts(Told other) {
        return totals == other.totals && !Arrays.equals(history, other.history);
    }
}
