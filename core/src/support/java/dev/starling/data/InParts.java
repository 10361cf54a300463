package dev.starling.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Rows whose values are in several arrays, as they are if there are too many for one. */
public final class InParts {

    private InParts() {}

    /** The same rows in parts of a multiple of 64 rows. */
    public static Dataset of(Dataset rows, int rowsOfAPart) {
        List<Dataset> parts = new ArrayList<>();
        for (int from = 0; from < rows.rows(); from += rowsOfAPart) {
            parts.add(rows.picked(IntStream.range(from, Math.min(rows.rows(), from + rowsOfAPart))
                    .toArray()));
        }
        Dataset joined = Dataset.joined(rows.features(), parts).withNames(rows.names());
        double[] perRow = new double[rows.rows()];
        Arrays.setAll(perRow, rows::offset);
        Dataset shifted = rows.hasOffsets() ? joined.withOffsets(perRow) : joined;
        double[] weights = new double[rows.rows()];
        Arrays.setAll(weights, rows::weight);
        return rows.isWeighted() ? shifted.withWeights(weights) : shifted;
    }
}
