package dev.starling.data;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Words about pieces of text, for messages. */
final class CellText {

    private static final int LONGEST_QUOTE = 40;
    private static final Set<String> NOT_FINITE =
            Set.of("nan", "inf", "infinity", "-nan", "-inf", "-infinity", "+nan", "+inf", "+infinity");

    private CellText() {}

    /** Whether the text names something that is not a finite number, in the usual spellings. */
    static boolean isNotFinite(String text) {
        return NOT_FINITE.contains(text.toLowerCase(Locale.ROOT));
    }

    /** A piece of a line in quotes, cut if long, with anything unprintable replaced. */
    static String quoted(String text) {
        String shown = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
        return "'" + shown.replaceAll("[\\p{Cntrl}\\uFFFD]", "?") + "'";
    }

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.max(0, to - from), StandardCharsets.UTF_8);
    }
}
