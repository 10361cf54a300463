package dev.starling.data;

/** The rows of one chunk of a file, up to the first line that could not be parsed. */
final class ParsedRows extends RowBuffer {

    /** Number of lines begun, blank ones included; the last of them is the bad one if there is a problem. */
    long lines;

    /** What is wrong with the last line; empty if nothing is. */
    String problem = "";

    private ParsedRows(int rows, int values, boolean rounds) {
        super(rows, values, rounds);
    }

    /**
     * Creates a buffer with room for what this many bytes of text usually hold.
     *
     * @param rounds whether values are rounded to floats as they come
     */
    static ParsedRows ofText(int bytes, boolean rounds) {
        return new ParsedRows(16 + bytes / 64, 16 + bytes / 10, rounds);
    }

    /** The text of a chunk is short. */
    @Override
    boolean isDivided() {
        return false;
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
