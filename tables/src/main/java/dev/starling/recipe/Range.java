package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;

/**
 * Where the values of a column can be expected to lie, agreed on without looking at them: between two numbers, in
 * {@value #STEPS} steps.
 *
 * @param from the lower end
 * @param to the upper end
 */
public record Range(double from, double to) {

    /** The number of steps from one end to the other. */
    public static final int STEPS = 1024;

    /** Checks the ends. */
    public Range {
        if (!(from < to) || Double.isInfinite(from) || Double.isInfinite(to) || Double.isInfinite(to - from)) {
            throw new InvalidInputException("range " + Labels.text(from) + " to " + Labels.text(to)
                    + " must go from a number to a larger one, such as 0 to 100");
        }
    }

    /** The number after the given number of steps. */
    double at(int step) {
        return from + (to - from) * step / STEPS;
    }
}
