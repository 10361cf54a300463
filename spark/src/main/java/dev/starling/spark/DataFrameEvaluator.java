package dev.starling.spark;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowSample;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.PartialEvaluation;
import dev.starling.job.Holdout;
import dev.starling.model.LinearModel;
import dev.starling.spark.rows.Packing;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Evaluates a model on the rows of a DataFrame: each partition evaluates its own rows, and the driver adds up the
 * results.
 *
 * @param model the model, encoded by {@link ModelText}
 * @param packing how rows are converted to the core's layout
 * @param part the fraction of rows that was held out, on which the model is evaluated; 0 for all rows
 * @param seed the seed by which rows were held out
 */
record DataFrameEvaluator(String model, Packing packing, double part, long seed) implements Serializable {

    /** Evaluates a model on all rows. */
    static Measures all(LinearModel model, FrameRows rows) {
        return new DataFrameEvaluator(ModelText.of(model), rows.packing(), 0, 0)
                .measures(model, rows)
                .orElseThrow(() -> new InvalidInputException(
                        "there are no rows on which to evaluate the model; at least one is needed"));
    }

    /** Evaluates a model on the rows that were held out; empty if there are none. */
    static Optional<Measures> heldOut(LinearModel model, FrameRows rows, RowSample sample) {
        return sample.part() == 0
                ? Optional.empty()
                : new DataFrameEvaluator(ModelText.of(model), rows.packing(), sample.part(), sample.seed())
                        .measures(model, rows);
    }

    private Optional<Measures> measures(LinearModel model, FrameRows rows) {
        double centre = model.isClassifier() ? 0 : meanLabel(rows);
        List<PartialEvaluation> parts = FrameRows.ask(
                rows.partitions(), PartialEvaluation.class, (partition, items) -> evaluated(partition, items, centre));
        return parts.isEmpty() ? Optional.empty() : Optional.of(sum(parts).measures(model, centre));
    }

    /** Adds up by halves, so that long lists of scores are merged only a few times. */
    private static PartialEvaluation sum(List<PartialEvaluation> parts) {
        int half = parts.size() / 2;
        return half == 0 ? parts.get(0) : sum(parts.subList(0, half)).plus(sum(parts.subList(half, parts.size())));
    }

    private Optional<PartialEvaluation> evaluated(int partition, Iterator<InternalRow> items, double centre) {
        LinearModel evaluated = ModelText.model(model);
        List<PartialEvaluation> parts = new ArrayList<>();
        forEach(evaluated, partition, items, rows -> parts.add(PartialEvaluation.of(evaluated, List.of(rows), centre)));
        return parts.isEmpty() ? Optional.empty() : Optional.of(sum(parts));
    }

    /** The weighted mean of the labels. */
    private double meanLabel(FrameRows rows) {
        double[] sums = new double[2];
        for (double[] some : FrameRows.ask(rows.partitions(), double[].class, this::labels)) {
            sums[0] += some[0];
            sums[1] += some[1];
        }
        return sums[1] > 0 ? sums[0] / sums[1] : 0;
    }

    private Optional<double[]> labels(int partition, Iterator<InternalRow> items) {
        double[] sums = new double[2];
        forEach(ModelText.model(model), partition, items, rows -> {
            for (int i = 0; i < rows.rows(); i++) {
                sums[0] += rows.weight(i) * rows.label(i);
                sums[1] += rows.weight(i);
            }
        });
        return Optional.of(sums);
    }

    /** Iterates over the rows of a partition on which the model is evaluated. */
    private void forEach(LinearModel evaluated, int partition, Iterator<InternalRow> items, Consumer<Dataset> action) {
        RowSample sample = new RowSample(part, seed);
        packing.parts(partition, items).forEachRemaining(all -> {
            Dataset rows = part == 0 ? all.data() : Holdout.evaluated(evaluated, sample.of(all.data()));
            if (rows.rows() > 0) {
                action.accept(rows);
            }
        });
    }
}
