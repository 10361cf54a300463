package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.starling.method.Methods;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the estimators say, word for word, when they refuse settings, or rows that do not fit them. */
class RefusalsTest {

    private static SparkSession spark;
    private static Dataset<Row> twoClasses;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
        twoClasses = TestRows.frame(spark, TestRows.cut(TestRows.random(20, 4, 2, false, 21), 2));
    }

    private static Arguments refusal(String message, ThrowingCallable refused) {
        return arguments(message, refused);
    }

    static Stream<Arguments> settings() {
        return Stream.of(
                refusal(
                        "3 nodes need as many concurrent tasks, but the cluster runs 2; set nodes to at most 2, or add executors or cores",
                        () -> classifier().setNodes(3).fit(twoClasses)),
                refusal(
                        "classifier parameter nodes given invalid value -1.",
                        () -> classifier().setNodes(-1)),
                refusal(
                        "classifier parameter regParam given invalid value -1.0.",
                        () -> classifier().setRegParam(-1)),
                refusal(
                        "gap 1.0E-15 is less than double precision can prove; use 1.0E-14 or more",
                        () -> classifier().setTol(1e-15).fit(twoClasses)),
                refusal(
                        "unknown loss 'logstic'; did you mean 'logistic'? there are: logistic, softmax, ordinal, cox, cox(breslow), squared, squared-hinge, "
                                + "smoothed-hinge, huber, binomial, binomial(probit), binomial(cloglog), quasi-binomial, poisson, "
                                + "quasi-poisson, negative-binomial, gamma, inverse-gaussian, tweedie, "
                                + "squared-epsilon-insensitive, hinge, absolute, epsilon-insensitive, quantile",
                        () -> classifier().setLoss("logstic")),
                refusal(
                        "unknown method 'newtn'; did you mean 'newton'? there are: "
                                + String.join(", ", Methods.names()),
                        () -> classifier().setMethod("newtn")),
                refusal(
                        "unknown topology 'rin'; did you mean 'ring'? there are: complete, ring, line, star, grid, torus, "
                                + "hypercube, random-regular, erdos-renyi, watts-strogatz, binary-tree",
                        () -> classifier().setTopology("rin")),
                refusal(
                        "classifier parameter elasticNetParam given invalid value 1.5.",
                        () -> classifier().setElasticNetParam(1.5)),
                refusal(
                        "unknown scaling 'scaled'; did you mean 'scale'? there are: none, scale, standardize",
                        () -> classifier().setScaling("scaled")),
                refusal(
                        "class-weights has '1'; each must be LABEL=WEIGHT, such as 1=2.5, or the whole setting balanced",
                        () -> classifier().setClassWeights("1").fit(twoClasses)),
                refusal(
                        "class weight for label 7.0, which no row has; there are: [0.0, 1.0]",
                        () -> classifier().setClassWeights("7=2").fit(twoClasses)),
                refusal(
                        "method newton cannot take an l1 term, which has kinks; adfs can",
                        () -> classifier().setL1Param(0.1).setMethod("newton").fit(twoClasses.limit(0))),
                // The driver knows, before anything starts.
                refusal(
                        "method newton cannot take the loss hinge, which has kinks; adfs can",
                        () -> classifier().setLoss("hinge").setMethod("newton").fit(twoClasses.limit(0))),
                refusal(
                        "loss squared is for numbers; use StarlingRegressor, or a loss for classes such as logistic",
                        () -> classifier().setLoss("squared").fit(twoClasses)),
                refusal(
                        "loss logistic is for classes; use StarlingClassifier, or a loss for numbers such as squared",
                        () -> new StarlingRegressor().setLoss("logistic").fit(twoClasses)),
                refusal(
                        "no rows to train on; the DataFrame is empty",
                        () -> classifier().fit(twoClasses.limit(0))));
    }

    private static StarlingClassifier classifier() {
        return new StarlingClassifier("classifier");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void refusalsOfSettingsNameTheSettingItsValueAndARemedy(String message, ThrowingCallable refused) {
        assertThatThrownBy(refused).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void aMisspeltMethodIsRefusedInAGridToo() {
        StarlingClassifier classifier = new StarlingClassifier();

        assertThatRefused(() -> classifier.fit(
                        twoClasses, new ParamMap().put(classifier.method().w("afds"))))
                .hasMessage(
                        "unknown method 'afds'; did you mean 'adfs'? there are: " + String.join(", ", Methods.names()));
    }

    static Stream<Arguments> rows() {
        Vector good = Vectors.dense(1, 2, 3, 4);
        return Stream.of(
                arguments(
                        RowFactory.create(good, -1.0, 1.0),
                        "label -1.0; classes must be numbered 0, 1, 2, … below 1000, as StringIndexer does"),
                arguments(
                        RowFactory.create(good, 0.5, 1.0),
                        "label 0.5; classes must be numbered 0, 1, 2, … below 1000, as StringIndexer does"),
                arguments(RowFactory.create(good, Double.NaN, 1.0), "label NaN must be finite"),
                arguments(RowFactory.create(good, 1.0, -1.0), "weight -1.0 must be positive and finite, or 0"),
                arguments(RowFactory.create(null, 1.0, 1.0), "features are null; drop such rows first"),
                arguments(
                        RowFactory.create(Vectors.dense(1, 2, Double.NaN, 4), 1.0, 1.0),
                        "feature 2 is NaN; features must be finite"),
                arguments(
                        RowFactory.create(Vectors.dense(1, 2), 1.0, 1.0),
                        "a vector of size 2 where others have 4; all must have the same size"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anInvalidRowIsNamedByItsPlace(Row bad, String message) {
        Row good = RowFactory.create(Vectors.dense(1, 2, 3, 4), 0.0, 1.0);

        assertRefused(List.of(List.of(good, good), List.of(good, bad)), "partition 1, row 2: " + message);
    }

    @Test
    void anInvalidRowIsNamedByItsPlaceBeforeDealing() {
        Row good = RowFactory.create(Vectors.dense(1, 2, 3, 4), 0.0, 1.0);
        Row bad = RowFactory.create(Vectors.dense(1, 2), 1.0, 1.0);

        assertThatRefused(() -> classifier()
                        .setNodes(1)
                        .fit(TestRows.frame(spark, List.of(List.of(good, good), List.of(good, bad)))))
                .hasMessage("partition 1, row 2: a vector of size 2 where others have 4; all must have the same size");
    }

    @Test
    void invalidPartitionsAreRefused() {
        Row two = RowFactory.create(Vectors.dense(1, 2), 1.0, 1.0);
        Row three = RowFactory.create(Vectors.dense(1, 2, 3), 0.0, 1.0);

        assertRefused(List.of(List.of(two), List.of(two)), "only one class, label 1, in 2 rows; two are needed");
        assertRefused(
                List.of(List.of(two), List.of(three)),
                "rows of 3 features at one node and 2 at another; all must have the same number");
    }

    private static void assertRefused(List<List<Row>> partitions, String message) {
        assertThatRefused(() -> classifier().setWeightCol("weight").fit(TestRows.frame(spark, partitions)))
                .hasMessage(message);
    }
}
