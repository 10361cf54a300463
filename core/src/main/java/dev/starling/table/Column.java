package dev.starling.table;

import dev.starling.data.InvalidInputException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A column of a table: what it is called, what its cells mean, and what to do about those that are missing or new.
 *
 * @param name as the table's header spells it
 * @param kind what its cells mean
 * @param levels the values that a cell can take, in the order of their features; empty until they are known, and for
 *     numbers and dates
 * @param reference the level that has no feature of its own; empty where there is none
 * @param rare levels that share one feature, because few rows have them
 * @param unknownIsReference whether a level that is not known counts as the reference; otherwise it is refused
 * @param buckets number of features that levels are spread over by their hash; 0 unless there are too many to list
 * @param missing what to do about missing values
 * @param fill the cell that stands in for a missing one; empty where none does, or until it is known
 * @param indicator whether a feature says where the value was missing
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

    /** How the feature of rare levels is called. */
    static final String RARE = "(rare)";

    /** Copies the lists, and refuses what contradicts itself. */
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
        if (reference.isPresent()) {
            require(
                    levels.isEmpty() || levels.contains(reference.get()),
                    name,
                    "has no level '" + reference.get() + "' to refer to; there are: " + String.join(", ", levels));
        }
        require(
                kind.hasLevels() || (levels.isEmpty() && reference.isEmpty() && rare.isEmpty() && buckets == 0),
                name,
                "is " + kind.text() + "; only categories have levels");
        require(kind == Kind.CATEGORICAL || buckets == 0, name, "is " + kind.text() + "; only categories are hashed");
        require(kind != Kind.BOOLEAN || levels.isEmpty() || levels.size() == 2, name, "is boolean; it has two levels");
        require(buckets >= 0 && buckets <= 1 << 24, name, "has " + buckets + " buckets; 1 to 16777216 are possible");
        require(
                !kind.hasLevels() || (missing != Missing.MEAN && missing != Missing.MEDIAN),
                name,
                "has levels, which have no " + missing.text() + "; most-frequent is possible");
        require(
                kind != Kind.DATE || !missing.isImputed(),
                name,
                "holds dates; missing ones can be refused or their rows dropped");
    }

    /** A column of which only name and kind are known. */
    public static Column of(String name, Kind kind) {
        return new Column(
                name, kind, List.of(), Optional.empty(), List.of(), false, 0, Missing.REFUSE, Optional.empty(), false);
    }

    /** The same column of another kind. */
    public Column as(Kind newKind) {
        return new Column(
                name, newKind, levels, reference, rare, unknownIsReference, buckets, missing, fill, indicator);
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

    /** The same column whose unknown levels count as the reference, or are refused. */
    public Column unknownIsReference(boolean value) {
        return new Column(name, kind, levels, reference, rare, value, buckets, missing, fill, indicator);
    }

    /** The same column with levels spread over this many features by their hash. */
    public Column hashed(int newBuckets) {
        return new Column(
                name, kind, levels, reference, rare, unknownIsReference, newBuckets, missing, fill, indicator);
    }

    /** The same column with another policy for missing values. */
    public Column missing(Missing policy) {
        return new Column(name, kind, levels, reference, rare, unknownIsReference, buckets, policy, fill, indicator);
    }

    /** The same column with what stands in for a missing value, and whether a feature says so. */
    public Column fill(String cell, boolean newIndicator) {
        return fill(Optional.of(cell), newIndicator);
    }

    /** The same column with what stands in for a missing value left open. */
    public Column unfilled(boolean newIndicator) {
        return fill(Optional.empty(), newIndicator);
    }

    private Column fill(Optional<String> cell, boolean newIndicator) {
        return new Column(
                name, kind, levels, reference, rare, unknownIsReference, buckets, missing, cell, newIndicator);
    }

    private static void require(boolean holds, String name, String problem) {
        if (!holds) {
            throw new InvalidInputException("column '" + name + "' " + problem);
        }
    }
}
