package dev.starling.spark;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.internal.Version;
import dev.starling.model.CrossValidation;
import dev.starling.model.Provenance;
import dev.starling.model.Signatures;
import dev.starling.model.ValidationJson;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.settings.Settings;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader.Metadata;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Saves and loads models as MLlib does: Params as JSON under {@code metadata}, one row of Parquet under {@code data}.
 */
final class SparkModelFiles {

    private static final String LOSS = "loss";
    private static final String CLASSES = "numClasses";
    private static final String COEFFICIENTS = "coefficientMatrix";
    private static final String INTERCEPTS = "interceptVector";

    private static final Map<Class<?>, DataType> TYPES = Map.of(
            double.class, DataTypes.DoubleType,
            long.class, DataTypes.LongType,
            int.class, DataTypes.IntegerType,
            boolean.class, DataTypes.BooleanType,
            String.class, DataTypes.StringType);

    /** The figures of the summary, each of which is a column with its name. */
    private static final RecordComponent[] FIGURES = StarlingSummary.class.getRecordComponents();

    private SparkModelFiles() {}

    private static String data(String path) {
        return new Path(path, "data").toString();
    }

    private static StructType schema() {
        StructType schema = new StructType()
                .add(LOSS, DataTypes.StringType)
                .add(CLASSES, DataTypes.IntegerType)
                .add(COEFFICIENTS, SQLDataTypes.MatrixType())
                .add(INTERCEPTS, SQLDataTypes.VectorType());
        for (RecordComponent figure : FIGURES) {
            schema = schema.add(figure.getName(), TYPES.get(figure.getType()));
        }
        return schema;
    }

    /** How a model of vectors was trained. */
    static Provenance provenance(StarlingParams params, StarlingSummary summary) {
        return provenance(params, ParamSettings.of(params), summary);
    }

    /** How a model was trained with given settings. */
    static Provenance provenance(StarlingParams params, Settings settings, StarlingSummary summary) {
        Network network = Topology.named(params.getTopology()).build(summary.nodes(), settings.seed());
        double dual = summary.objective() * (1 - summary.gap());
        Optional<CrossValidation> validation = summary.crossValidation().isEmpty()
                ? Optional.empty()
                : Optional.of(ValidationJson.of(summary.crossValidation()));
        Settings solved = validation
                .map(CrossValidation::chosenLine)
                .map(line -> settings.withLambda(line.lambda()).withL1(line.l1()))
                .orElse(settings);
        return new Provenance(
                Version.current(),
                solved.toMap(),
                summary.method(),
                network.recipe(),
                summary.delay(),
                new Certificate(summary.objective(), dual, 0, summary.passes()),
                Exactness.UNKNOWN,
                summary.certified(),
                "",
                Signatures.NONE,
                validation,
                Map.of());
    }

    /** Writes a model. */
    static final class Writer extends MLWriter {
        private final StarlingModel model;

        Writer(StarlingModel model) {
            this.model = model;
        }

        @Override
        public void saveImpl(String path) {
            DefaultParamsWriter.saveMetadata(model, path, sparkSession());
            ModelCoefficients coefficients = model.trained().coefficients();
            List<Object> values = new ArrayList<>(List.of(
                    coefficients.loss(),
                    coefficients.classes(),
                    coefficients.matrix(),
                    Vectors.dense(coefficients.intercepts())));
            for (RecordComponent figure : FIGURES) {
                values.add(value(figure));
            }
            Row row = RowFactory.create(values.toArray());
            sparkSession()
                    .createDataFrame(List.of(row), schema())
                    .coalesce(1)
                    .write()
                    .parquet(data(path));
        }

        private Object value(RecordComponent figure) {
            try {
                return figure.getAccessor().invoke(model.summary());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record's accessor failed", e);
            }
        }
    }

    /** Reads a model. */
    static final class Reader<M extends Params> extends MLReader<M> {
        private final Class<M> type;
        private final FitJob.Maker<M> maker;

        Reader(Class<M> type, FitJob.Maker<M> maker) {
            this.type = type;
            this.maker = maker;
        }

        @Override
        public M load(String path) {
            Metadata metadata = DefaultParamsReader.loadMetadata(path, sparkSession(), type.getName());
            Row row = sparkSession().read().parquet(data(path)).head();
            M model = maker.make(metadata.uid(), coefficients(row), summary(row), null);
            metadata.getAndSetParams(model, scala.Option.empty());
            return model;
        }

        private static ModelCoefficients coefficients(Row row) {
            Matrix matrix = row.getAs(COEFFICIENTS);
            Vector intercepts = row.getAs(INTERCEPTS);
            double[][] weights = new double[matrix.numRows()][matrix.numCols()];
            for (int k = 0; k < weights.length; k++) {
                for (int c = 0; c < weights[k].length; c++) {
                    weights[k][c] = matrix.apply(k, c);
                }
            }
            return new ModelCoefficients(row.getAs(LOSS), row.<Integer>getAs(CLASSES), weights, intercepts.toArray());
        }

        private static StarlingSummary summary(Row row) {
            Class<?>[] types =
                    Arrays.stream(FIGURES).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Object[] values = Arrays.stream(FIGURES)
                    .map(figure -> row.getAs(figure.getName()))
                    .toArray();
            try {
                return StarlingSummary.class.getDeclaredConstructor(types).newInstance(values);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record's constructor failed", e);
            }
        }
    }
}
