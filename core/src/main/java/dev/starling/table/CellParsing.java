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

/** What single cells can be read as. */
final class CellParsing {

    /** Ways to write no and yes, in this order. */
    private static final List<List<String>> NO_AND_YES =
            List.of(List.of("false", "true"), List.of("no", "yes"), List.of("f", "t"), List.of("n", "y"));

    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern DATE =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?");
    private static final double SECONDS_OF_A_DAY = 86_400;

    private CellParsing() {}

    /** A plain decimal; NaN if the text is none, or is infinite as a double. */
    static double number(String text) {
        double number = NUMBER.matcher(text.strip()).matches() ? Double.parseDouble(text.strip()) : Double.NaN;
        return Double.isInfinite(number) ? Double.NaN : number;
    }

    /** The days since 1970 of a date with or without a time; NaN if the text is none. */
    static double days(String text) {
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

    /** How words spell no and yes, in this order, if they are nothing else, in capitals or not. */
    static Optional<List<String>> noAndYes(Set<String> words) {
        Map<String, String> spellings = new TreeMap<>();
        // Small letters come after capitals, and are preferred where both are there.
        new TreeSet<>(words).forEach(word -> spellings.put(word.toLowerCase(Locale.ROOT), word));
        return NO_AND_YES.contains(List.copyOf(spellings.keySet()))
                ? Optional.of(List.copyOf(spellings.values()))
                : Optional.empty();
    }

    /** A number, the same on every machine, that looks random. */
    static int bucket(String text, int buckets) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        // The last steps of MurmurHash3: without them neighbouring words have neighbouring hashes.
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return (int) Long.remainderUnsigned(hash ^ (hash >>> 33), buckets);
    }
}
