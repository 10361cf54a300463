package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How features are scaled for training. The resulting model applies to raw features in any case. */
public enum Scaling {
    /** Features stay as they are. */
    NONE,

    /** Every feature is divided by its standard deviation; zeros stay zeros, and the target is not scaled. */
    SCALE,

    /**
     * Features, and a target that may be any number, are scaled to standard deviation 1; dense rows are also centred to
     * mean 0. Sparse rows are not centred, which would make them dense.
     */
    STANDARDIZE;

    /** Whether features are centred to mean 0. */
    public boolean centres(boolean dense) {
        return this == STANDARDIZE && dense;
    }

    /** The scaling of features with these moments and, for {@link #STANDARDIZE}, of a target that may be scaled. */
    public Standardizer standardizer(Moments moments, boolean centred, boolean scalable) {
        Standardizer features = centred ? Standardizer.centred(moments) : Standardizer.scaled(moments);
        return this == STANDARDIZE && scalable ? features.withTarget() : features;
    }

    /** The name in settings. */
    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scaling with a name. */
    public static Scaling named(String name) {
        return InvalidInputException.named("scaling", name, Arrays.asList(values()), Scaling::lowerCase);
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Scaling::lowerCase).toList();
    }
}
