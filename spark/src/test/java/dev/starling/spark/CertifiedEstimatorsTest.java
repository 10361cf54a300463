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
import java.util.Collections;
import java.util.List;
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

    /** What a support vector machine with this regularisation minimises. */
    private static double hinge(LinearSVCModel machine, Dataset<Row> rows) {
        double[] weights = machine.coefficients().toArray();
        double squares = 0;
        for (double weight : weights) {
            squares += weight * weight;
        }
        double sum = 0;
        List<Row> all = rows.collectAsList();
        for (Row row : all) {
            double[] values = row.<Vector>getAs("features").toArray();
            double score = machine.intercept();
            for (int c = 0; c < weights.length; c++) {
                score += weights[c] * values[c];
            }
            sum += Math.max(0, 1 - (row.<Double>getAs("label") > 0 ? score : -score));
        }
        return sum / all.size() + machine.getRegParam() / 2 * squares;
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
        assertThat(hinge(machine, rows)).isLessThanOrEqualTo(hinge(other, rows));
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
