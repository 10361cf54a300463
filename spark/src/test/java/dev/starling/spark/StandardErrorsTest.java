package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.keys.RowKeys;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Setting;
import dev.starling.spark.mllib.CertifiedLogisticRegression;
import dev.starling.spark.model.ModelText;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code starling glm} prints, from Spark's estimators: the file of one process, byte for byte. */
class StandardErrorsTest {

    private static final double DELAY = 50;

    private static SparkSession spark;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
    }

    /** Rows with labels that a loss can have; the column "weight" holds the number of a cluster of eight rows or so. */
    private static List<Row> rows(String loss, int classes) {
        Random random = new Random(5);
        List<Row> rows = new ArrayList<>();
        for (Row row : TestRows.random(240, 4, classes, false, 41)) {
            double score = row.getDouble(1);
            double label = classes > 0
                    ? score
                    : switch (loss) {
                        case "binomial", "binomial(probit)", "stratified(binomial)" ->
                            score + random.nextGaussian() > 0 ? 1 : 0;
                        case "poisson", "quasi-poisson", "negative-binomial(2)", "stratified(poisson)" ->
                            Math.rint(2 + Math.abs(score) + random.nextInt(3));
                        case "gamma" -> 1 + Math.abs(score);
                        case "cox", "cox(breslow)" -> {
                            double time = Math.rint(10 * Math.abs(score)) + 1;
                            yield random.nextInt(4) == 0 ? -time : time;
                        }
                        default -> score;
                    };
            rows.add(RowFactory.create(row.<Vector>getAs(0), label, (double) random.nextInt(30)));
        }
        return rows;
    }

    private static Trainer trainer(String loss, String kind, int nodes) {
        return Trainer.of(Losses.named(loss))
                .lambda(0)
                .intercept(!Losses.named(loss).comparesRows())
                .gap(1e-9)
                .nodes(nodes)
                .maxEpochs(1000)
                .delay(DELAY)
                .with(Setting.STANDARD_ERRORS, StandardErrors.named(kind))
                .runner(new Simulator());
    }

    private static StarlingRegressor regressor(String loss, String kind, int nodes) {
        return new StarlingRegressor()
                .setLoss(loss)
                .setStandardErrors(kind)
                .setFitIntercept(!Losses.named(loss).comparesRows())
                .setRegParam(0)
                .setStandardization(false)
                .setTol(1e-9)
                .setDelay(DELAY)
                .setNodes(nodes);
    }

    private static long[] clusters(List<Row> rows) {
        return rows.stream()
                .mapToLong(row -> RowKeys.ofCells(List.of(Double.toString(row.getDouble(2)))))
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "gaussian, model, 2",
        "poisson, model, 1",
        "poisson, HC3, 2",
        "binomial(probit), model, 2",
        "gamma, HC1, 2",
        "quasi-poisson, CR1, 2",
        "binomial, CR2, 2",
        "binomial, CR1, 1",
        "cox, model, 2",
        "cox(breslow), model, 1",
        "stratified(poisson), model, 2"
    })
    void numbersAreWrittenAsOneProcessWritesThem(String loss, String kind, int nodes) {
        List<Row> rows = rows(loss, 0);
        Dataset data = TestRows.dataset(rows, false);
        boolean keyed =
                StandardErrors.named(kind).isClustered() || Losses.named(loss).comparesRows();
        LinearModel expected = (keyed
                        ? trainer(loss, kind, nodes).fit(data, clusters(rows))
                        : trainer(loss, kind, nodes).fit(data))
                .model();

        StarlingRegressionModel model = regressor(loss, kind, nodes)
                .setClusterCol(keyed ? "weight" : "")
                .fit(TestRows.frame(spark, List.of(rows)));

        assertThat(model.trained().file()).contains("\"inference\":").isEqualTo(ModelText.of(expected));
        List<Row> table = model.coefficientTable(0.9).collectAsList();
        GlmTable printed = GlmTable.of(expected, 0.9);
        assertThat(table).hasSameSizeAs(printed.coefficients());
        for (int k = 0; k < table.size(); k++) {
            Coefficient line = printed.coefficients().get(k);
            assertThat(table.get(k))
                    .isEqualTo(RowFactory.create(
                            line.name(),
                            null,
                            line.estimate().value(),
                            line.se().value(),
                            line.statistic().value(),
                            line.p().value(),
                            line.lower().value(),
                            line.upper().value(),
                            line.estimate().error()));
        }
    }

    /** Clusters are kept together wherever their rows are; only the order of rows in the fingerprint differs. */
    @Test
    void clustersInSeveralPartitionsComeTogether() {
        List<Row> rows = rows("poisson", 0);
        Dataset data = TestRows.dataset(rows, false);

        StarlingRegressionModel model = regressor("poisson", "CR1", 2)
                .setClusterCol("weight")
                .fit(TestRows.frame(spark, TestRows.cut(rows, 5)));

        assertThat(model.trained().file())
                .isEqualTo(ModelText.of(
                        trainer("poisson", "CR1", 2).fit(data, clusters(rows)).model()));
    }

    @ParameterizedTest
    @CsvSource({"multinomial, 1", "multinomial, 2", "ordinal, 2"})
    void classesAreWrittenAsOneProcessWritesThem(String loss, int nodes) {
        List<Row> rows = rows(loss, 3);

        StarlingClassificationModel model = new StarlingClassifier()
                .setLoss(loss)
                .setStandardErrors("model")
                .setRegParam(0)
                .setStandardization(false)
                .setTol(1e-9)
                .setDelay(DELAY)
                .setNodes(nodes)
                .fit(TestRows.frame(spark, List.of(rows)));

        assertThat(model.trained().file())
                .contains("\"inference\":")
                .isEqualTo(ModelText.of(trainer(loss, "model", nodes)
                        .fit(TestRows.dataset(rows, false))
                        .model()));
        List<Row> table = model.coefficientTable(0.95).collectAsList();
        boolean ordered = loss.equals("ordinal");
        assertThat(table).hasSize(ordered ? 6 : 10);
        assertThat(table)
                .allSatisfy(line -> assertThat(line.<Double>getAs("se")).isPositive());
        assertThat(table.get(table.size() - 1).<String>getAs("class")).isEqualTo(ordered ? null : "2");
        for (Row row : model.transform(TestRows.frame(spark, List.of(rows))).collectAsList()) {
            double[] features = row.<Vector>getAs("features").toArray();
            assertThat(row.<Vector>getAs("probability").toArray())
                    .isEqualTo(model.linearModel().probabilities(features));
            assertThat(row.<Double>getAs("prediction"))
                    .isEqualTo(model.linearModel().predict(features));
        }
    }

    @Test
    void tablesAreWrittenAsOneProcessWritesThem() throws IOException {
        Visits visits = Visits.in(folder);
        Recipe recipe = Recipe.builder()
                .formula("ill ~ dose + town")
                .offset("risk")
                .ids(List.of("patient"))
                .learn(visits.table());

        StarlingTableModel model = new StarlingTableEstimator()
                .setFormula("ill ~ dose + town")
                .setOffsetCol("risk")
                .setInputCols(new String[] {"dose", "town"})
                .setStandardErrors("CR1")
                .setClusterCol("patient")
                .setRegParam(0)
                .setStandardization(false)
                .setTol(1e-9)
                .setDelay(DELAY)
                .setNodes(2)
                .fit(visits.frame());

        assertThat(ModelText.of(model.linearModel()))
                .isEqualTo(ModelText.of(
                        visits.fitInOneProcess(any -> trainer("logistic", "CR1", 2), recipe, DELAY, "patient")
                                .model()));
        assertThat(model.coefficientTable(0.95).select("name").collectAsList())
                .extracting(row -> row.getString(0))
                .containsExactly("(Intercept)", "dose", "town=Ax", "town=Gap");
    }

    @Test
    void refusalsNameTheParamAndARemedy() {
        org.apache.spark.sql.Dataset<Row> frame = TestRows.frame(spark, List.of(rows("poisson", 0)));

        assertThatRefused(() -> regressor("poisson", "model", 1).fit(frame).coefficientTable(1.5))
                .hasMessageContaining("a level of 1.5");
        assertThatRefused(() -> regressor("poisson", "none", 1).fit(frame).coefficientTable(0.95))
                .hasMessageContaining("standard-errors model");
        assertThatRefused(() ->
                        regressor("poisson", "model", 1).setClusterCol("weight").fit(frame))
                .hasMessageContaining("clusterCol 'weight' is for standardErrors CR1 and CR2");
        assertThatRefused(() -> regressor("poisson", "CR1", 1).fit(frame))
                .hasMessageContaining("which cluster a row belongs to");
        assertThatRefused(() ->
                        regressor("poisson", "CR1", 1).setClusterCol("ward").fit(frame))
                .hasMessageContaining("unknown column 'ward'");
        assertThatRefused(() -> regressor("poisson", "CR1", 2)
                        .setClusterCol("one")
                        .fit(frame.withColumn("one", functions.lit(1))))
                .hasMessageContaining("2 nodes for 1 clusters");
        assertThatRefused(
                        () -> regressor("poisson", "model", 1).setRegParam(0.1).fit(frame))
                .hasMessageContaining("needs a fit without regularisation");
        assertThatRefused(() -> regressor("cox", "model", 2).fit(frame.withColumn("label", functions.lit(1.0))))
                .hasMessageContaining("strata(site)");
        assertThatRefused(() -> regressor("poisson", "HC9", 1)).hasMessageContaining("HC9");
    }

    /** MLlib's several classes are ours too: its optimum, in its coding. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0.01, 0", "0.01, 0.5"})
    void severalClassesAreThoseOfMllib(double penalty, double share) {
        org.apache.spark.sql.Dataset<Row> frame = TestRows.frame(spark, List.of(rows("multinomial", 3)))
                .withColumn("label", functions.col("label").cast(DataTypes.DoubleType));

        LogisticRegressionModel ours = new CertifiedLogisticRegression()
                .setTol(1e-12)
                .setRegParam(penalty)
                .setElasticNetParam(share)
                .fit(frame);
        LogisticRegressionModel mllib = new LogisticRegression()
                .setRegParam(penalty)
                .setElasticNetParam(share)
                .setTol(1e-12)
                .setMaxIter(1000)
                .fit(frame);

        assertThat(ours.summary().objectiveHistory()).hasSize(1);
        assertThat(ours.summary().objectiveHistory()[0])
                .isLessThanOrEqualTo(
                        mllib.summary().objectiveHistory()[mllib.summary().objectiveHistory().length - 1]
                                * (1 + 1e-12));
        for (int k = 0; k < 3; k++) {
            assertThat(ours.interceptVector().apply(k))
                    .isCloseTo(mllib.interceptVector().apply(k), offset(1e-4));
            for (int j = 0; j < 4; j++) {
                assertThat(ours.coefficientMatrix().apply(k, j))
                        .isCloseTo(mllib.coefficientMatrix().apply(k, j), offset(1e-4));
            }
        }
    }
}
