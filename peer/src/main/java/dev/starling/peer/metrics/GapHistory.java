package dev.starling.peer.metrics;

import java.util.ArrayList;
import java.util.List;

/**
 * The certified gaps of a run over time. Once there are too many, every other one is dropped and only every k-th of
 * those that follow is kept.
 */
public final class GapHistory {

    private static final int MOST = 1000;

    /**
     * The main numbers of a certificate.
     *
     * @param seconds time since the site was started
     * @param gap the relative gap
     * @param epochs passes over the samples so far
     */
    public record Point(double seconds, double gap, double epochs) {}

    private final List<Point> points = new ArrayList<>();
    private int stride = 1;
    private int skipped;
    private Point first;
    private Point last;

    GapHistory() {}

    /**
     * Called when another problem begins, since how long an epoch takes is estimated from each problem's own
     * certificates.
     */
    synchronized void restart() {
        first = null;
        last = null;
    }

    synchronized void add(double seconds, double gap, double epochs) {
        last = new Point(seconds, gap, epochs);
        first = first == null ? last : first;
        if (++skipped < stride) {
            return;
        }
        skipped = 0;
        points.add(last);
        if (points.size() > MOST) {
            stride *= 2;
            List<Point> half = new ArrayList<>();
            for (int k = 0; k < points.size(); k += 2) {
                half.add(points.get(k));
            }
            points.clear();
            points.addAll(half);
        }
    }

    /**
     * Seconds per epoch between the first and the last certificate of this problem; NaN if there are fewer than two.
     */
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
