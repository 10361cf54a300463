package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;

/** Which standard errors a fit without regularisation ends with. */
public enum StandardErrors {
    /** None. */
    NONE("none"),

    /** Those of the family, from the expected information, as R prints them. */
    MODEL("model"),

    /** Robust ones, from squared slopes. */
    HC0("HC0"),

    /** {@link #HC0} times n/(n − p). */
    HC1("HC1"),

    /** Robust ones, with squared slopes divided by 1 − h, where h is the leverage of the row. */
    HC2("HC2"),

    /** Robust ones, with squared slopes divided by (1 − h)². */
    HC3("HC3"),

    /** Robust ones for rows in clusters, times G/(G − 1) · (n − 1)/(n − p) for G clusters. */
    CR1("CR1"),

    /**
     * Robust ones for rows in clusters, less biased if these are few: Bell and McCaffrey's, with degrees of freedom.
     */
    CR2("CR2"),

    /** Those of a model in which every cluster has a random intercept, beside those of the family. */
    RANDOM_INTERCEPT("random-intercept");

    private final String text;

    StandardErrors(String text) {
        this.text = text;
    }

    /** The name in settings. */
    public String text() {
        return text;
    }

    /** Whether they are more than those of the family. */
    public boolean isRobust() {
        return this != NONE && this != MODEL && this != RANDOM_INTERCEPT;
    }

    /** Whether rows belong to clusters, which their keys tell. */
    public boolean isClustered() {
        return sumsClusters() || this == RANDOM_INTERCEPT;
    }

    /** Whether slopes are added up by cluster before they are squared. */
    public boolean sumsClusters() {
        return this == CR1 || this == CR2;
    }

    /** The power of 1 − h that squared slopes are divided by. */
    public int powerOfLeverage() {
        return this == HC2 ? 1 : this == HC3 ? 2 : 0;
    }

    /** Those with a name. */
    public static StandardErrors named(String name) {
        return InvalidInputException.named("standard errors", name, Arrays.asList(values()), StandardErrors::text);
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(StandardErrors::text).toList();
    }
}
