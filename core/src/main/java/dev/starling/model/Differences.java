package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What to find out about differences between nodes.
 *
 * @param isAsked whether anything is to be found out
 * @param columns the columns for which a test says whether their coefficients differ
 * @param bySite whether every node's own estimates are shown, and those of all others without it
 */
public record Differences(boolean isAsked, List<String> columns, boolean bySite) {

    /** Nothing. */
    public static final Differences NONE = new Differences(false, List.of(), false);

    /** Whether all coefficients together differ. */
    public static final Differences ALL = new Differences(true, List.of(), false);

    private static final String BY_SITE = "by-site";

    /** Copies the list. */
    public Differences {
        columns = List.copyOf(columns);
    }

    /** Those that a text names: {@code false}, or {@code true}, {@code by-site} and columns, separated by commas. */
    public static Differences named(String text) {
        List<String> words = Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        List<String> columns = new ArrayList<>(words);
        columns.removeAll(List.of(String.valueOf(true), String.valueOf(false), BY_SITE));
        if (words.contains(String.valueOf(false))) {
            if (words.size() > 1) {
                throw new InvalidInputException("heterogeneity " + text + " says false and more; give one of the two");
            }
            return NONE;
        }
        return words.isEmpty() ? NONE : new Differences(true, columns, words.contains(BY_SITE));
    }

    /** The text that {@link #named} reads. */
    public String text() {
        return !isAsked
                ? String.valueOf(false)
                : columns.isEmpty() && !bySite
                        ? String.valueOf(true)
                        : String.join(
                                ",",
                                Stream.concat(
                                                columns.stream(),
                                                Stream.of(BY_SITE).filter(any -> bySite))
                                        .toList());
    }

    /**
     * The features of the columns: those with the name, or with a level of it.
     *
     * @param names the names of all features
     * @throws InvalidInputException if a column has none
     */
    public int[] features(List<String> names) {
        return features("heterogeneity", columns, names);
    }

    /** The same for a setting of any name. */
    public static int[] features(String setting, List<String> columns, List<String> names) {
        for (String column : columns) {
            if (names.stream().noneMatch(name -> isOf(name, column))) {
                throw new InvalidInputException(setting + ": "
                        + InvalidInputException.unknownName("column", column, names)
                                .getMessage());
            }
        }
        return IntStream.range(0, columns.isEmpty() ? 0 : names.size())
                .filter(c -> columns.stream().anyMatch(column -> isOf(names.get(c), column)))
                .toArray();
    }

    private static boolean isOf(String name, String column) {
        return name.equals(column) || name.startsWith(column + "=");
    }
}
