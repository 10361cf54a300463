package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import java.util.List;

/**
 * Which columns and classes a node has at all, as numbers that add up to the number of nodes that have them. If only
 * one node had a column, every sum over it would reveal that node's own values.
 */
public final class ColumnPresence {

    /** The kind of the sum. */
    public static final String KIND = "presence";

    private ColumnPresence() {}

    static int length(int features, Labels labels) {
        return features + labels.classes().size();
    }

    /** The sum; its point is the number of columns, so that everybody knows which of its numbers are about classes. */
    static SumRequest request(NodeRows rows, int features, Labels labels) {
        double[] point = {features};
        return SumRequest.atPoint(SumKind.PRESENCE, 0, 1, point, rows.count(), length(features, labels))
                .named(KIND);
    }

    /**
     * 1 for every column that is not all zeros, then 1 for every class that occurs among the rows; 0 for the others.
     */
    static double[] of(NodeRows rows, int features, Labels labels) {
        double[] present = new double[length(features, labels)];
        Dataset data = rows.data();
        List<Double> classes = labels.classes();
        for (int row = 0; row < rows.count(); row++) {
            int start = data.start(row);
            for (int k = start; k < data.end(row); k++) {
                if (data.value(row, k) != 0f) {
                    present[data.column(row, k)] = 1;
                }
            }
            int label = classes.indexOf(data.label(row) + 0.0);
            if (label >= 0) {
                present[features + label] = 1;
            }
        }
        return present;
    }
}
