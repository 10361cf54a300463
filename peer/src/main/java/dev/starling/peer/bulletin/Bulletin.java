package dev.starling.peer.bulletin;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.peer.sums.SumSession;
import dev.starling.peer.transport.Link;
import dev.starling.peer.trust.Sha256;
import dev.starling.peer.wire.GivingUp;
import dev.starling.peer.wire.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * What a site knows about the other participants. Notes are flooded: whatever is new is forwarded to every neighbour,
 * and a link that comes up is sent everything. The first presence that arrives for a site counts; a different one that
 * arrives later is ignored. The bulletin explains why a run does not begin or is still waiting, and never changes a
 * result.
 */
public final class Bulletin implements Stateful {

    /** The length of the longest note, in bytes. */
    public static final int LONGEST_NOTE = 64 * 1024;

    private static final int PRESENCE = 1;
    private static final int GIVING_UP = 2;
    private static final int WAITING = 6;
    private static final int REACHED = 7;
    private static final int TOPICS = 8;
    private static final int LONGEST_REASON = 2000;

    /** Is told what becomes known, and about each site that leaves the run. */
    @FunctionalInterface
    public interface Listener {
        /** Called when something has become known; must return at once. */
        default void onNews() {}

        /**
         * Called when a site has given up; must return at once.
         *
         * @param objection whether something must be changed before the run can begin
         * @param gone the site whose absence is the reason, if that is why
         */
        void onGivenUp(int site, String reason, boolean objection, OptionalInt gone);
    }

    private final int self;
    private final Listener listener;
    private final byte[][] bodies;
    private final Presence[] presences;
    private final GivingUp[] reasons;
    private final SignedWords signed;
    private final Waiting[] waits;
    private final Set<Integer> counted = new HashSet<>();
    private Iterable<Link> links = List.of();
    private LongSupplier ownTotals = () -> 0;
    private LongSupplier ownAddends = () -> Long.MAX_VALUE;
    private String contradiction;

    /** Creates an empty bulletin for a network of this many sites. */
    public Bulletin(int self, int sites, Listener listener) {
        this.self = self;
        this.listener = listener;
        this.bodies = new byte[sites][];
        this.presences = new Presence[sites];
        this.reasons = new GivingUp[sites];
        this.signed = new SignedWords(self, sites, this::tellAll);
        this.waits = new Waiting[sites];
        Arrays.fill(waits, Waiting.getDefaultInstance());
    }

    /** Sets who receives the notes that sites sign; called before any note arrives. */
    public synchronized void introduce(SumSession session) {
        signed.introduce(session);
    }

    /**
     * Sets how far this site has got, which it tells every neighbour whose link comes up.
     *
     * @param totals returns how many totals it has
     * @param addends returns how many sums its ledger says it has added to
     */
    public synchronized void count(LongSupplier totals, LongSupplier addends) {
        ownTotals = totals;
        ownAddends = addends;
    }

    /** The sites that have told this process how far they have got. */
    public synchronized Set<Integer> counted() {
        return Set.copyOf(counted);
    }

    /** Sets the links over which notes are flooded. */
    public synchronized void spreadOver(Iterable<Link> newLinks) {
        links = newLinks;
    }

    /** How many notes a neighbour may send in ten seconds. */
    public static int mostNotes(int sites) {
        return 4 * TOPICS * sites + 16;
    }

    /** Announces that this site is present. */
    public synchronized void publish(Presence own) {
        learn(self, own, own.encode());
    }

    /**
     * Announces why this site leaves the run.
     *
     * @param number how often this site has been restarted
     * @param objection whether something must be changed before the run can begin
     * @param gone the site whose absence is the reason, if that is why
     */
    public synchronized void giveUp(int number, String reason, boolean objection, OptionalInt gone) {
        String shown = reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
        learn(
                self,
                GivingUp.newBuilder()
                        .setNumber(number)
                        .setReason(shown)
                        .setObjection(objection)
                        .setGone(gone.isPresent() ? gone.getAsInt() + 1 : 0)
                        .build());
    }

