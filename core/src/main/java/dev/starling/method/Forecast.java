package dev.starling.method;

import java.util.List;

/**
 * What a method, tuned for a network and its rows, is predicted to take. A factor is by how much the gap is to shrink.
 */
public interface Forecast {

    /** τ, what a message costs when a proximal step, or visiting a row, costs 1. */
    double delay();

    /** Passes over the samples. */
    double epochsFor(double factor);

    /** Communication rounds. */
    double roundsFor(double factor);

    /** Idealised time, on a clock on which a proximal step, or visiting a row, takes 1 and a message τ. */
    double idealisedTimeFor(double factor);

    /** Everything that is predicted for a relative gap, in the words of the method. */
    List<Constant> details(double gap);
}
