package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.settings.Curves;

/**
 * How many of this node's rows have the event in each interval, or leave in it without one, by group. Every row is in
 * one of these counts, and each covers only the rows that it counts, so that rules for small numbers hold for it.
 */
final class CurveCounts {

    /** Rows with and without the event. */
    private static final int ENDS = 2;

    private final Curves asked;
    private final Dataset rows;
    private final int[] features;
    private double[] counts;

    /** @param rows labels are times, negative if the event was not seen */
    private CurveCounts(Curves asked, Dataset rows) {
        this.asked = asked;
        this.rows = rows;
        this.features = asked.features(rows.names());
    }

    /** The counts of all nodes. */
    static Phase<double[]> sum(Curves asked, Collectives nodes, Dataset rows) {
        if (rows.hasEntries()) {
            throw new InvalidInputException(
                    "curves " + asked.text()
                            + " counts rows that were watched from the beginning, and these may have come late; leave curves out");
        }
        CurveCounts own = new CurveCounts(asked, rows);
        return nodes.sum(own.request(), own::counts);
    }

    private SumRequest request() {
        int numbers = numbers(features.length + 1, asked);
        return SumRequest.overAll(SumKind.COUNTS, "survival by interval", rows.rows(), numbers)
                .withRowsOfNumber(number -> (long) counts()[number]);
    }

    /** How many numbers there are for so many groups. */
    private static int numbers(int groups, Curves asked) {
        return asked.isAsked() ? groups * (asked.times().size() + 1) * ENDS : 0;
    }

    private double[] counts() {
        counts = counts == null ? counted() : counts;
        return counts;
    }

    private double[] counted() {
        int intervals = asked.times().size() + 1;
        double[] found = new double[numbers(features.length + 1, asked)];
        double[] unit = new double[features.length];
        for (int row = 0; row < rows.rows(); row++) {
            double label = rows.label(row);
            int interval = asked.interval(Math.abs(label));
            // What follows the last interval is not told.
            boolean event = label > 0 && interval + 1 < intervals;
            found[(group(row, unit) * intervals + interval) * ENDS + (event ? 0 : 1)]++;
        }
        return found;
    }

    private int group(int row, double[] unit) {
        int group = 0;
        for (int k = rows.start(row); k < rows.end(row); k++) {
            int column = rows.column(row, k);
            double value = rows.value(row, k);
            for (int f = 0; value != 0 && f < features.length; f++) {
                if (features[f] == column) {
                    unit[f] = unit[f] == 0 ? value : unit[f];
                    if (value != unit[f] || group > 0) {
                        throw new InvalidInputException(
                                "curves by '" + asked.column() + "', which is a number; groups are"
                                        + " the levels of a column of categories, or of zeros and ones");
                    }
                    group = f + 1;
                }
            }
        }
        return group;
    }
}
