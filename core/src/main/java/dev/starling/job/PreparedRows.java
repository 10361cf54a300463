package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.settings.Settings;
import java.util.Optional;

/**
 * Brings rows into the form that all nodes have agreed on.
 *
 * @param labels the classes
 * @param standardizer how features are scaled, if they are
 * @param dense whether rows are stored densely
 */
record PreparedRows(Settings settings, Labels labels, Optional<Standardizer> standardizer, boolean dense) {

    /**
     * Returns rows in that form.
     *
     * @param wide rows with the number of features that all nodes use
     */
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

    /**
     * Returns such rows with the labels of one problem: one class against the rest if there are more than two, unless
     * the loss takes all of them at once.
     */
    Dataset targets(Dataset rows, int problem) {
        if (settings.loss().outputs() > 1) {
            return labels.numbered(rows);
        }
        return labels.isRegression() || labels.isBinary()
                ? labels.binary(rows)
                : labels.binary(rows, labels.classes().get(problem));
    }
}
