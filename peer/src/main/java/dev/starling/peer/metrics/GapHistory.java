package dev.starling.peer.metrics;

import java.util.ArrayList;
import java.util.List;

/**
 * The certified gaps of a run over time: all of them while they are few, every other one of them when they are many.
 */
public final class GapHistory {

    private static final int MOST = 1000;

    /**
     * A certificate, in short.
     *
     * @param seconds since the site was started
     * @param gap the relative gap
     * @param epochs passes over the samples
     */
    public record Point(double seconds, double gap, double epochs) {}

    private final List<Point> points = new ArrayList<>();
    private int every = 1;
    private int skipped;
    private Point first;
    private Point last;

    GapHistory() {}

    /** Another problem begins: how long an epoch takes is seen from its own certificates. */
    synchronized void restart() {
        first = null;
        last = null;
    }

    synchronized void add(double seconds, double gap, double epochs) {
        last = new Point(seconds, gap, epochs);
        first = first == null ? last : first;
        if (++skipped < every) {
            return;
        }
        skipped = 0;
        points.add(last);
        if (points.size() > MOST) {
            every *= 2;
            List<Point> half = new ArrayList<>();
            for (int k = 0; k < points.size(); k += 2) {
                half.add(points.get(k));
            }
            points.clear();
            points.addAll(half);
        }
    }

    /** Seconds of an epoch between the first certificate of this problem and the last; not a number if there is one. */
    synchronized double secondsPerEpoch() {
        double epochs = first == null ? 0 : last.epochs() - first.epochs();
        return epochs > 0 ? (last.seconds() - first.seconds()) / epochs : Double.NaN;
    }

    /** The points, in order; the last one is the newest certificate. */
    public synchronized List<Point> points() {
        List<Point> all = new ArrayList<>(points);
        if (last != null && (all.isEmpty() || !all.get(all.size() - 1).equals(last))) {
            all.add(last);
        }
        return all;
    }
}