    /**
     * Announces which sites this one is waiting for.
     *
     * @param number must be larger than in every earlier call of this run
     */
    public synchronized void waitFor(long number, WaitingFor waitingFor) {
        learn(
                self,
                Waiting.newBuilder()
                        .setNumber(number)
                        .addAllSites(waitingFor.sites())
                        .setDown(waitingFor.down())
                        .build());
    }

    /** Returns which sites a site is waiting for, as far as is known. */
    public synchronized WaitingFor waitOf(int site) {
        return new WaitingFor(waits[site].getSitesList(), waits[site].getDown());
    }

    /** Processes a note from a neighbour; returns false if the note is malformed. */
    public synchronized boolean hear(int origin, int topic, byte[] body) {
        if (origin < 0 || origin >= presences.length) {
            return false;
        }
        try {
            return switch (topic) {
                case PRESENCE -> hearPresence(origin, body);
                case GIVING_UP -> hearReason(origin, GivingUp.parseFrom(body));
                case SignedWords.FACTS, SignedWords.CONFIRMATION, SignedWords.ATTESTATION, SignedWords.TESTIMONY ->
                    signed.hear(origin, topic, body);
                case WAITING -> hearWait(origin, Waiting.parseFrom(body));
                case REACHED -> hearTotals(origin, body);
                default -> false;
            };
        } catch (InvalidProtocolBufferException e) {
            return false;
        } catch (InvalidInputException e) {
            contradiction = e.getMessage();
            listener.onNews();
            return true;
        }
    }

    /** Announces what this site has signed at the end; only the first call counts. */
    public synchronized void attest(byte[] own) {
        signed.hear(self, SignedWords.ATTESTATION, own);
    }

    /** Returns what each site has signed at the end, as far as is known. */
    public synchronized List<Optional<byte[]>> attestations() {
        return known(SignedWords.ATTESTATION);
    }

    /** Announces what this site was told, in a dispute; only the first call counts. */
    public synchronized void testify(byte[] own) {
        signed.hear(self, SignedWords.TESTIMONY, own);
    }

    /** Returns what each site has said in a dispute that it was told, as far as is known. */
    public synchronized List<Optional<byte[]>> testimonies() {
        return known(SignedWords.TESTIMONY);
    }

    private List<Optional<byte[]>> known(int topic) {
        return Arrays.stream(signed.on(topic)).map(Optional::ofNullable).toList();
    }

    /** A total has an addend of every site. Whoever lacks a record of its own has lost what happened since. */
    private boolean hearTotals(int origin, byte[] body) {
        if (body.length != Long.BYTES) {
            return false;
        }
        long totals = ByteBuffer.wrap(body).getLong();
        if (totals > ownAddends.getAsLong()) {
            contradiction = "this site's state was restored from an older copy: its ledger ends with sum "
                    + ownAddends.getAsLong() + ", but a neighbour has the total of sum " + totals
                    + ". Nothing was sent; start a new run under another name at all sites";
        }
        counted.add(origin);
        listener.onNews();
        return true;
    }

    private boolean hearPresence(int origin, byte[] body) throws InvalidProtocolBufferException {
        if (bodies[origin] == null && origin != self) {
            learn(origin, Presence.decode(body), body);
        } else if (origin == self && bodies[self] != null && !Arrays.equals(bodies[self], body)) {
            contradiction =
                    "the other sites remember this site with different settings or data from before its restart; "
                            + "restore those, or start a new run under another name at all sites";
            listener.onNews();
        }
        return true;
    }

    private boolean hearReason(int origin, GivingUp reason) {
        boolean sane = reason.getNumber() >= 0
                && reason.getReason().length() <= LONGEST_REASON
                && reason.getGone() >= 0
                && reason.getGone() <= presences.length;
        boolean news = reasons[origin] == null || reason.getNumber() > reasons[origin].getNumber();
        if (sane && news && origin != self) {
            learn(origin, reason);
            OptionalInt gone = reason.getGone() > 0 ? OptionalInt.of(reason.getGone() - 1) : OptionalInt.empty();
            listener.onGivenUp(origin, reason.getReason(), reason.getObjection(), gone);
        }
        return sane;
    }

