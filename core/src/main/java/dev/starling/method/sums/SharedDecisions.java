package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import dev.starling.node.State;
import java.io.IOException;
import java.util.Optional;

/**
 * Decisions that the nodes of one process share: each is made once, by the first node that has the totals it follows
 * from.
 *
 * @param <D> the method's type of decision
 */
public abstract class SharedDecisions<D extends Decision> implements Decisions<D> {

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

    @Override
    public final synchronized D latest() {
        return latest;
    }

    @Override
    public final synchronized D after(D asked, double[] totals) {
        if (latest.number() == asked.number()) {
            latest = decide(asked, totals);
        }
        return latest;
    }

    @Override
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
