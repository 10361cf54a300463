package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Standardizer;
import dev.starling.data.Standardizer.Moments;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How features are scaled for training. The model is given back on raw features whichever it is. */
public enum Scaling {
    /** Features stay as they are. */
    NONE,

    /** Every feature is divided by its standard deviation, so that zeros stay zeros; the target stays as it is. */
    SCALE,

    /**
     * Features, and in regression the target, are brought to deviation 1, and where rows are dense to mean 0 as well.
     * Sparse rows are not centred: that would make them dense.
     */
    STANDARDIZE;

    /** Whether features are brought to mean 0. */
    boolean centres(boolean dense) {
        return this == STANDARDIZE && dense;
    }

    /** How features of these moments, and in regression perhaps the target, are scaled. */
    Standardizer standardizer(Moments moments, boolean centred, boolean regression) {
        Standardizer features = centred ? Standardizer.centred(moments) : Standardizer.scaled(moments);
        return this == STANDARDIZE && regression ? features.withTarget() : features;
    }

    /** What it is called in settings. */
    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scaling of a name. */
    public static Scaling named(String name) {
        return Arrays.stream(values())
                .filter(scaling -> scaling.lowerCase().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("scaling", name, names()));
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Scaling::lowerCase).toList();
    }
}
