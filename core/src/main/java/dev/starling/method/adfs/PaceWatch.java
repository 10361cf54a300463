package dev.starling.method.adfs;

import dev.starling.certificate.Certificate;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Watches whether certificates come down at the pace that theory promises, over a window of the last {@value #WINDOW} +
 * 1 of them: a single late one may be chance, and a good one between bad ones is no excuse.
 *
 * <p>What theory speaks of is the error, P − D, not its share of an objective that may still be falling; and it speaks
 * of it up to a constant, which shows at the start. So gaps are judged as they are, and only from P − D &lt; P/2 on,
 * where P is less than twice its least value.
 */
final class PaceWatch {

    /** Intervals between certificates that are judged together. */
    static final int WINDOW = 2;

    private static final double LARGEST_RELATIVE_GAP = 0.5;

    private final Deque<Certificate> window = new ArrayDeque<>();

    /**
     * Takes the next certificate: whether the window that it completes fell at less than half the pace of theory.
     *
     * @param pace what theory has had since the window began
     */
    boolean isBehindTheory(Certificate present, StepForecast pace) {
        if (window.isEmpty() && !(present.relativeGap() < LARGEST_RELATIVE_GAP)) {
            return false;
        }
        window.addLast(present);
        if (window.size() <= WINDOW) {
            return false;
        }
        Certificate first = window.removeFirst();
        return gap(present) > 0 && !pace.keepsUp(gap(first), first.steps(), gap(present), present.steps());
    }

    /** P − D, no smaller than rounding allows to say. */
    private static double gap(Certificate certificate) {
        return certificate.relativeGap() * certificate.objective();
    }

    /** Forgets the certificates so far: the run is another from here on. */
    void clear() {
        window.clear();
    }

    void save(DataOutput out) throws IOException {
        out.writeInt(window.size());
        for (Certificate certificate : window) {
            certificate.save(out);
        }
    }

    void restore(DataInput in) throws IOException {
        window.clear();
        for (int left = in.readInt(); left > 0; left--) {
            window.addLast(Certificate.restore(in));
        }
    }
}
