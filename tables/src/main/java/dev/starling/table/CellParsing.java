package dev.starling.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses single cells as numbers, dates or booleans. */
public final class CellParsing {

    /** The ways to write no and yes, in this order. */
    private static final List<List<String>> NO_AND_YES =
            List.of(List.of("false", "true"), List.of("no", "yes"), List.of("f", "t"), List.of("n", "y"));

    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern DATE = Pattern.compile("(?:(?<year>[0-9]{4})(?<point>[-./])(?<month>[0-9]{1,2})"
            + "\\k<point>(?<day>[0-9]{1,2})"
            + "|(?<first>[0-9]{1,2})(?<sign>[-./])(?<second>[0-9]{1,2})\\k<sign>(?<last>[0-9]{4}))"
            + "(?:[T ](?<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,9})?)?)"
            + "(?<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?");

    /** Dates with names of months, years of two digits, or any time: 29-Feb-2024, Feb 29, 2024, 2/29/24 8:00 AM. */
    private static final Pattern NEARLY_DATE = Pattern.compile(
            "(?:DAY[-/. ]?MONTH[-/., ]{0,2}YEAR|MONTH[-/. ]{0,2}DAY,? YEAR|[0-9]{4}[-/. ]?MONTH[-/. ]?DAY"
                            .replace("DAY", "[0-3]?[0-9]")
                            .replace("MONTH", "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?")
                            .replace("YEAR", "(?:[0-9]{2}){1,2}")
                    + "|[0-3]?[0-9]([-/.])[0-3]?[0-9]\\1(?:[0-9]{2}){1,2}|[0-9]{4}([-/.])[0-9]{1,2}\\2[0-9]{1,2})"
                    + "(?:,?[T ] ?[0-9].*)?",
            Pattern.CASE_INSENSITIVE);

    /** As clocks and pandas write it: 12:30, 0:05:30.25, 2 days 03:00:00. */
    private static final Pattern TIME_SPAN =
            Pattern.compile("[-+]?(\\d+ days?,? )?\\d{1,3}:\\d{2}(:\\d{2}(\\.\\d+)?)?");

    /** What people write into numbers besides digits and a point: signs of money and shares, spaces and commas. */
    private static final Pattern ADORNMENT = Pattern.compile("[%$€£¥,'’\\s\u00a0\u202f]");

    private static final double SECONDS_OF_A_DAY = 86_400;

    private CellParsing() {}

    /** The value of a plain decimal; NaN if the text is not one, or is too large for a double. */
    public static double number(String text) {
        double number =
                isWord(text) || !NUMBER.matcher(text.strip()).matches() ? Double.NaN : Double.parseDouble(text.strip());
        return Double.isInfinite(number) ? Double.NaN : number;
    }

    /** Whether a text has a letter that no number has: most texts that are not numbers are told apart by that. */
    private static boolean isWord(String text) {
        for (int k = 0; k < text.length(); k++) {
            char c = text.charAt(k);
            if (c != 'e' && c != 'E' && Character.isLetter(c)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a text that is not a number would be one without signs of money or shares, spaces and commas, or is a
     * time span, which is one in some unit.
     */
    static boolean isNearlyNumber(String text) {
        return (text.indexOf(':') > 0 && TIME_SPAN.matcher(text).matches())
                || (!isWord(text)
                        && !Double.isNaN(number(
                                ADORNMENT.matcher(text.replace('\u2212', '-')).replaceAll(""))));
    }

    /**
     * The days since 1970 of a date with or without a time, in UTC if it names no zone; NaN if the text is not a date
     * of this kind.
     */
    public static double days(String text, Kind kind) {
        if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
            return Double.NaN;
        }
        Matcher date = DATE.matcher(text);
        if (!date.matches()) {
            return Double.NaN;
        }
        boolean dayOrMonthFirst =
                date.group("sign") != null && !date.group("sign").equals(".");
        if (dayOrMonthFirst == (kind == Kind.DATE)) {
            return Double.NaN;
        }
        try {
            LocalDate day = day(date, kind);
            if (date.group("time") == null) {
                return day.toEpochDay();
            }
            ZoneOffset zone = date.group("zone") == null ? ZoneOffset.UTC : ZoneOffset.of(date.group("zone"));
            Instant moment = day.atTime(LocalTime.parse(date.group("time"))).toInstant(zone);
            return (moment.getEpochSecond() + moment.getNano() * 1e-9) / SECONDS_OF_A_DAY;
        } catch (DateTimeException e) {
            return Double.NaN;
        }
    }

    /** Whether a text seems to be a date, perhaps in a form that is not read. */
    static boolean isNearlyDate(String text) {
        return NEARLY_DATE.matcher(text).matches();
    }

    private static LocalDate day(Matcher date, Kind kind) {
        if (date.group("year") != null) {
            return LocalDate.of(part(date, "year"), part(date, "month"), part(date, "day"));
        }
        return kind == Kind.DATE_MDY
                ? LocalDate.of(part(date, "last"), part(date, "first"), part(date, "second"))
                : LocalDate.of(part(date, "last"), part(date, "second"), part(date, "first"));
    }

    private static int part(Matcher date, String name) {
        return Integer.parseInt(date.group(name));
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
