package dev.starling.spark;

import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import java.util.Optional;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;

/** What Starling's models can be asked, whatever they predict. */
public interface StarlingModel extends StarlingParams, MLWritable {

    /** Where the model is kept. */
    TrainedState trained();

    /** Where the Params are kept; nowhere while the model is under construction. */
    @Override
    default TrainingParams trainingParams() {
        return trained() == null ? null : trained().params();
    }

    /** What training took and what is proven of the result. */
    default StarlingSummary summary() {
        return trained().summary();
    }

    /** The same model as the rest of Starling knows it: what it hashes, and writes to model files. */
    default LinearModel linearModel() {
        return trained().coefficients().linearModel(SparkModelFiles.provenance(this, summary()));
    }

    /**
     * How well it predicts the rows that were held out from training; empty if none were. Like Spark's own summaries,
     * it is not saved with the model.
     */
    default Optional<Measures> judgement() {
        return Optional.ofNullable(trained().judgement());
    }

    /**
     * How well it predicts the labels of rows, which count as many times as they weigh: what {@code starling evaluate}
     * says of them.
     *
     * @throws dev.starling.data.InvalidInputException if there are no rows, or a label is none that the model knows
     */
    Measures evaluate(Dataset<?> rows);

    @Override
    default MLWriter write() {
        return new SparkModelFiles.Writer(this);
    }
}
