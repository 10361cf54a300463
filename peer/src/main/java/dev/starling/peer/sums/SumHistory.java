package dev.starling.peer.sums;

import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumRequest;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * The sums of a run so far: how many there were, and a digest of every question and every total, starting from the
 * session's identifier. Masks are derived from the next question in this history, so that they cancel only between
 * sites with the same history.
 */
final class SumHistory implements Stateful {

    private static final int LIMBS = 6;

    /** The number of entries of a heading. */
    static final int HEADING_LENGTH = 1 + LIMBS;

    private static final int LIMB_BITS = 48;
    private static final BigInteger LIMB_MASK =
            BigInteger.ONE.shiftLeft(LIMB_BITS).subtract(BigInteger.ONE);

    private long sums;
    private byte[] digest;

    SumHistory(byte[] session) {
        this.digest = session.clone();
    }

    /** The number of the next sum, from 1. */
    long next() {
        return sums + 1;
    }

    /** The digest of all questions and totals so far. */
    byte[] digest() {
        return digest.clone();
    }

    /** The digest of the request for the next sum. */
    byte[] question(SumRequest request) {
        Sha256 question = Sha256.of("starling ask 1")
                .put(next())
                .put(digest)
                .putCounted(request.name().getBytes(StandardCharsets.UTF_8))
                .put(request.problem())
                .put(request.stride())
                .put(HiddenSum.HEAD - 1 + request.numbers())
                .put(request.point().length);
        for (double value : request.point()) {
            question.put(value);
        }
        return question.value();
    }

    /** Adds the totals of the sum that was asked for. */
    void add(byte[] question, double[] totals) {
        Sha256 total = Sha256.of("starling total 1").put(digest).put(question);
        for (int k = 1; k < totals.length; k++) {
            total.put(totals[k]);
        }
        digest = total.value();
        sums++;
    }

    /** The number of the next sum and the digest of all before it, as a vector. */
    double[] heading() {
        double[] heading = new double[HEADING_LENGTH];
        heading[0] = next();
        BigInteger rest = new BigInteger(1, digest);
        for (int k = 1; k <= LIMBS; k++) {
            heading[k] = rest.and(LIMB_MASK).longValueExact();
            rest = rest.shiftRight(LIMB_BITS);
        }
        return heading;
    }

    @Override
    public void state(State s) throws IOException {
        sums = s.number(sums);
        digest = s.bytes(digest, Sha256.BYTES);
    }
}
