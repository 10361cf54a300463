package dev.starling.lab.comparison;

/** Receives the progress of a comparison, on whichever thread makes it. */
public interface ComparisonListener {

    /** A listener that ignores everything. */
    ComparisonListener NONE = new ComparisonListener() {};

    /** Called once the optimum is known; this many curves will follow. */
    default void begun(Optimum optimum, int curves) {}

    /**
     * Called when a method has reached a new point.
     *
     * @param share the share of its idealised time that has passed, from 0 to 1
     */
    default void advanced(String method, long seed, Point point, double share) {}

    /** Called when a curve is finished. */
    default void finished(Curve curve) {}
}
