package dev.starling.data;

/** Some dense rows that are in one array at a time: those asked for last, if all of them are not. */
public final class RowWindow {

    private final Dataset rows;
    private final int most;
    private final Values values;
    private int next;

    /** @param most how many rows are used at a time, at least */
    public RowWindow(Dataset rows, int most) {
        this.rows = rows;
        this.most = most;
        this.values = rows.isInOnePart() ? rows.values(0) : Values.zeros(most * rows.features(), rows.areFloats());
    }

    /** The array. */
    public Values values() {
        return values;
    }

    /** Where a row starts in it. */
    public int start(int row) {
        int start = rows.start(row);
        if (rows.values(row) == values) {
            return start;
        }
        int at = next * rows.features();
        rows.values(row).copyTo(start, values, at, rows.features());
        next = (next + 1) % most;
        return at;
    }
}
