package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;

/** A row given by the names of its features. */
final class NamedRow {

    private NamedRow() {}

    /** The values in the order of the features. */
    static double[] values(List<String> names, int features, Map<String, ?> row) {
        if (names.size() < features) {
            throw new InvalidInputException("the model has names for " + names.size() + " of its " + features
                    + " features; give the row as an array");
        }
        row.keySet().stream().filter(name -> !names.contains(name)).findFirst().ifPresent(name -> {
            throw InvalidInputException.unknownName("feature", name, names);
        });
        return names.stream().mapToDouble(name -> value(name, row.get(name))).toArray();
    }

    private static double value(String name, Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new InvalidInputException(
                "feature '" + name + "' is " + value + "; the model needs a number for each of its features");
    }
}
