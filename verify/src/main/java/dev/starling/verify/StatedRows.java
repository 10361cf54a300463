package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.model.TrainingRows;
import dev.starling.verify.digits.Scales;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a model states about the rows that it was trained on, beside the rows; and what no rows can tell. */
final class StatedRows {

    /** What rounding in training may change of the square of a deviation, as a fraction of it. */
    private static final double ROUNDING = 0x1p-30;

    /** How far the mean of training may be from the true one, as a fraction of it. */
    private static final double MEAN = 0x1p-45;

    /** Sums of squares are rounded at a fixed place, so a deviation may lose this much of its unit. */
    private static final double LOST = 0x1p-48;

    /** Up to here numbers are summed as they are; larger ones, and the columns beside them, in a larger unit. */
    private static final double ORDINARY = 0x1p24;

    /** So many rows are made of those that stand for several. */
    private static final double MOST_COUNTED = 0x1p26;

    private StatedRows() {}

    /** The rows, each as often as its weight says, if that makes them as many as a file states. */
    static Dataset counted(LinearModel model, Dataset rows) {
        double[] counts = new double[rows.rows()];
        Arrays.setAll(counts, rows::weight);
        double total = Arrays.stream(counts).sum();
        boolean counted = rows.isWeighted()
                && total == model.provenance().rows().count()
                && total != Arrays.stream(counts).filter(count -> count > 0).count()
                && total <= MOST_COUNTED
                && Arrays.stream(counts).allMatch(count -> count == Math.rint(count));
        if (!counted) {
            return rows;
        }
        int[] repeated = IntStream.range(0, counts.length)
                .flatMap(i -> IntStream.range(0, (int) counts[i]).map(k -> i))
                .toArray();
        double[] ones = new double[repeated.length];
        Arrays.fill(ones, 1);
        return rows.picked(repeated).withWeights(ones);
    }

    /** Says what is false about the stated number of rows or the deviations of features; empty if nothing is. */
    static Optional<String> misfit(LinearModel model, Dataset trained) {
        TrainingRows stated = model.provenance().rows();
        if (stated.count() > 0 && stated.count() != trained.rows()) {
            return Optional.of("the rows that were given are " + trained.rows() + " to train on, not " + stated.count()
                    + " as stated");
        }
        return stated.deviations().isEmpty() || trained.features() > model.features()
                ? Optional.empty()
                : misfit(model, stated.deviations(), trained.withFeatures(model.features()));
    }

    private static Optional<String> misfit(LinearModel model, List<Double> stated, Dataset rows) {
        double[] means = new double[rows.features()];
        double[] deviations = new double[rows.features()];
        Scales.measure(rows, means, deviations);
        double unit = Math.max(1, rows.largest() / ORDINARY);
        for (int c = 0; c < deviations.length; c++) {
            double found = deviations[c];
            double doubt = ROUNDING * found * found + square(MEAN * means[c]) + square(LOST * unit);
            if (!(Math.abs(square(stated.get(c)) - square(found)) <= doubt)) {
                String name = c < model.names().size() ? model.names().get(c) : Integer.toString(c + 1);
                return Optional.of("the standard deviation of feature " + name + " is " + found + ", not "
                        + stated.get(c) + " as stated");
            }
        }
        return Optional.empty();
    }

    private static double square(double value) {
        return value * value;
    }

    /** The parts of a model's file that its certificate does not need and its rows cannot prove, by their members. */
    static List<String> unchecked(LinearModel model, Claim claim, int rows) {
        List<String> parts = new ArrayList<>();
        if (!model.provenance().evaluations().isEmpty()) {
            parts.add("how well it predicts (evaluation)");
        }
        if (model.provenance().validation().isPresent()) {
            parts.add("how lambda was chosen (crossValidation)");
        }
        parts.addAll(StatedTable.unchecked(model, claim, rows));
        if (!model.names().isEmpty()) {
            parts.add("whose column is which (names)");
        }
        if (model.recipe().isPresent()) {
            parts.add("what becomes of values that these rows do not have (recipe)");
        }
        parts.add("how training went (version, method, graph, tau, steps, epochs, fingerprint)");
        return parts;
    }
}
