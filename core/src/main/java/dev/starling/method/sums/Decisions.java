package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import dev.starling.method.Solution;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.Optional;

/**
 * The decisions of a run, each a function of the totals so far. Every node makes them for itself, so that no node has
 * to trust instructions from another. The nodes of one process share this object across their threads: each decision is
 * made once, by the first node that has the totals it follows from.
 *
 * @param <D> the method's type of decision
 */
public abstract class Decisions<D extends Decision> implements Stateful {

    private D latest;

    /**
     * Makes the first decision, which follows from no totals. A subclass must call this at the end of its constructor.
     */
    protected final void begin() {
        latest = decision(0, Optional.empty(), false);
    }

    /** Returns a decision that describes the next sum in the method's current state. */
    protected abstract D decision(int number, Optional<Certificate> certificate, boolean ended);

    /** Returns the decision that follows from the totals of the sum that the latest decision asked for. */
    protected abstract D decide(D asked, double[] totals);

    /** Makes the next sum the last one; returns false if it already was. */
    protected abstract boolean hasten();

    /** Saves or restores the state without the latest decision. */
    protected abstract void progress(State s) throws IOException;

    /** Returns the best result so far. */
    public abstract Solution result();

    /** Returns the latest decision. */
    public final synchronized D latest() {
        return latest;
    }

    /** Returns the decision that follows from the totals of the sum that a decision asked for. */
    public final synchronized D after(D asked, double[] totals) {
        if (latest.number() == asked.number()) {
            latest = decide(asked, totals);
        }
        return latest;
    }

    /**
     * Makes the next sum the last one. To be called only if all nodes of the run are in this process and none of them
     * is waiting for the current sum.
     */
    public final synchronized D finish() {
        if (!latest.ended() && hasten()) {
            latest = decision(latest.number() + 1, Optional.empty(), false);
        }
        return latest;
    }

    @Override
    public final synchronized void state(State s) throws IOException {
        int number = s.number(latest.number());
        boolean certified = s.flag(latest.certificate().isPresent());
        Certificate certificate = latest.certificate().orElse(Certificate.NONE).state(s);
        boolean ended = s.flag(latest.ended());
        progress(s);
        if (s.isRestoring()) {
            latest = decision(number, certified ? Optional.of(certificate) : Optional.empty(), ended);
        }
    }
}
