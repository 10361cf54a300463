package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import java.io.DataInput;
import java.io.DataOutput;
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

    /** Writes the state without the latest decision. */
    protected abstract void saveProgress(DataOutput out) throws IOException;

    /** Restores what {@link #saveProgress} wrote. */
    protected abstract void restoreProgress(DataInput in) throws IOException;

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
    public final synchronized void save(DataOutput out) throws IOException {
        out.writeInt(latest.number());
        out.writeBoolean(latest.certificate().isPresent());
        latest.certificate().orElse(Certificate.NONE).save(out);
        out.writeBoolean(latest.ended());
        saveProgress(out);
    }

    @Override
    public final synchronized void restore(DataInput in) throws IOException {
        int number = in.readInt();
        boolean certified = in.readBoolean();
        Certificate certificate = Certificate.restore(in);
        boolean ended = in.readBoolean();
        restoreProgress(in);
        latest = decision(number, certified ? Optional.of(certificate) : Optional.empty(), ended);
    }
}
