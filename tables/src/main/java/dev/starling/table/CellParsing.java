package dev.starling.table;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Parses single cells as numbers, dates or booleans. */
public final class CellParsing {

    /** The ways to write no and yes, in this order. */
    private static final List<List<String>> NO_AND_YES =
            List.of(List.of("false", "true"), List.of("no", "yes"), List.of("f", "t"), List.of("n", "y"));

    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern DATE =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?");
    private static final double SECONDS_OF_A_DAY = 86_400;

    private CellParsing() {}

    /** The value of a plain decimal; NaN if the text is not one, or is too large for a double. */
    public static double number(String text) {
        double number = NUMBER.matcher(text.strip()).matches() ? Double.parseDouble(text.strip()) : Double.NaN;
        return Double.isInfinite(number) ? Double.NaN : number;
    }

    /** The days since 1970 of a date with or without a time; NaN if the text is not one. */
    public static double days(String text) {
        if (!DATE.matcher(text).matches()) {
            return Double.NaN;
        }
        try {
            if (text.length() == "2024-02-29".length()) {
                return LocalDate.parse(text).toEpochDay();
            }
            Instant time = LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
            return (time.getEpochSecond() + time.getNano() * 1e-9) / SECONDS_OF_A_DAY;
        } catch (DateTimeParseException e) {
            return Double.NaN;
        }
    }

    /** The spellings of no and yes, in this order, if the words are nothing else; case does not matter. */
    public static Optional<List<String>> noAndYes(Set<String> words) {
        Map<String, String> spellings = new TreeMap<>();
        // Lower case sorts after upper case, and so is preferred if both occur.
        new TreeSet<>(words).forEach(word -> spellings.put(word.toLowerCase(Locale.ROOT), word));
        return NO_AND_YES.contains(List.copyOf(spellings.keySet()))
                ? Optional.of(List.copyOf(spellings.values()))
                : Optional.empty();
    }

    /** A hash bucket from 0 to buckets − 1, the same on every machine. */
    public static int bucket(String text, int buckets) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        // MurmurHash3's finaliser: without it, similar words would have similar hashes.
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) Long.remainderUnsigned(hash ^ (hash >>> 33), buckets);
    }
}
