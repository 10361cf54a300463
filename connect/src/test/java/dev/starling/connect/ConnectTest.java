package dev.starling.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.connect.ConnectServer.Client;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's code for MLlib trains with Starling, and gets MLlib's models. */
class ConnectTest {

    private static final StructType SCHEMA = new StructType()
            .add("features", SQLDataTypes.VectorType())
            .add("label", DataTypes.DoubleType)
            .add("weight", DataTypes.DoubleType)
            .add("offset", DataTypes.DoubleType);

    private static final String LOGISTIC = "classification.LogisticRegression";
    private static final String SVC = "classification.LinearSVC";
    private static final String LINEAR = "regression.LinearRegression";
    private static final String GENERALIZED = "regression.GeneralizedLinearRegression";

    private static final Map<String, List<Row>> TABLES = new HashMap<>();
    private static ConnectServer server;
    private static Client starling;
    private static Client mllib;
    private static LogLines log;

    @BeforeAll
    static void start() {
        server = new ConnectServer("local[2]");
        log = new LogLines("dev.starling.spark");
        starling = server.withStarling();
        mllib = server.withMllib();
        table("classes", score -> score > 0 ? 1.0 : 0.0, false);
        table("three", score -> score > 1 ? 2.0 : score > -1 ? 1.0 : 0.0, false);
        table("sparse", score -> score > 0 ? 1.0 : 0.0, true);
        table("numbers", score -> 3 + 2 * score, false);
        table("counts", score -> (double) Math.round(Math.exp(Math.min(3, score / 3))), false);
        table("positive", score -> Math.exp(score / 4), false);
        table("constant", score -> 1.0, false);
        table("negative", score -> -1.0, false);
        table("plainNumbers", score -> 3 + 2 * score, false);
        table("plainCounts", score -> (double) Math.round(Math.exp(Math.min(3, score / 3))), false);
        table("separable", score -> 0.0, false);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Noisy rows, of which one feature is ten times as large as the rest and another, unless plain, constant. */
    private static void table(String name, java.util.function.DoubleUnaryOperator label, boolean sparse) {
        Random random = new Random(name.length());
        double[] rule = {1, -0.1, 0.5, 0, 0.3, 0};
        int features = name.startsWith("plain") ? 5 : 6;
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            double[] x = new double[features];
            double score = random.nextGaussian();
            for (int j = 0; j < x.length; j++) {
                x[j] = j == 5 ? 2 : sparse && random.nextInt(3) > 0 ? 0 : random.nextGaussian() * (j == 1 ? 10 : 1) + j;
                score += rule[j] * (x[j] - j);
            }
            double y = name.equals("separable") ? x[0] > 0 ? 1.0 : 0.0 : label.applyAsDouble(score);
            rows.add(RowFactory.create(
                    sparse ? Vectors.dense(x).toSparse() : Vectors.dense(x),
                    y,
                    (double) random.nextInt(4),
                    random.nextGaussian() / 4));
        }
        TABLES.put(name, rows);
        server.spark().createDataFrame(rows, SCHEMA).repartition(2).cache().createOrReplaceGlobalTempView(name);
    }

    private static double logistic(double score, double label) {
        double margin = label == 1 ? -score : score;
        return Math.max(0, margin) + Math.log1p(Math.exp(-Math.abs(margin)));
    }

    private static double hinge(double score, double label) {
        return Math.max(0, 1 - (label == 1 ? score : -score));
    }

    private static double squared(double score, double label) {
        return (score - label) * (score - label) / 2;
    }

    private static boolean truth(Map<String, Object> params, String name) {
        return !Boolean.FALSE.equals(params.get(name));
    }

    private static double number(Map<String, Object> params, String name) {
        return (double) params.getOrDefault(name, 0.0);
    }

