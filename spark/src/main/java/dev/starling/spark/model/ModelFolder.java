package dev.starling.spark.model;

import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader.Metadata;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;

/**
 * Saves and loads models: Params as JSON under {@code metadata}, as MLlib does, Starling's model file, which the rest
 * of Starling reads as well, and what training took.
 */
public final class ModelFolder {

    private static final String MODEL = "model.json";
    private static final String COST = "training.properties";

    private ModelFolder() {}

    /** Returns a writer of a model. */
    public static MLWriter writer(Params model, TrainedModel trained) {
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                DefaultParamsWriter.saveMetadata(model, path, sparkSession());
                TextFiles.write(trained.file(), new Path(path, MODEL), sparkSession());
                trained.cost().ifPresent(cost -> TextFiles.write(cost.text(), new Path(path, COST), sparkSession()));
            }
        };
    }

    /** Returns a reader that makes models of a uid and what it reads. */
    public static <M extends Params> MLReader<M> reader(Class<M> type, BiFunction<String, TrainedModel, M> maker) {
        return new MLReader<>() {
            @Override
            public M load(String path) {
                Metadata metadata = DefaultParamsReader.loadMetadata(path, sparkSession(), type.getName());
                String file = new Path(path, MODEL).toString();
                String text = TextFiles.read(file, "the folder of a saved model", sparkSession());
                String cost = new Path(path, COST).toString();
                Optional<TrainingCost> took = TextFiles.exists(cost, sparkSession())
                        ? Optional.of(TrainingCost.of(
                                TextFiles.read(cost, "the folder of a saved model", sparkSession()), cost))
                        : Optional.empty();
                M model = maker.apply(metadata.uid(), TrainedModel.of(ModelText.model(text, file), took));
                metadata.getAndSetParams(model, scala.Option.empty());
                return model;
            }
        };
    }
}
