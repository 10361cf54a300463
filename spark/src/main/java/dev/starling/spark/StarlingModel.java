package dev.starling.spark;

import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;

/** What Starling's models of vectors have in common, whatever they predict. */
public interface StarlingModel extends StarlingParams, MLWritable {

    /** The state that training left in the model. */
    TrainedState trained();

    /** The Params; null while the model is under construction. */
    @Override
    default TrainingParams trainingParams() {
        return trained() == null ? null : trained().params();
    }

    /** What training took, and what is proven about the result. */
    default StarlingSummary summary() {
        return trained().summary();
    }

    /**
     * The same model in the form that the rest of Starling uses, from which hashes are computed and model files are
     * written.
     */
    default LinearModel linearModel() {
        return trained().coefficients().linearModel(SparkModelFiles.provenance(this, summary()));
    }

    /**
     * How well it predicts the rows that were held out from training; empty if no rows were held out. Like Spark's own
     * summaries, it is not saved with the model.
     */
    default Optional<Measures> judgement() {
        return Optional.ofNullable(trained().judgement());
    }

    /**
     * How well it predicts the labels of rows, which count according to their weights: the measures that
     * {@code starling evaluate} reports.
     *
     * @throws dev.starling.data.InvalidInputException if there are no rows, or the model does not know one of the
     *     labels
     */
    default Measures evaluate(Dataset<?> rows) {
        boolean classification = trained().coefficients().classes() > 0;
        return DataFrameEvaluator.all(
                linearModel(),
                FrameRows.ofVectors(rows, getFeaturesCol(), getLabelCol(), this, List.of(), classification));
    }

    /** Returns the column of feature vectors. */
    String getFeaturesCol();

    /** Returns the column of labels. */
    String getLabelCol();

    @Override
    default MLWriter write() {
        return new SparkModelFiles.Writer(this);
    }
}
