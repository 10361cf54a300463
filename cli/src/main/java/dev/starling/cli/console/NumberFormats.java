package dev.starling.cli.console;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers for people: few digits, no needless zeros. */
public final class NumberFormats {

    private static final double PLAIN_BELOW = 1e5;
    private static final double PLAIN_FROM = 1e-3;

    private NumberFormats() {}

    /**
     * Returns three digits, or all digits of the integer part below 100,000: 1.234 as 1.23, 1234.4 as 1234, 123456 as
     * 1.23e5.
     */
    public static String shortText(double value) {
        if (value == 0 || !Double.isFinite(value)) {
            return value == 0 ? "0" : Double.isNaN(value) ? "-" : "inf";
        }
        double size = Math.abs(value);
        if (size >= PLAIN_BELOW || size < PLAIN_FROM) {
            String[] parts = String.format(Locale.US, "%.2e", value).split("e", 2);
            return trimmed(parts[0]) + "e" + Integer.parseInt(parts[1]);
        }
        int decimals = Math.max(0, 2 - (int) Math.floor(StrictMath.log10(size)));
        String text = String.format(Locale.US, "%." + decimals + "f", value);
        return decimals == 0 ? text : trimmed(text);
    }

    /** The same; a dash where there is no number. */
    public static String shortText(OptionalDouble value) {
        return shortText(value.orElse(Double.NaN));
    }

    private static String trimmed(String decimal) {
        return decimal.contains(".") ? decimal.replaceAll("0+$", "").replaceAll("\\.$", "") : decimal;
    }
}
