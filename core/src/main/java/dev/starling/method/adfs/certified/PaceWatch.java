package dev.starling.method.adfs.certified;

import dev.starling.certificate.Certificate;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Watches whether gaps shrink at the pace that theory promises, over a window of the last {@value #WINDOW} + 1
 * certificates: a single bad interval may be chance, and a good one between bad ones is no excuse.
 *
 * <p>Theory makes a statement about the error, P − D, not about its ratio to an objective that may still be falling,
 * and only up to a constant, which matters at the start. So absolute gaps are judged, and only once P − D &lt; P/2,
 * when P is less than twice its optimum.
 */
final class PaceWatch implements Stateful {

    /** The number of intervals between certificates that are judged together. */
    static final int WINDOW = 2;

    private static final double LARGEST_RELATIVE_GAP = 0.5;

    private final Deque<Certificate> window = new ArrayDeque<>();

    /**
     * Adds the next certificate, and returns whether the gap shrank at less than half the pace of theory over the
     * window that it completes.
     *
     * @param pace the pace that theory has predicted since the window began
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

    /** Returns P − D, including what rounding may add. */
    private static double gap(Certificate certificate) {
        return certificate.relativeGap() * certificate.objective();
    }

    /** Forgets the certificates so far, because the run changes its constants here. */
    void clear() {
        window.clear();
    }

    @Override
    public void state(State s) throws IOException {
        s.elements(window, Certificate.NONE, (state, certificate) -> certificate.state(state));
    }
}
