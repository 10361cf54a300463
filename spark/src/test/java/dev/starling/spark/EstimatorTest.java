package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The estimators behave as Spark ML users expect theirs to. */
class EstimatorTest {

    private static SparkSession spark;
    private static Dataset<Row> twoClasses;
    private static StarlingClassificationModel fitted;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
        twoClasses = TestRows.frame(spark, TestRows.cut(TestRows.random(200, 4, 2, false, 21), 2))
                .cache();
        fitted = new StarlingClassifier().setRegParam(1e-2).setMethod("adfs").fit(twoClasses);
    }

    @Test
    void everyParamIsExplainedWithItsDefault() {
        String explained = new StarlingClassifier().explainParams();

        assertThat(explained)
                .contains("featuresCol", "labelCol", "predictionCol", "probabilityCol", "rawPredictionCol")
                .contains(
                        "weightCol", "regParam", "tol", "maxIter", "fitIntercept", "standardization", "loss", "method")
                .contains("nodes", "topology", "seed", "delay", "checkpointDir", "interceptScaling")
                .contains("elasticNetParam", "l1Param", "classWeights", "maxSeconds", "scaling")
                .contains("default: logistic")
                .contains("auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs", "default: auto")
                .contains("default: 1.0E-6");
    }

    @Test
    void aCopyHasTheUidTheValuesAndTheExtraParams() {
        StarlingClassifier original = new StarlingClassifier().setTol(1e-3).setLabelCol("y");

        StarlingClassifier copy =
                original.copy(new ParamMap().put(original.regParam().w(0.5)));

        assertThat(copy.uid()).isEqualTo(original.uid());
        assertThat(copy.getTol()).isEqualTo(1e-3);
        assertThat(copy.getLabelCol()).isEqualTo("y");
        assertThat(copy.getRegParam()).isEqualTo(0.5);
        assertThat(original.getRegParam()).isEqualTo(1e-4);
    }

    @Test
    void aModelHasItsParentItsParamsAndASummary() {
        StarlingSummary summary = fitted.summary();

        assertThat(fitted.hasParent()).isTrue();
        assertThat(fitted.getRegParam()).isEqualTo(1e-2);
        assertThat(summary.certified()).isTrue();
        assertThat(summary.gap()).isBetween(0.0, 1e-6);
        assertThat(summary.rows()).isEqualTo(200);
        assertThat(summary.rounds()).isPositive();
        assertThat(summary.updates()).isPositive();
        assertThat(summary.bytes()).isPositive();
        assertThat(summary.seconds()).isGreaterThan(summary.solveSeconds());
        assertThat(summary.attempts()).isEqualTo(1);
        assertThat(summary.method()).isEqualTo("adfs");
    }

    @Test
    void theSummarySaysWhichMethodAutoChose() {
        StarlingClassifier classifier =
                new StarlingClassifier().setRegParam(1e-1).setTol(1e-2);

        assertThat(classifier.fit(twoClasses).summary().method()).isEqualTo("newton");
        assertThat(classifier.setLoss("hinge").fit(twoClasses).summary().method())
                .isEqualTo("multipliers");
    }

    @Test
    void predictionsProbabilitiesAndRawPredictionsAgree() {
        List<Row> rows = fitted.transform(twoClasses).collectAsList();

        for (Row row : rows) {
            Vector features = row.getAs("features");
            Vector raw = row.getAs("rawPrediction");
            Vector probability = row.getAs("probability");
            double margin = fitted.intercept() + features.dot(fitted.coefficients());
            assertThat(raw.apply(1)).isEqualTo(margin, org.assertj.core.api.Assertions.within(1e-12));
            assertThat(raw.apply(0)).isEqualTo(-raw.apply(1));
            assertThat(probability.apply(1))
                    .isEqualTo(1 / (1 + Math.exp(-margin)), org.assertj.core.api.Assertions.within(1e-12));
            assertThat(probability.apply(0) + probability.apply(1))
                    .isEqualTo(1, org.assertj.core.api.Assertions.within(1e-12));
            assertThat(row.<Double>getAs("prediction")).isEqualTo(margin > 0 ? 1.0 : 0.0);
        }
    }

    @Test
    void aLossWithoutProbabilitiesHasNoProbabilityColumn() {
        StarlingClassifier classifier =
                new StarlingClassifier().setLoss("squared-hinge").setRegParam(1e-2);

        StarlingClassificationModel model = classifier.fit(twoClasses);

        assertThat(classifier.transformSchema(twoClasses.schema()).fieldNames())
                .contains("rawPrediction", "prediction")
                .doesNotContain("probability");
        assertThat(model.transform(twoClasses).columns())
                .contains("rawPrediction", "prediction")
                .doesNotContain("probability");
    }

    @Test
    void aSavedModelLoadsAsTheSameModel(@TempDir Path directory) throws IOException {
        String path = directory.resolve("model").toUri().toString();

        fitted.write().overwrite().save(path);
        StarlingClassificationModel loaded = StarlingClassificationModel.load(path);

        assertThat(loaded.uid()).isEqualTo(fitted.uid());
        assertThat(loaded.linearModel().hash()).isEqualTo(fitted.linearModel().hash());
        assertThat(loaded.summary()).isEqualTo(fitted.summary());
        assertThat(loaded.getRegParam()).isEqualTo(1e-2);
        assertThat(loaded.getMethod()).isEqualTo("adfs");
        assertThat(loaded.numClasses()).isEqualTo(2);
        assertThat(spark.read().text(path + "/metadata").first().getString(0))
                .contains("\"class\":\"dev.starling.spark.StarlingClassificationModel\"")
                .contains("\"regParam\":0.01", "\"method\":\"adfs\"");
    }

    @Test
    void aSavedRegressionModelLoadsAsTheSameModel(@TempDir Path directory) throws IOException {
        Dataset<Row> numbers = TestRows.frame(spark, List.of(TestRows.random(100, 3, 0, false, 22)));
        StarlingRegressionModel model =
                new StarlingRegressor().setRegParam(1e-2).fit(numbers);
        String path = directory.resolve("model").toUri().toString();

        model.save(path);
        StarlingRegressionModel loaded = StarlingRegressionModel.load(path);

        assertThat(loaded.linearModel().hash()).isEqualTo(model.linearModel().hash());
        assertThat(loaded.predict(Vectors.dense(1, 2, 3))).isEqualTo(model.predict(Vectors.dense(1, 2, 3)));
    }

    @Test
    void aSavedEstimatorLoadsWithItsParams(@TempDir Path directory) throws IOException {
        String path = directory.resolve("estimator").toUri().toString();
        StarlingRegressor regressor = new StarlingRegressor()
                .setLoss("huber(0.5)")
                .setMethod("newton")
                .setNodes(3)
                .setTopology("ring");

        regressor.save(path);
        StarlingRegressor loaded = StarlingRegressor.load(path);

        assertThat(loaded.uid()).isEqualTo(regressor.uid());
        assertThat(loaded.getMethod()).isEqualTo("newton");
        assertThat(encoded(loaded)).isEqualTo(encoded(regressor)).containsKey("idCols");
    }

    /** The values of all Params as text; arrays are equal if what is in them is. */
    private static Map<String, String> encoded(Params owner) {
        Map<String, String> values = new TreeMap<>();
        for (Param<?> param : owner.params()) {
            if (owner.isDefined(param)) {
                values.put(param.name(), encoded(owner, param));
            }
        }
        return values;
    }

    private static <T> String encoded(Params owner, Param<T> param) {
        return param.jsonEncode(owner.getOrDefault(param));
    }

    @Test
    void aPipelineWithAScalerIsCrossValidatedSavedAndLoaded(@TempDir Path directory) throws IOException {
        StandardScaler scaler = new StandardScaler()
                .setInputCol("features")
                .setOutputCol("scaled")
                .setWithMean(true);
        StarlingClassifier classifier = new StarlingClassifier()
                .setFeaturesCol("scaled")
                .setStandardization(false)
                .setTol(1e-4);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {scaler, classifier});
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(classifier.regParam(), new double[] {1e-3, 10})
                .build();
        CrossValidator validator = new CrossValidator()
                .setEstimator(pipeline)
                .setEstimatorParamMaps(grid)
                .setEvaluator(new BinaryClassificationEvaluator())
                .setNumFolds(2)
                .setParallelism(2)
                .setSeed(1);

        CrossValidatorModel validated = validator.fit(twoClasses);
        PipelineModel best = (PipelineModel) validated.bestModel();
        String path = directory.resolve("pipeline").toUri().toString();
        best.write().overwrite().save(path);
        PipelineModel loaded = PipelineModel.load(path);

        assertThat(java.util.Arrays.stream(validated.avgMetrics()).boxed())
                .hasSize(2)
                .allMatch(metric -> metric > 0.5);
        StarlingClassificationModel inside = (StarlingClassificationModel) loaded.stages()[1];
        assertThat(inside.linearModel().hash())
                .isEqualTo(((StarlingClassificationModel) best.stages()[1])
                        .linearModel()
                        .hash());
        assertThat(loaded.transform(twoClasses).columns()).contains("prediction", "probability");
    }

    @Test
    void rowsOfWeightZeroDoNotCount() {
        List<Row> rows = TestRows.random(60, 3, 2, false, 23);
        Row weightless = RowFactory.create(Vectors.dense(1e6, -1e6, 1e6), 1.0, 0.0);
        List<Row> more = new java.util.ArrayList<>(rows);
        more.add(0, weightless);
        more.add(weightless);
        StarlingClassifier classifier =
                new StarlingClassifier().setWeightCol("weight").setRegParam(1e-2);

        String without = classifier
                .fit(TestRows.frame(spark, List.of(rows)))
                .linearModel()
                .hash();
        String with = classifier
                .fit(TestRows.frame(spark, List.of(more)))
                .linearModel()
                .hash();

        assertThat(with).isEqualTo(without);
    }

    @Test
    void trainingThatReachesItsTimeLimitIsNotCertified() {
        StarlingClassificationModel model = new StarlingClassifier()
                .setMethod("adfs")
                .setRegParam(1e-9)
                .setTol(1e-14)
                .setMaxIter(1_000_000_000)
                .setMaxSeconds(0.2)
                .fit(twoClasses);

        assertThat(model.summary().certified()).isFalse();
        assertThat(model.summary().gap()).isLessThan(1);
        assertThat(model.summary().solveSeconds()).isBetween(0.1, 20.0);
    }

    @Test
    void anL1TermLeavesFewerCoefficients() {
        StarlingClassifier classifier =
                new StarlingClassifier().setRegParam(0.2).setFitIntercept(false);
        StarlingClassificationModel mixed = classifier.setElasticNetParam(0.75).fit(twoClasses);
        StarlingClassificationModel apart = classifier
                .setRegParam(0.05)
                .setElasticNetParam(0)
                .setL1Param(0.15)
                .fit(twoClasses);

        assertThat(mixed.coefficients().numNonzeros()).isBetween(1, 3);
        assertThat(apart.coefficients().toArray())
                .as("regParam of 0.05 and l1Param of 0.15 are the same penalty, said otherwise")
                .containsExactly(mixed.coefficients().toArray(), org.assertj.core.api.Assertions.within(1e-4));
    }
}
