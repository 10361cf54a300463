package dev.starling.spark.frame;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.PartialEvaluation;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.rows.Packing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates a model on the rows of a DataFrame: each partition evaluates its own rows, and the driver adds up the
 * results.
 */
public final class DataFrameEvaluator {

    private DataFrameEvaluator() {}

    /** @throws InvalidInputException if there are no rows, or the model does not know one of the labels */
    public static Measures measures(TrainedModel model, FrameRows rows) {
        Packing packing = rows.packing();
        List<PartialEvaluation> parts =
                FrameRows.ask(rows.partitions(), PartialEvaluation.class, (partition, items) -> {
                    List<PartialEvaluation> own = new ArrayList<>();
                    packing.parts(partition, items)
                            .forEachRemaining(part -> own.add(PartialEvaluation.of(model.model(), part.data())));
                    return own.isEmpty() ? Optional.empty() : Optional.of(PartialEvaluation.sum(own));
                });
        if (parts.isEmpty()) {
            throw new InvalidInputException("there are no rows on which to evaluate the model; at least one is needed");
        }
        return PartialEvaluation.sum(parts).measures(model.model());
    }
}
