package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.ObjectionException;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumGuard;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What stands between a site's addends (its contributions to sums) and its neighbours: rules that may refuse, a book
 * that records every addend on disk before it leaves, and masks. A sum that is requested again after a restart is
 * answered with the same bytes or not at all.
 */
public final class MaskedSums implements SumGuard, Stateful {

    /** Leaves words unmasked: for a run whose sites have all turned masks off, or to recompute what was sent. */
    public static final BiConsumer<byte[], double[]> NO_MASKS = (question, words) -> {};

    private final Supplier<SessionFacts> opener;
    private final SiteRules rules;
    private final SumBook book;
    private final BiConsumer<byte[], double[]> masks;
    private final SumWitness witness;
    private final Consumer<String> refusals;
    private SessionFacts session;
    private SumHistory history;
    private byte[] question;
    private byte[] addendSeal = {};
    private List<Told> told = new ArrayList<>();
    private volatile long opened;

    /**
     * Creates the guard of a run.
     *
     * @param session returns the facts of all sites; they are known by the time of the first sum
     * @param book where addends are recorded before they leave
     * @param masks masks the words of the answer to a question, in place
     * @param witness seals addends, and signs totals
     * @param refusals receives the reason why this site refuses; the others learn only that it does
     */
    public MaskedSums(
            Supplier<SessionFacts> session,
            SiteRules rules,
            SumBook book,
            BiConsumer<byte[], double[]> masks,
            SumWitness witness,
            Consumer<String> refusals) {
        this.opener = session;
        this.rules = rules;
        this.book = book;
        this.masks = masks;
        this.witness = witness;
        this.refusals = refusals;
    }

    private SessionFacts session() {
        session = session == null ? opener.get() : session;
        return session;
    }

    private SumHistory history() {
        history = history == null ? new SumHistory(session().id()) : history;
        return history;
    }

    @Override
    public boolean isBetweenOwners() {
        return true;
    }

    @Override
    public ReleaseLimits limits() {
        return rules.limits(session().limits());
    }

    @Override
    public void requireSaid(int node, long rows, double weight) {
        SiteFacts signed = session().site(node);
        // Class weights multiply the weights of rows; what was signed is the rows' own weight.
        boolean fits = Double.isNaN(weight) || Math.abs(weight - signed.weight()) <= 1e-9 * signed.weight();
        if (rows != signed.rows() || !fits) {
            throw new ObjectionException(
                    node,
                    "is said to have " + rows + " rows of weight " + weight + ", but has signed " + signed.rows()
                            + " of weight " + signed.weight() + "; somebody on the way has altered this");
        }
    }

    @Override
    public void requireConsent(String method) {
        rules.requireConsent(method, session().limits());
    }

    @Override
    public void requireLeave(String what) {
        rules.requireLeave(what, session().limits());
    }

    @Override
    public boolean allows(SumKind kind, int problem, double[] shares) {
        return rules.allows(kind, problem, shares);
    }

    @Override
    public boolean wishesToStop() {
        return rules.wishesToStop();
    }

    @Override
    public double[] heading() {
        return history().heading();
    }

    @Override
    public int headingLength() {
        return SumHistory.HEADING_LENGTH;
    }

    @Override
    public void seal(SumRequest request, double[] addend, double[] words) {
        question = history().question(request);
        try {
            if (request.kind() == SumKind.SITES) {
                requireLeave(request.name());
            }
            rules.require(request, addend);
        } catch (InvalidInputException e) {
            refusals.accept(e.getMessage());
            throw new InvalidInputException("its rules refuse to release more; its own log says why", e);
        }
        book.record(history.next(), question, request, words);
        addendSeal = witness.seal(question, words);
        masks.accept(question, words);
    }

    @Override
    public int sealLength() {
        return Seals.LENGTH;
    }

    @Override
    public int signatureLength() {
        return Seals.SIGNATURE_LENGTH;
    }

    @Override
    public void stamp(SumRequest request, double[] seal, double[] message, int from) {
        Seals.write(addendSeal, seal, 0);
        Seals.write(Seals.ofPassedOn(asked(request), message, from), seal, Seals.HASH_LENGTH);
    }

    @Override
    public void requireStamped(SumRequest request, double[] seal, double[] message, int from) {
        byte[] stated = Seals.read(seal, Seals.HASH_LENGTH, Sha256.BYTES);
        if (!Arrays.equals(stated, Seals.ofPassedOn(asked(request), message, from))) {
            throw new InvalidInputException("words of a sum under a seal that is not theirs");
        }
    }

    @Override
    public void requireSame(double[] own, double[] seal) {
        witness.requireOwnSeal(Arrays.equals(own, seal));
    }

    @Override
    public double[] signed(int parent, double[] received) {
        byte[] digest = history().digest();
        boolean root = parent < 0;
        Told last = new Told(opened, digest, root ? witness.sign(opened, digest) : Seals.signature(received));
        if (!root) {
            witness.requireSigned(last);
        }
        told.add(last);
        if (told.size() > Told.KEPT) {
            told.remove(0);
        }
        return Seals.entries(last.signature());
    }

    private byte[] asked(SumRequest request) {
        return question == null ? history().question(request) : question;
    }

    @Override
    public void opened(SumRequest request, double[] totals) {
        history.add(asked(request), totals);
        opened = history.next() - 1;
        question = null;
        try {
            rules.opened(request, totals);
        } catch (InvalidInputException e) {
            refusals.accept(e.getMessage());
            throw new ObjectionException(session().self(), e.getMessage());
        }
    }

    /** How many totals are known; may be called by any thread. */
    public long opened() {
        return opened;
    }

    /** The latest that the root has signed. */
    public List<Told> told() {
        return List.copyOf(told);
    }

    /** The digest of all requests and totals so far. */
    public byte[] digest() {
        return history().digest();
    }

    @Override
    public void state(State s) throws IOException {
        if (s.flag(history != null)) {
            history = history == null ? new SumHistory(new byte[Sha256.BYTES]) : history;
            history.state(s);
            opened = history.next() - 1;
            addendSeal = s.bytes(addendSeal, Sha256.BYTES);
            told = Told.states(s, told);
            rules.state(s);
        }
    }
}
