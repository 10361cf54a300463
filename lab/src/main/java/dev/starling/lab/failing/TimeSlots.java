package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;

/** Divides idealised time into slots of equal length, none shorter than a proximal step. */
final class TimeSlots {

    private TimeSlots() {}

    static void require(String what, double length) {
        if (!(length >= 1) || Double.isInfinite(length)) {
            throw new InvalidInputException(what + " that last " + length
                    + "; their length must be at least 1, the time of a step, and finite, for example 100");
        }
    }

    /** The number of the slot that contains a time. */
    static long at(double time, double length) {
        return (long) Math.floor(time / length);
    }
}
