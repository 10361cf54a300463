package dev.starling.lab.comparison;

/** Hears how a comparison goes, on whatever thread makes it go. */
public interface ComparisonListener {

    /** Nobody listens. */
    ComparisonListener NONE = new ComparisonListener() {};

    /** The optimum is known, and this many curves are to come. */
    default void begun(Optimum optimum, int curves) {}

    /**
     * A method has come to a new point.
     *
     * @param share of its idealised time that has gone by, from 0 to 1
     */
    default void advanced(String method, long seed, Point point, double share) {}

    /** A curve is at its end. */
    default void finished(Curve curve) {}
}
