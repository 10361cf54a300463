package dev.starling.peer.transport;

/** Text that came from others, made fit to be shown: no control characters, nothing a terminal obeys, not too long. */
public final class Printable {

    private static final int USUAL = 200;

    private Printable() {}

    /** Shows text up to a usual length. */
    public static String of(String text) {
        return of(text, USUAL);
    }

    /** Shows text up to a length; what cannot be shown becomes a question mark. */
    public static String of(String text, int longest) {
        String shown = text.length() > longest ? text.substring(0, longest) + "…" : text;
        StringBuilder clean = new StringBuilder(shown.length());
        shown.codePoints().forEach(point -> clean.appendCodePoint(isShown(point) ? point : '?'));
        return clean.toString();
    }

    /** Neither C0 nor C1 controls, nor what reorders or hides text, nor half a character. */
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
