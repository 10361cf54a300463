package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import java.util.Optional;

/**
 * The form that all nodes give their rows once they have agreed.
 *
 * @param labels the classes
 * @param standardizer how features are scaled, if they are
 * @param dense whether rows are stored with all their columns
 */
record PreparedRows(Settings settings, Labels labels, Optional<Standardizer> standardizer, boolean dense) {

    /** Rows of the width that all nodes' have, in that form. */
    Dataset of(Dataset wide) {
        Dataset rows = settings.classWeights().apply(wide);
        if (standardizer.isPresent()) {
            rows = standardizer.get().apply(rows);
        }
        if (settings.constantFeature() > 0) {
            rows = rows.withBias(settings.constantFeature());
        }
        return rows.laidOut(dense);
    }

    /** Such rows with the labels of one problem: those of one class, where there are more than two. */
    Dataset targets(Dataset rows, int problem) {
        return labels.isRegression() || labels.isBinary()
                ? labels.binary(rows)
                : labels.binary(rows, labels.classes().get(problem));
    }
}
