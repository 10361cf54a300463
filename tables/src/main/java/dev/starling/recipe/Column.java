package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A column of a table: its name, what its cells mean, and what to do about missing values and unknown levels.
 *
 * @param name the name, as written in the table's header
 * @param kind what its cells mean
 * @param levels the values that a cell can take, in the order of their features; empty until they are known, and for
 *     numbers and dates
 * @param reference the level that has no feature of its own; empty if there is none
 * @param rare levels that share one feature, because few rows have them
 * @param unknownIsReference whether an unknown level counts as the reference; otherwise it is rejected
 * @param buckets number of features that levels are hashed into; 0 unless there are too many to list
 * @param missing what to do about missing values
 * @param fill the cell that replaces a missing one; empty if none does, or until it is known
 * @param indicator whether there is a feature that is 1 where the value was missing
 */
public record Column(
        String name,
        Kind kind,
        List<String> levels,
        Optional<String> reference,
        List<String> rare,
        boolean unknownIsReference,
        int buckets,
        Missing missing,
        Optional<String> fill,
        boolean indicator) {

    /** The name of the feature for rare levels. */
    static final String RARE = "(rare)";

    /** What it may have in the file of a recipe. */
    public static final Set<String> MEMBERS =
            Set.of("name", "kind", "levels", "reference", "rare", "unknown", "buckets", "missing", "fill", "indicator");

    /** Copies the lists and rejects contradictions. */
    public Column {
        levels = List.copyOf(levels);
        rare = List.copyOf(rare);
        if (name.isEmpty()) {
            throw new InvalidInputException("a column has no name; every column needs one");
        }
        Set<String> seen = new HashSet<>();
        for (String level : Stream.concat(levels.stream(), rare.stream()).toList()) {
            require(seen.add(level), name, "has the level '" + level + "' twice; levels must differ");
        }
        if (reference.isPresent() && !levels.isEmpty() && !levels.contains(reference.get())) {
            throw refused(
                    name,
                    "has no level '" + reference.get() + "' to use as the reference"
                            + InvalidInputException.meant(reference.get(), levels)
                                    .map(level -> "; did you mean '" + level + "'?")
                                    .orElse(";")
                            + " there are: " + String.join(", ", levels));
        }
        require(
                kind.hasLevels() || (levels.isEmpty() && reference.isEmpty() && rare.isEmpty() && buckets == 0),
                name,
                "is " + kind.text() + "; only categories have levels");
        require(kind == Kind.CATEGORICAL || buckets == 0, name, "is " + kind.text() + "; only categories are hashed");
        require(
                kind != Kind.BOOLEAN || levels.isEmpty() || levels.size() == 2,
                name,
                "is boolean; it must have two levels");
        require(buckets >= 0 && buckets <= 1 << 24, name, "has " + buckets + " buckets; 1 to 16777216 are possible");
        require(
                !kind.hasLevels() || (missing != Missing.MEAN && missing != Missing.MEDIAN),
                name,
                "has levels, which have no " + missing.text() + "; most-frequent is possible");
        require(
                !kind.isDate() || !missing.isImputed(),
                name,
                "holds dates; missing ones can be refused or their rows dropped");
    }

    /** A column with only a name and a kind. */
    public static Column of(String name, Kind kind) {
        return new Column(
                name, kind, List.of(), Optional.empty(), List.of(), false, 0, Missing.REFUSE, Optional.empty(), false);
    }

    /** The same column with levels, some of which are rare. */
    public Column levels(List<String> common, List<String> newRare) {
        return new Column(
                name, kind, common, reference, newRare, unknownIsReference, buckets, missing, fill, indicator);
    }

    /** The same column with another reference. */
    public Column reference(String level) {
        return new Column(
                name, kind, levels, Optional.of(level), rare, unknownIsReference, buckets, missing, fill, indicator);
    }

    /** The same column whose unknown levels count as the reference, or are rejected. */
    public Column unknownIsReference(boolean value) {
        return new Column(name, kind, levels, reference, rare, value, buckets, missing, fill, indicator);
    }

    /** The same column with levels hashed into this many features. */
    public Column hashed(int newBuckets) {
        return new Column(
                name, kind, levels, reference, rare, unknownIsReference, newBuckets, missing, fill, indicator);
    }

    /** The same column with another policy for missing values. */
    public Column missing(Missing policy) {
        return new Column(name, kind, levels, reference, rare, unknownIsReference, buckets, policy, fill, indicator);
    }

    /** The same column with a cell that replaces missing ones, and with or without a feature that indicates them. */
    public Column fill(String cell, boolean newIndicator) {
        return fill(Optional.of(cell), newIndicator);
    }

    /** The same column without the cell that replaces missing ones, which is yet to be determined. */
    public Column unfilled(boolean newIndicator) {
        return fill(Optional.empty(), newIndicator);
    }

    private Column fill(Optional<String> cell, boolean newIndicator) {
        return new Column(
                name, kind, levels, reference, rare, unknownIsReference, buckets, missing, cell, newIndicator);
    }

    private static void require(boolean holds, String name, String problem) {
        if (!holds) {
            throw refused(name, problem);
        }
    }

    private static InvalidInputException refused(String name, String problem) {
        return new InvalidInputException("column '" + name + "' " + problem);
    }
}
