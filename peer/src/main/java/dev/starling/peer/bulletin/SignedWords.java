package dev.starling.peer.bulletin;

import dev.starling.peer.sums.SumSession;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * What each site has signed, as far as is known: its facts, its confirmation that it knows the facts of all sites, its
 * statement about the model at the end, and in a dispute what it was told. For each site and topic, the first validly
 * signed note counts and is forwarded. Guarded by the bulletin's lock.
 */
final class SignedWords {

    static final int FACTS = 3;
    static final int CONFIRMATION = 4;
    static final int ATTESTATION = 5;
    static final int TESTIMONY = 8;

    /** All topics, in the order in which they are written and sent. */
    static final List<Integer> TOPICS = List.of(FACTS, CONFIRMATION, ATTESTATION, TESTIMONY);

    /** Forwards what is new to the neighbours. */
    @FunctionalInterface
    interface Forwarder {
        void forward(int origin, int topic, byte[] body);
    }

    private final int self;
    private final Forwarder forwarder;

    /** Each site's note, by topic. */
    private final Map<Integer, byte[][]> notes = new TreeMap<>();

    private final byte[][] facts;
    private final byte[][] confirmations;
    private SumSession session;

    SignedWords(int self, int sites, Forwarder forwarder) {
        this.self = self;
        this.forwarder = forwarder;
        TOPICS.forEach(topic -> notes.put(topic, new byte[sites][]));
        this.facts = notes.get(FACTS);
        this.confirmations = notes.get(CONFIRMATION);
    }

    /** Sets who checks whether a site has signed something; called before any note arrives. */
    void introduce(SumSession own) {
        session = own;
        facts[self] = own.ownFacts();
        forwarder.forward(self, FACTS, facts[self]);
    }

    /** Returns each site's note on a topic; null where nothing is known. */
    byte[][] on(int topic) {
        return notes.get(topic);
    }

    /** Processes a note from a neighbour; returns false if the site it is about has not signed it. */
    boolean hear(int origin, int topic, byte[] body) {
        if (session == null) {
            return false;
        }
        return switch (topic) {
            case FACTS -> hearFacts(origin, body);
            case CONFIRMATION -> hearConfirmation(origin, body);
            case ATTESTATION -> hearFirst(origin, topic, body, session::attestation);
            case TESTIMONY -> hearFirst(origin, topic, body, session::testimony);
            default -> throw new IllegalArgumentException("topic " + topic);
        };
    }

    private boolean hearFacts(int origin, byte[] body) {
        if (origin == self || Arrays.equals(facts[origin], body)) {
            return true;
        }
        if (!session.facts(origin, body)) {
            return false;
        }
        if (facts[origin] == null) {
            facts[origin] = body;
            forwarder.forward(origin, FACTS, body);
            confirm();
        }
        return true;
    }

    /** Once the facts of all sites are known, confirms that, and checks the confirmations that arrived earlier. */
    private void confirm() {
        Optional<byte[]> own = confirmations[self] == null ? session.ownConfirmation() : Optional.empty();
        if (own.isPresent()) {
            confirmations[self] = own.get();
            forwarder.forward(self, CONFIRMATION, own.get());
            for (int origin = 0; origin < confirmations.length; origin++) {
                if (origin != self
                        && confirmations[origin] != null
                        && !session.confirmation(origin, confirmations[origin])) {
                    // Somebody forged it in that site's name; the genuine one is still to come.
                    confirmations[origin] = null;
                }
            }
        }
    }

    private boolean hearConfirmation(int origin, byte[] body) {
        if (origin == self || confirmations[origin] != null) {
            return true;
        }
        if (confirmations[self] != null && !session.confirmation(origin, body)) {
            return false;
        }
        confirmations[origin] = body;
        forwarder.forward(origin, CONFIRMATION, body);
        return true;
    }

    private boolean hearFirst(int origin, int topic, byte[] body, BiPredicate<Integer, byte[]> isSigned) {
        byte[][] known = on(topic);
        if (known[origin] != null) {
            return true;
        }
        if (!isSigned.test(origin, body)) {
            return false;
        }
        known[origin] = body;
        forwarder.forward(origin, topic, body);
        return true;
    }
}
