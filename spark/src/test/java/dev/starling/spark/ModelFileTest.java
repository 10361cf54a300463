package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.keys.Fingerprint;
import dev.starling.loss.Hinge;
import dev.starling.loss.Squared;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.spark.model.ModelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The model file that Spark writes is, byte for byte, the one that a single process writes for the same rows, settings
 * and delay: with its certificate, what is known about coefficients, the fingerprint of the rows, the path and the
 * evaluation.
 */
class ModelFileTest {

    private static final double DELAY = 50;

    private static SparkSession spark;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
    }

    private static String fileOf(Trainer trainer, Dataset rows) {
        return ModelText.of(configured(trainer).fit(rows).model());
    }

    private static Trainer configured(Trainer trainer) {
        return trainer.nodes(2).maxEpochs(1000).delay(DELAY).gap(1e-8).runner(new Simulator());
    }

    /**
     * A way to train classifiers.
     *
     * @param contains what the file must say, so that the case is what its name says
     */
    private record Case(
            String name,
            int classes,
            UnaryOperator<StarlingClassifier> onSpark,
            UnaryOperator<Trainer> inOneProcess,
            String... contains) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Case> classifiers() {
        return Stream.of(
                new Case("logistic", 2, it -> it, it -> it.intercept(true), "\"dual\":", "\"method\":\"newton\""),
                new Case(
                        "l1",
                        2,
                        it -> it.setRegParam(0).setL1Param(0.02),
                        it -> it.lambda(0).l1(0.02).intercept(true),
                        "\"method\":\"proximal-newton\""),
                new Case(
                        "no penalty",
                        2,
                        it -> it.setRegParam(0),
                        it -> it.lambda(0).intercept(true),
                        "\"coefficientError\":",
                        "\"aliased\":[4]"),
                new Case(
                        "path",
                        2,
                        it -> it.setLambdaPath("1e-1,1e-2,1e-3"),
                        it -> it.lambdaPath(LambdaPath.values(1e-1, 1e-2, 1e-3)).intercept(true),
                        "\"path\":["),
                new Case(
                        "cross-validation",
                        2,
                        it -> it.setCv("3")
                                .setCvRule("1se")
                                .setLambdaPath("1e-1,1e-2")
                                .setL1Ratios("0,0.5"),
                        it -> it.lambdaPath(LambdaPath.values(1e-1, 1e-2).l1Ratios(0, 0.5))
                                .crossValidation(Folds.of(3).rule(Folds.Rule.ONE_STANDARD_ERROR))
                                .intercept(true),
                        "\"crossValidation\":",
                        "\"path\":["),
                new Case("three classes", 3, it -> it, it -> it.intercept(true), "\"classes\":[0.0,1.0,2.0]"),
                new Case(
                        "scaled, with held-out rows of balanced classes",
                        3,
                        it -> it.setScaling("standardize")
                                .setStandardization(true)
                                .setClassWeights("balanced")
                                .setHoldout(0.25),
                        it -> it.standardize(true)
                                .classWeights(ClassWeighting.BALANCED)
                                .holdout(0.25)
                                .intercept(true),
                        "\"evaluation\":{\"holdout\":"),
                new Case(
                        "adfs",
                        2,
                        it -> it.setMethod("adfs").setInterceptScaling(2),
                        it -> it.method("adfs").bias(2),
                        "\"method\":\"adfs\""),
                new Case(
                        "hinge",
                        2,
                        it -> it.setLoss("hinge").setFitIntercept(false),
                        it -> Trainer.of(new Hinge()).lambda(1e-2),
                        "\"method\":\"multipliers\""));
    }

    /** The last feature is the sum of the first two. */
    private static List<Row> withAlias(List<Row> rows) {
        List<Row> result = new ArrayList<>();
        for (Row row : rows) {
            double[] x = row.<Vector>getAs(0).toArray();
            x[0] = Math.rint(8 * x[0]) / 8;
            x[1] = Math.rint(8 * x[1]) / 8;
            x[4] = x[0] + x[1];
            result.add(RowFactory.create(Vectors.dense(x), row.getDouble(1), row.getDouble(2)));
        }
        return result;
    }

    @ParameterizedTest
    @MethodSource("classifiers")
    void classifiersAreWrittenAsOneProcessWritesThem(Case trained) {
        List<Row> rows = withAlias(TestRows.random(240, 5, trained.classes, false, 31));
        StarlingClassifier classifier = new StarlingClassifier()
                .setWeightCol("weight")
                .setRegParam(1e-2)
                .setStandardization(false)
                .setTol(1e-8)
                .setDelay(DELAY)
                .setNodes(2);

        StarlingClassificationModel model = trained.onSpark.apply(classifier).fit(TestRows.frame(spark, List.of(rows)));

        String expected =
                fileOf(trained.inOneProcess.apply(Trainer.logistic().lambda(1e-2)), TestRows.dataset(rows, true));
        assertThat(expected).contains(trained.contains);
        assertThat(model.trained().file()).isEqualTo(expected);
    }

    @Test
    void numbersArePredictedAndEvaluatedAsInOneProcess() {
        List<Row> rows = TestRows.random(300, 4, 0, true, 32);

        StarlingRegressionModel model = new StarlingRegressor()
                .setOffsetCol("weight")
                .setHoldout(0.3)
                .setStandardization(false)
                .setRegParam(1e-2)
                .setTol(1e-8)
                .setDelay(DELAY)
                .setNodes(2)
                .fit(TestRows.frame(spark, List.of(rows)));

        Dataset offset = TestRows.dataset(rows, false)
                .withOffsets(rows.stream().mapToDouble(row -> row.getDouble(2)).toArray());
        assertThat(model.trained().file())
                .contains("\"r2\":")
                .isEqualTo(fileOf(
                        Trainer.of(new Squared()).lambda(1e-2).intercept(true).holdout(0.3), offset));
    }

    /** The rows of two partitions, dealt out in turn, are those of two nodes; only their order in the file differs. */
    @Test
    void aFrameOfSeveralPartitionsDiffersInNothingButTheFingerprint() {
        List<Row> rows = TestRows.random(200, 4, 2, false, 33);
        List<List<Row>> parts = List.of(
                IntStream.range(0, 100).mapToObj(i -> rows.get(2 * i)).toList(),
                IntStream.range(0, 100).mapToObj(i -> rows.get(2 * i + 1)).toList());

        StarlingClassificationModel model = new StarlingClassifier()
                .setStandardization(false)
                .setHoldout(0.2)
                .setTol(1e-8)
                .setDelay(DELAY)
                .fit(TestRows.frame(spark, parts));

        Dataset dealt = TestRows.dataset(rows, false);
        Dataset inOrder = TestRows.dataset(parts.stream().flatMap(List::stream).toList(), false);
        assertThat(model.trained().file())
                .isEqualTo(
                        fileOf(Trainer.logistic().lambda(1e-4).intercept(true).holdout(0.2), dealt)
                                .replace(Fingerprint.of(dealt), Fingerprint.of(inOrder)));
    }

    @Test
    void tablesAreWrittenAsOneProcessWritesThem() throws IOException {
        Visits visits = Visits.in(folder);
        Recipe recipe = Recipe.builder()
                .formula("ill ~ age + dose + town")
                .offset("risk")
                .missing(Missing.MEAN)
                .ids(List.of("patient"))
                .learn(visits.table());
        StarlingTableModel model = new StarlingTableEstimator()
                .setFormula("ill ~ age + dose + town")
                .setOffsetCol("risk")
                .setMissing("mean")
                .setInputCols(new String[] {"age", "dose", "town"})
                .setCv("3")
                .setCvGroupsCol("patient")
                .setLambdaPath("1e-2,1e-3")
                .setStandardization(false)
                .setTol(1e-8)
                .setDelay(DELAY)
                .setNodes(2)
                .fit(visits.frame());
        String expected = ModelText.of(visits.fitInOneProcess(
                        trainer -> configured(trainer)
                                .lambdaPath(LambdaPath.values(1e-2, 1e-3))
                                .crossValidation(Folds.of(3).by("patient")),
                        recipe,
                        DELAY,
                        "patient")
                .model());

        Path saved = folder.resolve("table");
        model.write().overwrite().save(saved.toUri().toString());

        assertThat(Files.readString(saved.resolve("model.json"))).isEqualTo(expected);
    }

    @Test
    void aSavedModelSaysTheSameInAnotherSession() throws IOException {
        org.apache.spark.sql.Dataset<Row> frame = TestRows.frame(spark, List.of(TestRows.random(120, 4, 3, true, 34)));
        StarlingClassificationModel model =
                new StarlingClassifier().setHoldout(0.2).fit(frame);
        Path saved = folder.resolve("classes");
        model.write().overwrite().save(saved.toUri().toString());

        SparkSession other = spark.newSession();
        StarlingClassificationModel loaded = StarlingClassificationModel.read()
                .session(other)
                .load(saved.toUri().toString());

        assertThat(loaded.summary()).isEqualTo(model.summary());
        assertThat(loaded.trained().file())
                .isEqualTo(model.trained().file())
                .isEqualTo(Files.readString(saved.resolve("model.json")))
                .isEqualTo(ModelText.of(LinearModel.load(saved.resolve("model.json"))));
        EvaluationRecord kept = loaded.linearModel().provenance().evaluations().get("holdout");
        assertThat(kept.measures())
                .isEqualTo(model.judgement().orElseThrow().toKeep().measures());
        assertThat(kept.fingerprint()).hasSize(16);
        assertThat(loaded.transform(frame).collectAsList())
                .isEqualTo(model.transform(frame).collectAsList());
    }
}
