package dev.starling.peer.trust;

/** Makes untrusted text safe to show: no control characters, nothing that a terminal interprets, not too long. */
public final class Printable {

    private static final int DEFAULT_LENGTH = 200;

    private Printable() {}

    /** Shows text up to a default length. */
    public static String of(String text) {
        return of(text, DEFAULT_LENGTH);
    }

    /** Shows text up to a given length; characters that are not safe to show become question marks. */
    public static String of(String text, int longest) {
        String shown = text.length() > longest ? text.substring(0, longest) + "…" : text;
        StringBuilder clean = new StringBuilder(shown.length());
        shown.codePoints().forEach(point -> clean.appendCodePoint(isShown(point) ? point : '?'));
        return clean.toString();
    }

    /** Excludes C0 and C1 controls, characters that reorder or hide text, and unpaired surrogates. */
    private static boolean isShown(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
