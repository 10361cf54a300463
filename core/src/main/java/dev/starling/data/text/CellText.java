package dev.starling.data.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Formats pieces of input for error messages. */
public final class CellText {

    private static final int LONGEST_QUOTE = 40;
    private static final Set<String> NOT_FINITE =
            Set.of("nan", "inf", "infinity", "-nan", "-inf", "-infinity", "+nan", "+inf", "+infinity");

    private CellText() {}

    /** Whether the text is one of the usual spellings of infinity or NaN. */
    public static boolean isNotFinite(String text) {
        return NOT_FINITE.contains(text.toLowerCase(Locale.ROOT));
    }

    /** Quotes a piece of a line, truncated if long, with unprintable characters replaced. */
    public static String quoted(String text) {
        String shown = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
        return "'" + shown.replaceAll("[\\p{Cntrl}\\uFFFD]", "?") + "'";
    }

    public static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.max(0, to - from), StandardCharsets.UTF_8);
    }
}