    private boolean hearWait(int origin, Waiting wait) {
        boolean sane = wait.getSitesCount() <= presences.length
                && wait.getSitesList().stream().allMatch(site -> site >= 0 && site < presences.length);
        if (sane && wait.getNumber() > waits[origin].getNumber() && origin != self) {
            learn(origin, wait);
        }
        return sane;
    }

    private void learn(int origin, Presence presence, byte[] body) {
        presences[origin] = presence;
        bodies[origin] = body;
        tellAll(origin, PRESENCE, body);
    }

    private void learn(int origin, GivingUp reason) {
        reasons[origin] = reason;
        tellAll(origin, GIVING_UP, reason.toByteArray());
    }

    private void learn(int origin, Waiting wait) {
        waits[origin] = wait;
        tellAll(origin, WAITING, wait.toByteArray());
    }

    private void tellAll(int origin, int topic, byte[] body) {
        for (Link link : links) {
            link.note(origin, topic, body);
        }
        listener.onNews();
    }

    /**
     * Sends a neighbour whose link has just come up everything that is known. The reasons why other sites gave up are
     * left out, since those sites may have come back.
     */
    public synchronized void tell(Link link) {
        for (int origin = 0; origin < presences.length; origin++) {
            if (bodies[origin] != null) {
                link.note(origin, PRESENCE, bodies[origin]);
            }
            for (int topic : SignedWords.TOPICS) {
                byte[] body = signed.on(topic)[origin];
                if (body != null) {
                    link.note(origin, topic, body);
                }
            }
            if (waits[origin].getSitesCount() > 0) {
                link.note(origin, WAITING, waits[origin].toByteArray());
            }
        }
        link.note(
                self,
                REACHED,
                ByteBuffer.allocate(Long.BYTES).putLong(ownTotals.getAsLong()).array());
        if (reasons[self] != null) {
            link.note(self, GIVING_UP, reasons[self].toByteArray());
        }
    }

    /** The numbers of the sites that have not announced themselves yet. */
    public synchronized List<Integer> missing() {
        return IntStream.range(0, presences.length)
                .filter(site -> presences[site] == null)
                .boxed()
                .toList();
    }

    /** The numbers of the sites that have announced themselves. */
    public synchronized List<Integer> present() {
        return IntStream.range(0, presences.length)
                .filter(site -> presences[site] != null)
                .boxed()
                .toList();
    }

    /** The reason a site gave when it last left, if it gave one. */
    public synchronized Optional<String> reasonOf(int site) {
        return Optional.ofNullable(reasons[site]).map(GivingUp::getReason);
    }

    /** The presence of a site that has announced itself. */
    public synchronized Presence presence(int site) {
        return presences[site];
    }

    /** The SHA-256 of all sites' fingerprints, in order; may be called only when no site is missing. */
    public synchronized String fingerprint() {
        return fingerprint(Arrays.stream(presences).map(Presence::fingerprint).toList());
    }

    /** The SHA-256 of fingerprints, in order. */
    public static String fingerprint(List<String> all) {
        return Sha256.hex(String.join("", all));
    }

    /** How the other sites' view of this site contradicts its own, if it does. */
    public synchronized Optional<String> contradiction() {
        return Optional.ofNullable(contradiction);
    }

    @Override
    public synchronized void state(State s) throws IOException {
        for (int origin = 0; origin < presences.length; origin++) {
            byte[] body = state(s, bodies[origin]);
            if (s.isRestoring() && body.length > 0) {
                learn(origin, Presence.decode(body), body);
            }
        }
        for (int topic : SignedWords.TOPICS) {
            for (int origin = 0; origin < presences.length; origin++) {
                byte[] body = state(s, signed.on(topic)[origin]);
                if (s.isRestoring() && body.length > 0) {
                    hear(origin, topic, body);
                }
            }
        }
    }

    /** No note is empty, so that an empty one stands for none. */
    private static byte[] state(State s, byte[] body) throws IOException {
        return s.bytes(body == null ? new byte[0] : body, LONGEST_NOTE);
    }
}
