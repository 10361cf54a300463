package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.spark.mllib.CertifiedGeneralizedLinearRegression;
import dev.starling.spark.mllib.CertifiedLinearRegression;
import dev.starling.spark.mllib.CertifiedLinearSVC;
import dev.starling.spark.mllib.CertifiedLogisticRegression;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.regression.GeneralizedLinearRegression;
import org.apache.spark.ml.regression.GeneralizedLinearRegressionModel;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The estimators that a Connect server gets from the plugin, on this version of Spark and without a server. */
class CertifiedEstimatorsTest {

    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
    }

    private static Dataset<Row> rows(int classes) {
        List<Row> rows = TestRows.random(200, 4, classes, false, 41);
        return TestRows.frame(spark, TestRows.cut(rows, 2)).cache();
    }

    private static void assertClose(Vector found, Vector expected) {
        assertThat(found.toArray()).containsExactly(expected.toArray(), within(1e-4));
    }

    /** What a support vector machine minimises, at weights that the intercept follows. */
    private static double hinge(double[] point, double regParam, List<Row> rows) {
        int features = point.length - 1;
        double squares = 0;
        for (int c = 0; c < features; c++) {
            squares += point[c] * point[c];
        }
        double sum = 0;
        for (Row row : rows) {
            double[] values = row.<Vector>getAs("features").toArray();
            double score = point[features];
            for (int c = 0; c < features; c++) {
                score += point[c] * values[c];
            }
            sum += Math.max(0, 1 - (row.<Double>getAs("label") > 0 ? score : -score));
        }
        return sum / rows.size() + regParam / 2 * squares;
    }

    private static double[] point(LinearSVCModel machine) {
        return DoubleStream.concat(
                        Arrays.stream(machine.coefficients().toArray()), DoubleStream.of(machine.intercept()))
                .toArray();
    }

    @Test
    void classifiersAreMllibsWithTheirSummaries() {
        Dataset<Row> rows = rows(2);
        LogisticRegressionModel logistic =
                new CertifiedLogisticRegression("a").setRegParam(0.01).fit(rows);
        assertClose(
                logistic.coefficients(),
                new LogisticRegression()
                        .setRegParam(0.01)
                        .setTol(1e-10)
                        .fit(rows)
                        .coefficients());
        assertThat(logistic.binarySummary().areaUnderROC()).isGreaterThan(0.8);
        assertThat(logistic.getRegParam()).isEqualTo(0.01);

        LinearSVCModel machine = new CertifiedLinearSVC("b")
                .setRegParam(0.1)
                .setStandardization(false)
                .fit(rows);
        LinearSVCModel other = new LinearSVC()
                .setRegParam(0.1)
                .setStandardization(false)
                .setTol(1e-12)
                .setMaxIter(200)
                .fit(rows);
        // MLlib's method does not get to an optimum with kinks, so its weights say little.
        List<Row> all = rows.collectAsList();
        double[] optimum = point(machine);
        double least = hinge(optimum, 0.1, all);
        assertThat(least).isLessThanOrEqualTo(hinge(point(other), 0.1, all));
        assertThat(machine.summary().objectiveHistory()[0]).isEqualTo(least, within(1e-12));
        // The objective is convex, so that a step in some direction would lower it anywhere but at an optimum.
        Random random = new Random(1);
        for (int k = 0; k < 2000; k++) {
            double size = Math.scalb(0.1, -(k % 20));
            double[] aside = Arrays.stream(optimum)
                    .map(weight -> weight + size * random.nextGaussian())
                    .toArray();
            assertThat(hinge(aside, 0.1, all)).isGreaterThanOrEqualTo(least * (1 - 1e-9));
        }
        assertThat(machine.summary().accuracy()).isGreaterThan(0.7);
    }

    @Test
    void regressionsAreMllibsWithTheirStandardErrors() {
        Dataset<Row> rows = rows(0);
        LinearRegressionModel linear = new CertifiedLinearRegression("c").fit(rows);
        LinearRegressionModel theirs = new LinearRegression().fit(rows);
        assertClose(linear.coefficients(), theirs.coefficients());
        assertThat(linear.summary().coefficientStandardErrors())
                .containsExactly(theirs.summary().coefficientStandardErrors(), within(1e-8));
        assertThat(linear.summary().pValues()).containsExactly(theirs.summary().pValues(), within(1e-8));

        GeneralizedLinearRegressionModel general = new CertifiedGeneralizedLinearRegression("d").fit(rows);
        GeneralizedLinearRegressionModel other = new GeneralizedLinearRegression().fit(rows);
        assertClose(general.coefficients(), other.coefficients());
        assertThat(general.summary().coefficientStandardErrors())
                .containsExactly(other.summary().coefficientStandardErrors(), within(1e-8));
        assertThat(general.summary().aic()).isEqualTo(other.summary().aic(), within(1e-8));
    }

    @Test
    void estimatorsAreSavedAndLoaded(@TempDir Path folder) throws IOException {
        String path = folder.resolve("estimator").toString();
        new CertifiedLogisticRegression("e").setRegParam(0.25).save(path);
        assertThat(CertifiedLogisticRegression.load(path).getRegParam()).isEqualTo(0.25);
    }

    /** By a name that ServiceLoader finds, with the constructors that it and a server call. */
    @Test
    void everyEstimatorOfThePluginIsRegistered() throws IOException, ReflectiveOperationException {
        ConnectPlugin plugin = new ConnectPlugin();
        StringBuilder registered = new StringBuilder();
        for (URL file : Collections.list(
                getClass().getClassLoader().getResources("META-INF/services/org.apache.spark.ml.Estimator"))) {
            try (InputStream in = file.openStream()) {
                registered.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        for (Class<?> type : List.of(
                LogisticRegression.class, LinearSVC.class, LinearRegression.class, GeneralizedLinearRegression.class)) {
            String replaced = plugin.transform(type.getName()).orElseThrow();
            assertThat(registered.toString().lines()).contains(replaced);
            assertThat(Class.forName(replaced).getConstructor()).isNotNull();
            assertThat(Class.forName(replaced).getConstructor(String.class)).isNotNull();
        }
        assertThat(plugin.transform("org.apache.spark.ml.clustering.KMeans")).isEmpty();
    }
}
