package dev.starling.spark;

import dev.starling.evaluation.Measures;
import dev.starling.spark.frame.FrameRows;
import dev.starling.spark.params.StarlingParams;
import java.util.List;
import org.apache.spark.sql.Dataset;

/**
 * What Starling's models of vectors have in common, whatever they predict.
 *
 * @param <M> the model
 */
public interface StarlingModel<M> extends StarlingParams<M>, CertifiedModel {

    @Override
    default Measures evaluate(Dataset<?> rows) {
        return FrameRows.ofVectors(
                        rows,
                        getFeaturesCol(),
                        getLabelCol(),
                        this,
                        List.of(),
                        linearModel().isClassifier())
                .measures(trained());
    }

    /** Returns the column of feature vectors. */
    String getFeaturesCol();

    /** Returns the column of labels. */
    String getLabelCol();
}
