package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import dev.starling.network.Topology;
import dev.starling.runtime.Simulator;
import dev.starling.settings.ClassWeighting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's tasks give the bits that the simulator gives on the same split. */
class SameBitsTest {

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
    }

    private static StarlingClassifier plain(String method) {
        return new StarlingClassifier()
                .setMethod(method)
                .setRegParam(1e-3)
                .setTol(1e-8)
                .setFitIntercept(false)
                .setStandardization(false);
    }

    private static StarlingClassifier plain() {
        return plain("auto");
    }

    private static List<Dataset> binary(List<List<Row>> parts, boolean weighted, boolean dense) {
        return parts.stream()
                .map(part ->
                        Labels.of(0, 1).binary(TestRows.dataset(part, weighted)).laidOut(dense))
                .toList();
    }

    /** The parameter of two simulated nodes, at the tolerance and the seed of {@link #plain}. */
    private static double[] simulated(String method, List<Dataset> nodes, Loss loss, double lambda, double delay) {
        return Reference.parameter(
                method, nodes, loss, lambda, Topology.named("complete").build(2, 1), delay, 1e-8, 1);
    }

    /** The model has the bits of the one that a trainer makes of the same rows at two simulated nodes. */
    private static void assertTrainedBy(Trainer trainer, Dataset rows, StarlingClassificationModel model) {
        LinearModel expected = trainer.nodes(2)
                .maxEpochs(1000)
                .delay(model.summary().delay())
                .runner(new Simulator())
                .fit(rows)
                .model();
        assertThat(model.linearModel().hash()).isEqualTo(expected.hash());
    }

    @ParameterizedTest
    @CsvSource({"adfs,9,false", "adfs,9,true", "newton,9,false", "newton,9,true", "newton,120,false"})
    void twoPartitionsTrainAsTwoSimulatedNodes(String method, int features, boolean sparse) {
        List<List<Row>> parts = TestRows.cut(TestRows.random(500, features, 2, sparse, 1), 2);

        StarlingClassificationModel model = plain(method).setDelay(50).fit(TestRows.frame(spark, parts));

        double[] expected = simulated(method, binary(parts, false, !sparse), new Logistic(), 1e-3, 50);
        assertThat(model.coefficients().toArray()).containsExactly(expected);
        assertThat(model.summary().certified()).isTrue();
        assertThat(model.summary().nodes()).isEqualTo(2);
    }

    @Test
    void balancedClassesTrainAsTheTrainerTrainsThem() {
        List<Row> rows = TestRows.random(300, 5, 3, false, 8);

        StarlingClassificationModel model = plain().setNodes(2)
                .setWeightCol("weight")
                .setClassWeights("balanced")
                .fit(TestRows.frame(spark, List.of(rows)));

        assertTrainedBy(
                Trainer.logistic().lambda(1e-3).gap(1e-8).classWeights(ClassWeighting.BALANCED),
                TestRows.dataset(rows, true),
                model);
    }

    @Test
    void allClassesAtOnceTrainAsTheTrainerTrainsThem() {
        List<Row> rows = TestRows.random(300, 5, 3, false, 8);
        org.apache.spark.sql.Dataset<Row> frame = TestRows.frame(spark, List.of(rows));

        StarlingClassificationModel model =
                plain().setLoss("softmax").setNodes(2).fit(frame);

        Dataset data = TestRows.dataset(rows, false);
        assertTrainedBy(Trainer.of(new Softmax()).lambda(1e-3).gap(1e-8), data, model);
        assertThat(model.summary().certified()).isTrue();
        Vector probability = model.transform(frame).select("probability").head().getAs(0);
        assertThat(probability.toArray())
                .containsExactly(
                        model.linearModel()
                                .probabilities(frame.select("features")
                                        .head()
                                        .<Vector>getAs(0)
                                        .toArray()),
                        within(1e-12));
    }

    @Test
    void heldOutRowsAreThoseOfTheTrainerWithTheSameEvaluation() {
        List<Row> rows = TestRows.random(400, 5, 3, false, 9);
        Dataset data = TestRows.dataset(rows, true);

        StarlingClassificationModel model =
                plain().setNodes(2).setWeightCol("weight").setHoldout(0.25).fit(TestRows.frame(spark, List.of(rows)));

        Fit expected = Trainer.logistic()
                .lambda(1e-3)
                .gap(1e-8)
                .holdout(0.25)
                .nodes(2)
                .maxEpochs(1000)
                .delay(model.summary().delay())
                .runner(new Simulator())
                .fit(data);
        assertThat(model.linearModel().hash()).isEqualTo(expected.model().hash());
        Measures held = model.judgement().orElseThrow();
        assertThat(held.rows())
                .isEqualTo(expected.evaluation().orElseThrow().rows())
                .isEqualTo(400 - model.summary().rows());
        expected.evaluation()
                .get()
                .values()
                .forEach((name, value) ->
                        assertThat(held.values().get(name)).as(name).isCloseTo(value, within(1e-12 * value)));
        assertThat(model.evaluate(TestRows.frame(spark, List.of(rows))).values())
                .isEqualTo(Evaluation.of(model.linearModel(), data).values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "adfs", "newton"})
    void weightsAndAnInterceptTrainAsTheTrainerTrainsThem(String method) {
        List<Row> rows = TestRows.random(300, 5, 2, false, 3);

        StarlingClassificationModel model = plain(method)
                .setNodes(2)
                .setWeightCol("weight")
                .setFitIntercept(true)
                .setInterceptScaling(3)
                .fit(TestRows.frame(spark, List.of(rows)));

        assertTrainedBy(
                Trainer.logistic().lambda(1e-3).gap(1e-8).bias(3).method(method), TestRows.dataset(rows, true), model);
    }

    @ParameterizedTest
    @CsvSource({"auto, false", "adfs, false", "newton, false", "newton, true"})
    void severalClassesTrainAsTheTrainerTrainsThem(String method, boolean oneVersusRest) {
        List<Row> rows = TestRows.random(400, 6, 4, true, 4);

        StarlingClassificationModel model = plain(method)
                .setOneVersusRest(oneVersusRest)
                .setNodes(2)
                .setTol(1e-6)
                .fit(TestRows.frame(spark, List.of(rows)));

        Trainer trainer = Trainer.logistic()
                .oneVersusRest(oneVersusRest)
                .lambda(1e-3)
                .gap(1e-6)
                .method(method);
        assertTrainedBy(trainer, TestRows.dataset(rows, false), model);
        assertThat(model.numClasses()).isEqualTo(4);
        assertThat(model.linearModel().loss())
                .isEqualTo(oneVersusRest || method.equals("adfs") ? "logistic" : "softmax");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "adfs", "newton"})
    void regressionTrainsAsSimulatedNodes(String method) {
        List<List<Row>> parts = TestRows.cut(TestRows.random(300, 6, 0, false, 5), 2);

        StarlingRegressionModel model = new StarlingRegressor()
                .setMethod(method)
                .setLoss("huber(0.5)")
                .setRegParam(1e-2)
                .setTol(1e-8)
                .setFitIntercept(false)
                .setStandardization(false)
                .setDelay(20)
                .fit(TestRows.frame(spark, parts));

        double[] expected = simulated(
                method,
                parts.stream()
                        .map(part -> TestRows.dataset(part, false).laidOut(true))
                        .toList(),
                new Huber(0.5),
                1e-2,
                20);
        assertThat(model.coefficients().toArray()).containsExactly(expected);
    }

    /** 90 of 150 values are not zero: laid out densely, a row stores more than count when the way is chosen. */
    @Test
    void theMethodIsChosenByNonZeroValuesAsTheTrainerChoosesIt() {
        List<Row> rows = new ArrayList<>();
        for (Row row : TestRows.random(60, 150, 2, false, 13)) {
            double[] x = row.<org.apache.spark.ml.linalg.Vector>getAs(0).toArray();
            for (int c = 0; c < x.length; c++) {
                x[c] = (c + rows.size()) % 5 < 2 ? 0 : x[c];
            }
            rows.add(org.apache.spark.sql.RowFactory.create(
                    org.apache.spark.ml.linalg.Vectors.dense(x), row.getDouble(1), row.getDouble(2)));
        }

        StarlingClassificationModel model = plain().setNodes(2).fit(TestRows.frame(spark, List.of(rows)));

        assertTrainedBy(Trainer.logistic().lambda(1e-3).gap(1e-8), TestRows.dataset(rows, false), model);
    }

    @Test
    void featuresAreScaledByTheDeviationsOfAllRowsTogether() {
        List<List<Row>> parts = TestRows.cut(TestRows.random(300, 4, 2, true, 6), 2);

        StarlingClassificationModel model =
                plain().setStandardization(true).setDelay(30).fit(TestRows.frame(spark, parts));

        List<Dataset> raw =
                parts.stream().map(part -> TestRows.dataset(part, false)).toList();
        double[] means = Moments.means(added(Moments.sums(raw.get(0)), Moments.sums(raw.get(1))));
        double[] squares = added(Moments.squares(raw.get(0), means), Moments.squares(raw.get(1), means));
        long rows = (long) raw.get(0).rows() + raw.get(1).rows();
        Standardizer scaled = Standardizer.scaled(Moments.of(rows, means, squares));
        List<Dataset> nodes = raw.stream()
                .map(part -> Labels.of(0, 1).binary(scaled.apply(part)))
                .toList();
        double[] onScaled = simulated("auto", nodes, new Logistic(), 1e-3, 30);
        assertThat(model.coefficients().toArray())
                .containsExactly(scaled.toRaw(onScaled, 0).weights());
    }

    /** Of two numbers the nearest double is the exact sum, rounded once. */
    private static double[] added(double[] one, double[] other) {
        double[] both = new double[one.length];
        Arrays.setAll(both, k -> one[k] + other[k]);
        return both;
    }

    @Test
    void emptyPartitionsChangeNothing() {
        List<Row> rows = TestRows.random(200, 5, 2, false, 7);

        StarlingClassificationModel alone = plain().fit(TestRows.frame(spark, List.of(rows)));
        StarlingClassificationModel beside = plain().fit(TestRows.frame(spark, List.of(List.of(), rows)));

        assertThat(beside.linearModel().hash()).isEqualTo(alone.linearModel().hash());
        assertThat(beside.summary().nodes()).isEqualTo(1);
    }

    @Test
    void skewedPartitionsReachTheGap() {
        List<Row> rows = TestRows.random(400, 5, 2, false, 8);

        StarlingClassificationModel model =
                plain().fit(TestRows.frame(spark, List.of(rows.subList(0, 40), rows.subList(40, 400))));

        assertThat(model.summary().gap()).isLessThanOrEqualTo(1e-8);
        assertThat(model.summary().nodes()).isEqualTo(2);
    }

    @Test
    void morePartitionsThanSlotsAreDealtOutToFewerNodes() {
        List<Row> rows = TestRows.random(400, 5, 2, true, 9);
        List<List<Row>> parts = TestRows.cut(rows, 5);

        StarlingClassificationModel model = plain().setDelay(40).fit(TestRows.frame(spark, parts));

        List<List<Row>> dealt = List.of(new ArrayList<>(), new ArrayList<>());
        for (int p = 0; p < parts.size(); p++) {
            for (int r = 0; r < parts.get(p).size(); r++) {
                dealt.get((p + r) % 2).add(parts.get(p).get(r));
            }
        }
        double[] expected = simulated("auto", binary(dealt, false, false), new Logistic(), 1e-3, 40);
        assertThat(model.coefficients().toArray()).containsExactly(expected);
    }

    @Test
    void mixedSparseAndDenseVectorsAreTheSameRows() {
        List<Row> sparse = TestRows.random(200, 5, 2, true, 10);
        List<Row> mixed = new ArrayList<>();
        for (int i = 0; i < sparse.size(); i++) {
            org.apache.spark.ml.linalg.Vector vector = sparse.get(i).getAs(0);
            mixed.add(org.apache.spark.sql.RowFactory.create(
                    i % 3 == 0 ? vector.toDense() : vector,
                    sparse.get(i).getDouble(1),
                    sparse.get(i).getDouble(2)));
        }

        String one = plain().fit(TestRows.frame(spark, TestRows.cut(sparse, 2)))
                .linearModel()
                .hash();
        String other = plain().fit(TestRows.frame(spark, TestRows.cut(mixed, 2)))
                .linearModel()
                .hash();

        assertThat(other).isEqualTo(one);
    }

    @Test
    void aCoalescedFrameThatABarrierStageRefusesIsDealtOut() {
        List<Row> rows = TestRows.random(200, 5, 2, false, 11);

        StarlingClassificationModel model =
                plain().fit(TestRows.frame(spark, TestRows.cut(rows, 4)).coalesce(2));

        assertThat(model.summary().certified()).isTrue();
        assertThat(Arrays.stream(model.coefficients().toArray()).allMatch(Double::isFinite))
                .isTrue();
    }
}
