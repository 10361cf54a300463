package dev.starling.spark;

import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.spark.model.CoefficientTable;
import dev.starling.spark.model.ModelFolder;
import dev.starling.spark.model.TrainedModel;
import java.util.Optional;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What Starling's models have in common, whatever they read and predict. */
public interface CertifiedModel extends Params, MLWritable {

    /** The state that training left in the model. */
    TrainedModel trained();

    /** What training took, and what is proven about the result. */
    default StarlingSummary summary() {
        return StarlingSummary.of(trained());
    }

    /**
     * The same model in the form that the rest of Starling uses, from which hashes are computed and model files are
     * written.
     */
    default LinearModel linearModel() {
        return trained().model();
    }

    /**
     * The coefficients with their standard errors, tests and intervals, as {@code starling glm} prints them.
     *
     * @param level that of the intervals, for example 0.95
     * @throws dev.starling.data.InvalidInputException if it was trained without {@code standardErrors}
     */
    default Dataset<Row> coefficientTable(double level) {
        return CoefficientTable.of(linearModel(), level);
    }

    /**
     * How well it predicts the rows that were held out from training; empty if no rows were held out, or if it was read
     * from a file, of which {@code linearModel().provenance().evaluations()} has the figures.
     */
    default Optional<Measures> judgement() {
        return trained().judgement();
    }

    /**
     * How well it predicts the labels of rows, which count according to their weights: the measures that
     * {@code starling evaluate} reports.
     *
     * @throws dev.starling.data.InvalidInputException if there are no rows, a column is missing, or the model does not
     *     know a cell or label
     */
    Measures evaluate(Dataset<?> rows);

    @Override
    default MLWriter write() {
        return ModelFolder.writer(this, trained());
    }
}
