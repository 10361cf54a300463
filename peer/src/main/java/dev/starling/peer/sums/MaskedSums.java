package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.ObjectionException;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What stands between a site's addends and its neighbours: rules that may refuse, a ledger that has every sum on disk
 * before it leaves, and masks. A sum asked for again, after a restart, is answered with the same bytes or not at all.
 */
public final class MaskedSums implements SumGuard {

    private final Supplier<SumSession> opener;
    private final SumRules rules;
    private final SumLedger ledger;
    private final boolean masked;
    private final Consumer<String> refusals;
    private SumSession session;
    private SumHistory history;
    private byte[] question;

    /**
     * The guard of a run.
     *
     * @param session everyone's, known when the first sum is asked for
     * @param refusals told why this site refuses; others hear only that it does
     * @param masked whether addends are masked; two sites that have agreed to it need no masks, which hide nothing
     *     there
     */
    public MaskedSums(
            Supplier<SumSession> session, SumRules rules, SumLedger ledger, boolean masked, Consumer<String> refusals) {
        this.refusals = refusals;
        this.opener = session;
        this.rules = rules;
        this.ledger = ledger;
        this.masked = masked;
    }

    private SumSession session() {
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
        SiteFacts signed = session().facts(node);
        // A weight of classes multiplies weights; those that were signed are the rows' own.
        boolean fits = Double.isNaN(weight) || Math.abs(weight - signed.weight()) <= 1e-9 * signed.weight();
        if (rows != signed.rows() || !fits) {
            throw new ObjectionException(
                    node,
                    "is said to have " + rows + " rows of weight " + weight + ", and has signed " + signed.rows()
                            + " of weight " + signed.weight() + "; somebody on the way has altered it");
        }
    }

    @Override
    public void requireConsent(String method) {
        rules.requireConsent(method, session().limits());
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
            rules.require(request, addend);
        } catch (InvalidInputException e) {
            refusals.accept(e.getMessage());
            throw new InvalidInputException("its rules refuse to tell more; its own log says why", e);
        }
        ledger.record(history.next(), question, request, words);
        if (masked) {
            session().masks().apply(question, words);
        }
    }

    @Override
    public void opened(SumRequest request, double[] totals) {
        byte[] asked = question == null ? history().question(request) : question;
        history.add(asked, totals);
        question = null;
        try {
            rules.opened(request, totals);
        } catch (InvalidInputException e) {
            refusals.accept(e.getMessage());
            throw new ObjectionException(session().self(), e.getMessage());
        }
    }

    /** The digest of all sums so far. */
    public byte[] digest() {
        return history().digest();
    }

    /** Writes where the sums stand. */
    public void save(DataOutput out) throws IOException {
        out.writeBoolean(history != null);
        if (history != null) {
            history.save(out);
            rules.save(out);
        }
    }

    /** Takes up what {@link #save} wrote. */
    public void restore(DataInput in) throws IOException {
        if (in.readBoolean()) {
            history = new SumHistory(new byte[Sha256.BYTES]);
            history.restore(in);
            rules.restore(in);
        }
    }
}
