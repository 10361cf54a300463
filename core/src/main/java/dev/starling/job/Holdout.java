package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.keys.RowSample;
import dev.starling.job.folds.RowFolds;
import dev.starling.model.LinearModel;
import dev.starling.settings.Settings;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A node's rows in two parts: those to train on, and those held out to evaluate the model.
 *
 * @param training the rows to train on
 * @param held the held-out rows, if the settings ask for some
 */
public record Holdout(NodeRows training, Optional<Held> held) {

    /** The part of rows that are held out. */
    public static final int HELD_OUT = -1;

    /**
     * Rows that are held out from training.
     *
     * @param count the number of rows
     * @param rows supplies the rows; called only once the training rows are finished
     */
    public record Held(int count, Supplier<Dataset> rows) {}

    /** Divides the rows of a node as the settings require. */
    public static Holdout of(Settings settings, NodeRows rows) {
        if (settings.holdout() == 0) {
            return new Holdout(rows, Optional.empty());
        }
        Dataset held = rows.data().picked(part(settings, rows, true));
        return new Holdout(rows.only(part(settings, rows, false)), Optional.of(new Held(held.rows(), () -> held)));
    }

    private static int[] part(Settings settings, NodeRows rows, boolean held) {
        RowSample sample = settings.heldOut();
        return IntStream.range(0, rows.count())
                .filter(row -> sample.has(rows.data(), row) == held)
                .toArray();
    }

    /**
     * The part of a job that each row of a node belongs to: its fold, or {@link #HELD_OUT}. All rows that no sum tells
     * apart are in one part.
     *
     * @param nodes the number of nodes
     */
    public static int[] parts(Settings settings, NodeRows rows, int node, int nodes) {
        RowSample sample = settings.heldOut();
        boolean folds = settings.folds().isPresent();
        RowFolds fold = folds ? new RowFolds(settings.folds(), rows, node, nodes, settings.seed()) : null;
        return IntStream.range(0, rows.count())
                .map(k -> settings.holdout() > 0 && sample.has(rows.data(), k) ? HELD_OUT : folds ? fold.of(k) : 0)
                .toArray();
    }

    /** How many numbers are added up to evaluate the model, if there are as many classes as among a node's own rows. */
    public static int numbersToEvaluate(Settings settings, Dataset own) {
        if (settings.holdout() == 0) {
            return 0;
        }
        int classes = settings.loss().isClassification() ? Labels.distinct(own.labels()).length : 0;
        return EvaluationPhase.numbers(Math.max(classes, settings.labels().size()));
    }

    /** The held-out rows to evaluate a model on: those whose classes occurred among the training rows. */
    public static Dataset evaluated(LinearModel model, Dataset held) {
        if (!model.isClassifier()) {
            return held;
        }
        int[] known = IntStream.range(0, held.rows())
                .filter(i -> model.classes().contains(held.label(i) + 0.0))
                .toArray();
        return known.length == held.rows() ? held : held.picked(known);
    }
}
