package dev.starling.spark;

import dev.starling.model.LinearModel;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

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

    @Override
    default MLWriter write() {
        return new SparkModelFiles.Writer(this);
    }
}
