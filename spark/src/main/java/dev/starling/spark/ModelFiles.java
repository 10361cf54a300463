package dev.starling.spark;

import dev.starling.certificate.Certificate;
import dev.starling.internal.Version;
import dev.starling.job.Scaling;
import dev.starling.model.Provenance;
import dev.starling.network.GraphRecipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Models as MLlib saves its own: Params as JSON under {@code metadata}, one row of Parquet under {@code data}. */
final class ModelFiles {

    private static final StructType SCHEMA = new StructType()
            .add("loss", DataTypes.StringType)
            .add("numClasses", DataTypes.IntegerType)
            .add("coefficientMatrix", SQLDataTypes.MatrixType())
            .add("interceptVector", SQLDataTypes.VectorType())
            .add("objective", DataTypes.DoubleType)
            .add("gap", DataTypes.DoubleType)
            .add("certified", DataTypes.BooleanType)
            .add("passes", DataTypes.DoubleType)
            .add("rounds", DataTypes.LongType)
            .add("updates", DataTypes.LongType)
            .add("bytes", DataTypes.LongType)
            .add("seconds", DataTypes.DoubleType)
            .add("solveSeconds", DataTypes.DoubleType)
            .add("nodes", DataTypes.IntegerType)
            .add("network", DataTypes.StringType)
            .add("delay", DataTypes.DoubleType)
            .add("method", DataTypes.StringType)
            .add("rows", DataTypes.LongType)
            .add("attempts", DataTypes.IntegerType);

    private ModelFiles() {}

    private static String data(String path) {
        return new Path(path, "data").toString();
    }

    /** How a model was made. */
    static Provenance provenance(StarlingParams params, StarlingSummary summary) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("loss", params.getLoss());
        settings.put("lambda", String.valueOf(params.getRegParam()));
        settings.put("method", params.getMethod());
        settings.put("gap", String.valueOf(params.getTol()));
        settings.put("max-epochs", String.valueOf((double) params.getMaxIter()));
        settings.put("seed", String.valueOf(params.getSeed()));
        settings.put("bias", String.valueOf(params.getFitIntercept() ? params.getInterceptScaling() : 0));
        settings.put("scaling", (params.getStandardization() ? Scaling.STANDARDIZE : Scaling.NONE).lowerCase());
        GraphRecipe graph = new GraphRecipe(
                summary.network(), summary.nodes(), params.getTopology(), params.getSeed(), List.of(), List.of());
        double dual = summary.objective() * (1 - summary.gap());
        return new Provenance(
                Version.current(),
                dev.starling.job.Settings.of(settings).toMap(),
                summary.method(),
                graph,
                summary.delay(),
                new Certificate(summary.objective(), dual, 0, summary.passes()),
                summary.certified(),
                "");
    }

    /** Writes a model. */
    static final class Writer extends MLWriter {
        private final Params model;
        private final Coefficients coefficients;
        private final StarlingSummary summary;

        Writer(Params model, Coefficients coefficients, StarlingSummary summary) {
            this.model = model;
            this.coefficients = coefficients;
            this.summary = summary;
        }

        @Override
        public void saveImpl(String path) {
            DefaultParamsWriter.saveMetadata(model, path, sparkSession());
            Row row = RowFactory.create(
                    coefficients.loss(),
                    coefficients.classes(),
                    coefficients.matrix(),
                    Vectors.dense(coefficients.intercepts()),
                    summary.objective(),
                    summary.gap(),
                    summary.certified(),
                    summary.passes(),
                    summary.rounds(),
                    summary.updates(),
                    summary.bytes(),
                    summary.seconds(),
                    summary.solveSeconds(),
                    summary.nodes(),
                    summary.network(),
                    summary.delay(),
                    summary.method(),
                    summary.rows(),
                    summary.attempts());
            sparkSession()
                    .createDataFrame(List.of(row), SCHEMA)
                    .coalesce(1)
                    .write()
                    .parquet(data(path));
        }
    }

    /** Makes a model of what was read. */
    @FunctionalInterface
    interface Maker<M> {
        M make(String uid, Coefficients coefficients, StarlingSummary summary);
    }

    /** Reads a model. */
    static final class Reader<M extends Params> extends MLReader<M> {
        private final Class<M> type;
        private final Maker<M> maker;

        Reader(Class<M> type, Maker<M> maker) {
            this.type = type;
            this.maker = maker;
        }

        @Override
        public M load(String path) {
            Metadata metadata = DefaultParamsReader.loadMetadata(path, sparkSession(), type.getName());
            Row row = sparkSession().read().parquet(data(path)).head();
            M model = maker.make(metadata.uid(), coefficients(row), summary(row));
            metadata.getAndSetParams(model, scala.Option.empty());
            return model;
        }

        private static Coefficients coefficients(Row row) {
            Matrix matrix = row.getAs("coefficientMatrix");
            Vector intercepts = row.getAs("interceptVector");
            double[][] weights = new double[matrix.numRows()][matrix.numCols()];
            for (int k = 0; k < weights.length; k++) {
                for (int c = 0; c < weights[k].length; c++) {
                    weights[k][c] = matrix.apply(k, c);
                }
            }
            return new Coefficients(row.getAs("loss"), row.<Integer>getAs("numClasses"), weights, intercepts.toArray());
        }

        private static StarlingSummary summary(Row row) {
            return new StarlingSummary(
                    row.<Double>getAs("objective"),
                    row.<Double>getAs("gap"),
                    row.<Boolean>getAs("certified"),
                    row.<Double>getAs("passes"),
                    row.<Long>getAs("rounds"),
                    row.<Long>getAs("updates"),
                    row.<Long>getAs("bytes"),
                    row.<Double>getAs("seconds"),
                    row.<Double>getAs("solveSeconds"),
                    row.<Integer>getAs("nodes"),
                    row.getAs("network"),
                    row.<Double>getAs("delay"),
                    row.getAs("method"),
                    row.<Long>getAs("rows"),
                    row.<Integer>getAs("attempts"));
        }
    }
}