    private static double objective(
            String estimator, Map<String, Object> params, String table, double[] coefficients, double intercept) {
        Objective rows = new Objective(TABLES.get(table), params);
        double reg = number(params, "regParam");
        double net = number(params, "elasticNetParam");
        boolean standardised = truth(params, "standardization");
        switch (estimator) {
            case LOGISTIC:
                return rows.mean(ConnectTest::logistic, coefficients, intercept)
                        + rows.penalty(reg * (1 - net), reg * net, standardised, false, coefficients);
            case SVC:
                return rows.mean(ConnectTest::hinge, coefficients, intercept)
                        + rows.penalty(reg, 0, standardised, false, coefficients);
            case LINEAR:
                boolean population = !"l-bfgs".equals(params.get("solver"));
                double deviation = rows.labelDeviation(population);
                return rows.mean(ConnectTest::squared, coefficients, intercept)
                        + rows.penalty(reg * (1 - net) / deviation, reg * net, standardised, population, coefficients);
            default:
                return rows.mean(loss(params), coefficients, intercept)
                        + rows.penalty(reg / rows.labelDeviation(true), 0, true, true, coefficients);
        }
    }

    private static Objective.Loss loss(Map<String, Object> params) {
        String link = (String) params.getOrDefault("link", "");
        double power = number(params, "variancePower");
        return switch ((String) params.getOrDefault("family", "gaussian")) {
            case "gaussian" -> ConnectTest::squared;
            case "binomial" ->
                switch (link) {
                    case "", "logit" -> ConnectTest::logistic;
                    case "probit" ->
                        (score, label) -> {
                            double mean = new org.apache.commons.math3.distribution.NormalDistribution()
                                    .cumulativeProbability(label == 1 ? score : -score);
                            return -Math.log(mean);
                        };
                    default ->
                        (score, label) -> label == 1 ? -Math.log(-Math.expm1(-Math.exp(score))) : Math.exp(score);
                };
            case "poisson" -> (score, label) -> Math.exp(score) - label * score;
            case "gamma" -> (score, label) -> score + label * Math.exp(-score);
            default ->
                (score, label) -> Math.exp((2 - power) * score) / (2 - power)
                        - label * Math.exp((1 - power) * score) / (1 - power);
        };
    }

    /** One setting of an estimator. */
    record Setting(String estimator, String table, Map<String, Object> params) {

        static Setting of(String estimator, String table, Object... params) {
            Map<String, Object> map = new HashMap<>();
            for (int k = 0; k < params.length; k += 2) {
                map.put((String) params[k], params[k + 1]);
            }
            return new Setting(estimator, table, map);
        }
    }

