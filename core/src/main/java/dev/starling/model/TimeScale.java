package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The function g of time with which a test of proportional hazards lets coefficients change: β + γ g(t). */
public enum TimeScale {
    /** None: no such test. */
    NONE,

    /** The time itself. */
    IDENTITY,

    /** Its logarithm. */
    LOG,

    /** Its rank among the times of all rows. */
    RANK,

    /** One minus Kaplan and Meier's estimate just before it, of all rows. */
    KM;

    /** That with a name. */
    public static TimeScale named(String name) {
        return InvalidInputException.named("scale of time", name, Arrays.asList(values()), TimeScale::text);
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(TimeScale::text).toList();
    }

    /** Its name. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it depends on the times of all rows, which no site knows. */
    public boolean dependsOnRows() {
        return this == RANK || this == KM;
    }

    /** Its value at a time, if it does not depend on rows. */
    public double at(double time) {
        return this == LOG ? Elementary.log(time) : time;
    }
}
