package dev.starling.data;

/** The rows of one stretch of a file, as far as the first line that could not be read. */
final class ParsedRows extends RowBuffer {

    /** Lines begun, blank ones included; the last of them is the bad one if there is a problem. */
    long lines;

    /** What is wrong with the last line; empty if nothing is. */
    String problem = "";

    /** Whether that is a cell of text, or an empty one, where a number should be. */
    boolean foundText;

    private ParsedRows(int rows, int values) {
        super(rows, values);
    }

    /** Room for what this many bytes of text usually hold. */
    static ParsedRows ofText(int bytes) {
        return new ParsedRows(16 + bytes / 64, 16 + bytes / 10);
    }

    @Override
    public void clear() {
        super.clear();
        lines = 0;
    }

    boolean isBad() {
        return !problem.isEmpty();
    }
}
