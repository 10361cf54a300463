package dev.starling.peer.bulletin;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What each site has signed, as far as is known: its facts, that it knows everyone's, and what it says of the model at
 * the end. The first word of each that its site has signed counts and is told on. The bulletin's lock guards it.
 */
final class SignedWords {

    static final int FACTS = 3;
    static final int CONFIRMATION = 4;
    static final int ATTESTATION = 5;

    /** In the order in which they are written and told. */
    static final List<Integer> TOPICS = List.of(FACTS, CONFIRMATION, ATTESTATION);

    /** Tells on what is new. */
    @FunctionalInterface
    interface Teller {
        void tell(int origin, int topic, byte[] body);
    }

    private final int self;
    private final Teller teller;
    private final byte[][] facts;
    private final byte[][] confirmations;
    private final byte[][] attestations;
    private Introductions introductions;

    SignedWords(int self, int sites, Teller teller) {
        this.self = self;
        this.teller = teller;
        this.facts = new byte[sites][];
        this.confirmations = new byte[sites][];
        this.attestations = new byte[sites][];
    }

    /** Says who tells whether a site has signed something, before anything is heard. */
    void introduce(Introductions receiver, byte[] ownFacts) {
        introductions = receiver;
        facts[self] = ownFacts;
        teller.tell(self, FACTS, ownFacts);
    }

    /** What the sites have said on a topic; null where nothing is known. */
    byte[][] on(int topic) {
        return switch (topic) {
            case FACTS -> facts;
            case CONFIRMATION -> confirmations;
            case ATTESTATION -> attestations;
            default -> throw new IllegalArgumentException("topic " + topic);
        };
    }

    /** Takes what a neighbour says; false if the site has not signed it. */
    boolean hear(int origin, int topic, byte[] body) {
        if (introductions == null) {
            return false;
        }
        return switch (topic) {
            case FACTS -> hearFacts(origin, body);
            case CONFIRMATION -> hearConfirmation(origin, body);
            case ATTESTATION -> hearAttestation(origin, body);
            default -> throw new IllegalArgumentException("topic " + topic);
        };
    }

    private boolean hearFacts(int origin, byte[] body) {
        if (origin == self || Arrays.equals(facts[origin], body)) {
            return true;
        }
        if (!introductions.facts(origin, body)) {
            return false;
        }
        if (facts[origin] == null) {
            facts[origin] = body;
            teller.tell(origin, FACTS, body);
            confirm();
        }
        return true;
    }

    /** Once everyone's facts are known, says so, and takes in who has said so before. */
    private void confirm() {
        Optional<byte[]> own = confirmations[self] == null ? introductions.ownConfirmation() : Optional.empty();
        if (own.isPresent()) {
            confirmations[self] = own.get();
            teller.tell(self, CONFIRMATION, own.get());
            for (int origin = 0; origin < confirmations.length; origin++) {
                if (origin != self
                        && confirmations[origin] != null
                        && !introductions.confirmation(origin, confirmations[origin])) {
                    // Somebody told it in that site's name; the site's own is still to come.
                    confirmations[origin] = null;
                }
            }
        }
    }

    private boolean hearConfirmation(int origin, byte[] body) {
        if (origin == self || confirmations[origin] != null) {
            return true;
        }
        if (confirmations[self] != null && !introductions.confirmation(origin, body)) {
            return false;
        }
        confirmations[origin] = body;
        teller.tell(origin, CONFIRMATION, body);
        return true;
    }

    private boolean hearAttestation(int origin, byte[] body) {
        if (attestations[origin] != null) {
            return true;
        }
        if (!introductions.attestation(origin, body)) {
            return false;
        }
        attestations[origin] = body;
        teller.tell(origin, ATTESTATION, body);
        return true;
    }
}