    /** Ten of each estimator. MLlib takes a job for each iteration of a LinearSVC, so most of those are limited. */
    static Stream<Setting> settings() {
        return Stream.of(
                Setting.of(LOGISTIC, "classes"),
                Setting.of(LOGISTIC, "classes", "regParam", 0.01),
                Setting.of(LOGISTIC, "classes", "regParam", 0.1, "elasticNetParam", 0.5),
                Setting.of(LOGISTIC, "classes", "regParam", 0.02, "elasticNetParam", 1.0),
                Setting.of(LOGISTIC, "classes", "regParam", 0.05, "standardization", false),
                Setting.of(
                        LOGISTIC,
                        "classes",
                        "regParam",
                        0.05,
                        "standardization",
                        false,
                        "elasticNetParam",
                        0.5,
                        "weightCol",
                        "weight"),
                Setting.of(LOGISTIC, "classes", "regParam", 0.3, "fitIntercept", false),
                Setting.of(LOGISTIC, "classes", "weightCol", "weight", "tol", 1e-8),
                Setting.of(LOGISTIC, "sparse", "regParam", 1e-3, "maxIter", 10),
                Setting.of(LOGISTIC, "sparse", "family", "binomial", "threshold", 0.3, "regParam", 0.01),
                Setting.of(SVC, "classes", "regParam", 0.01),
                Setting.of(SVC, "classes", "regParam", 0.1, "maxIter", 20),
                Setting.of(SVC, "classes", "regParam", 1e-3, "maxIter", 20),
                Setting.of(SVC, "classes", "regParam", 0.05, "standardization", false, "maxIter", 20),
                Setting.of(SVC, "classes", "regParam", 0.02, "fitIntercept", false, "maxIter", 20),
                Setting.of(SVC, "classes", "regParam", 0.02, "weightCol", "weight", "maxIter", 20),
                Setting.of(SVC, "sparse", "regParam", 0.01, "maxIter", 20),
                Setting.of(
                        SVC, "sparse", "regParam", 0.1, "standardization", false, "fitIntercept", false, "maxIter", 20),
                Setting.of(SVC, "sparse", "regParam", 0.01, "weightCol", "weight", "tol", 1e-8, "maxIter", 20),
                Setting.of(SVC, "sparse", "regParam", 1.0, "threshold", 0.5, "maxIter", 20),
                Setting.of(LINEAR, "numbers"),
                Setting.of(LINEAR, "numbers", "regParam", 0.3),
                Setting.of(LINEAR, "numbers", "regParam", 0.3, "solver", "l-bfgs"),
                Setting.of(LINEAR, "numbers", "regParam", 0.3, "elasticNetParam", 0.5),
                Setting.of(LINEAR, "numbers", "regParam", 0.2, "elasticNetParam", 1.0, "solver", "l-bfgs"),
                Setting.of(LINEAR, "numbers", "regParam", 0.3, "standardization", false),
                Setting.of(LINEAR, "numbers", "regParam", 0.3, "fitIntercept", false, "solver", "l-bfgs"),
                Setting.of(LINEAR, "numbers", "regParam", 0.1, "weightCol", "weight"),
                Setting.of(
                        LINEAR,
                        "numbers",
                        "regParam",
                        0.1,
                        "weightCol",
                        "weight",
                        "solver",
                        "l-bfgs",
                        "standardization",
                        false,
                        "elasticNetParam",
                        0.3),
                Setting.of(LINEAR, "sparse", "regParam", 0.01, "solver", "normal"),
                Setting.of(GENERALIZED, "numbers"),
                Setting.of(GENERALIZED, "numbers", "regParam", 0.2, "weightCol", "weight"),
                Setting.of(GENERALIZED, "numbers", "offsetCol", "offset"),
                Setting.of(GENERALIZED, "classes", "family", "binomial"),
                Setting.of(GENERALIZED, "classes", "family", "binomial", "link", "probit"),
                Setting.of(GENERALIZED, "classes", "family", "binomial", "link", "cloglog", "weightCol", "weight"),
                Setting.of(GENERALIZED, "counts", "family", "poisson"),
                Setting.of(GENERALIZED, "counts", "family", "poisson", "offsetCol", "offset", "weightCol", "weight"),
                Setting.of(GENERALIZED, "positive", "family", "gamma", "link", "log"),
                Setting.of(GENERALIZED, "counts", "family", "tweedie", "variancePower", 1.5, "linkPower", 0.0));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theObjectiveIsAtMostThatOfMllib(Setting setting) {
        log.clear();
        String ours = starling.fit(setting.estimator(), setting.params(), setting.table());
        assertThat(log.lines()).noneMatch(line -> line.contains("is trained by MLlib"));
        String theirs = mllib.fit(setting.estimator(), setting.params(), setting.table());

        double[] coefficients = starling.vector(ours, "coefficients").toArray();
        double intercept = starling.number(ours, "intercept");
        double found = objective(setting.estimator(), setting.params(), setting.table(), coefficients, intercept);
        double mllibs = objective(
                setting.estimator(),
                setting.params(),
                setting.table(),
                mllib.vector(theirs, "coefficients").toArray(),
                mllib.number(theirs, "intercept"));

        // What is proven is 1e-9 of the value.
        assertThat(found).isLessThanOrEqualTo(mllibs + 1e-9 * Math.abs(mllibs));
        assertThat(coefficients[5]).as("a constant feature").isZero();
    }

    @Test
    void aLogisticRegressionHasItsSummary() {
        Map<String, Object> params = Map.of("regParam", 0.01, "tol", 1e-12, "maxIter", 500);
        String ours = starling.fit(LOGISTIC, params, "classes");
        String theirs = mllib.fit(LOGISTIC, params, "classes");

        assertThat(starling.number(ours, "summary", "accuracy")).isEqualTo(mllib.number(theirs, "summary", "accuracy"));
        assertThat(starling.number(ours, "summary", "areaUnderROC"))
                .isEqualTo(mllib.number(theirs, "summary", "areaUnderROC"), within(1e-6));
        double[] history = mllib.numbers(theirs, "summary", "objectiveHistory");
        assertThat(starling.numbers(ours, "summary", "objectiveHistory")[0])
                .isEqualTo(history[history.length - 1], within(1e-9));
        assertThat(starling.text(ours, "toString")).startsWith("LogisticRegressionModel");
    }

    @Test
    void standardErrorsOfALinearRegressionAreThoseOfMllib() {
        String ours = starling.fit(LINEAR, Map.of(), "plainNumbers");
        String theirs = mllib.fit(LINEAR, Map.of(), "plainNumbers");

        for (String name : List.of("coefficientStandardErrors", "tValues", "pValues")) {
            assertThat(starling.numbers(ours, "summary", name))
                    .containsExactly(mllib.numbers(theirs, "summary", name), within(1e-6));
        }
        assertThat(starling.number(ours, "summary", "r2"))
                .isEqualTo(mllib.number(theirs, "summary", "r2"), within(1e-9));
        assertThat(starling.number(ours, "summary", "rootMeanSquaredError"))
                .isEqualTo(mllib.number(theirs, "summary", "rootMeanSquaredError"), within(1e-9));
    }

    @Test
    void standardErrorsOfAGeneralizedRegressionAreThoseOfMllib() {
        Map<String, Object> params = Map.of("family", "poisson", "tol", 1e-12, "maxIter", 50);
        String ours = starling.fit(GENERALIZED, params, "plainCounts");
        String theirs = mllib.fit(GENERALIZED, params, "plainCounts");

        for (String name : List.of("coefficientStandardErrors", "tValues", "pValues")) {
            assertThat(starling.numbers(ours, "summary", name))
                    .containsExactly(mllib.numbers(theirs, "summary", name), within(1e-6));
        }
        assertThat(starling.number(ours, "summary", "aic"))
                .isEqualTo(mllib.number(theirs, "summary", "aic"), within(1e-8));
    }

    @Test
    void aSavedModelIsMllibs(@TempDir Path folder) {
        String model = starling.fit(LOGISTIC, Map.of("regParam", 0.01), "classes");
        String path = folder.resolve("model").toString();
        starling.save(model, path);

        assertThat(LogisticRegressionModel.load(path).coefficients()).isEqualTo(starling.vector(model, "coefficients"));
    }

    static Stream<Setting> left() {
        return Stream.of(
                Setting.of(LOGISTIC, "constant"),
                Setting.of(LOGISTIC, "separable"),
                Setting.of(LOGISTIC, "classes", "family", "multinomial"),
                Setting.of(SVC, "classes"),
                Setting.of(LINEAR, "numbers", "loss", "huber"),
                Setting.of(LINEAR, "constant"),
                Setting.of(GENERALIZED, "counts", "family", "poisson", "link", "sqrt"),
                Setting.of(GENERALIZED, "counts", "family", "poisson", "regParam", 0.1));
    }

    /** MLlib's model up to the order in which it happens to add up, and one line in the log. */
    @ParameterizedTest
    @MethodSource("left")
    void whatIsNotOursIsLeftToMllib(Setting setting) {
        log.clear();
        String ours = starling.fit(setting.estimator(), setting.params(), setting.table());
        assertThat(log.lines())
                .filteredOn(line -> line.contains("is trained by MLlib"))
                .hasSize(1);
        String theirs = mllib.fit(setting.estimator(), setting.params(), setting.table());

        assertThat(coefficients(starling, ours, setting))
                .containsExactly(coefficients(mllib, theirs, setting), within(1e-9));
    }

    private static double[] coefficients(Client client, String model, Setting setting) {
        return setting.estimator().equals(LOGISTIC)
                ? client.matrix(model, "coefficientMatrix").toArray()
                : client.vector(model, "coefficients").toArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalClassesAreOurs(boolean intercept) {
        Map<String, Object> params = Map.of("regParam", 0.01, "fitIntercept", intercept, "tol", 1e-9, "maxIter", 500);
        log.clear();
        String ours = starling.fit(LOGISTIC, params, "three");
        assertThat(log.lines()).noneMatch(line -> line.contains("is trained by MLlib"));
        String theirs = mllib.fit(LOGISTIC, params, "three");

        double[] expected = mllib.matrix(theirs, "coefficientMatrix").toArray();
        assertThat(starling.matrix(ours, "coefficientMatrix").toArray()).containsExactly(expected, within(1e-4));
    }

    @Test
    void whatMllibRefusesIsRefusedInItsWords() {
        assertThatThrownBy(() -> starling.fit(LOGISTIC, Map.of(), "negative")).hasMessageContaining("Labels MUST");
        assertThatThrownBy(() -> starling.fit(SVC, Map.of("regParam", 0.1), "three"))
                .hasMessageContaining("Labels MUST");
    }
}
