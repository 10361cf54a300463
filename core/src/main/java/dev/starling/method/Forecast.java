package dev.starling.method;

import java.util.List;

/**
 * The predicted cost of a method that is tuned for a network and its rows. A {@code factor} is the factor by which the
 * gap has to shrink.
 */
public interface Forecast {

    /** Returns τ, the cost of a message when a proximal step, or a visit to a row, costs 1. */
    double delay();

    /** Returns the predicted number of passes over the samples. */
    double epochsFor(double factor);

    /** Returns the predicted number of communication rounds. */
    double roundsFor(double factor);

    /**
     * Returns the predicted idealised time, in which a proximal step, or a visit to a row, takes 1 and a message takes
     * τ.
     */
    double idealisedTimeFor(double factor);

    /** Returns every prediction for reaching a relative gap, in the terms of the method. */
    List<Constant> details(double gap);
}
