package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code regParam} means what it means in MLlib. */
@Tag("thorough")
class MllibAgreementTest {

    private static final int ROWS = 400;
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = SharedSpark.session();
    }

    private static Dataset<Row> rows(int classes, long seed) {
        List<Row> rows = TestRows.random(ROWS, 5, classes, false, seed);
        return TestRows.frame(spark, TestRows.cut(rows, 2)).cache();
    }

    private static LogisticRegression mllib(double regParam) {
        return new LogisticRegression()
                .setRegParam(regParam)
                .setElasticNetParam(0)
                .setStandardization(false)
                .setFitIntercept(false)
                .setTol(1e-14)
                .setMaxIter(500);
    }

    private static StarlingClassifier starling(double regParam) {
        return new StarlingClassifier()
                .setRegParam(regParam)
                .setStandardization(false)
                .setFitIntercept(false)
                .setTol(1e-12);
    }

    private static void assertClose(Vector found, Vector expected, double tolerance) {
        for (int c = 0; c < expected.size(); c++) {
            assertThat(found.apply(c)).isEqualTo(expected.apply(c), within(tolerance));
        }
    }

    /** Neither regularises the intercept, with a lasso either. */
    @ParameterizedTest
    @CsvSource({
        "31, '', 0.03, 0, false, 1e-5",
        "32, weight, 0.03, 0, false, 1e-5",
        "36, '', 0.1, 0.4, false, 1e-4",
        "37, '', 0.05, 1, true, 1e-4"
    })
    void withoutStandardizationTheModelsAreTheSame(
            long seed, String weight, double regParam, double elasticNet, boolean intercept, double tolerance) {
        Dataset<Row> rows = rows(2, seed);

        LogisticRegressionModel theirs = mllib(regParam)
                .setElasticNetParam(elasticNet)
                .setFitIntercept(intercept)
                .setWeightCol(weight)
                .fit(rows);
        StarlingClassificationModel ours = starling(regParam)
                .setElasticNetParam(elasticNet)
                .setFitIntercept(intercept)
                .setWeightCol(weight)
                .setTol(elasticNet > 0 ? 1e-10 : 1e-12)
                .fit(rows);

        assertThat(ours.intercept()).isEqualTo(theirs.intercept(), within(tolerance));
        assertClose(ours.coefficients(), theirs.coefficients(), tolerance);
    }

    /** MLlib divides the variance by n − 1, we by n: that is a factor of n/(n − 1) in the regularisation. */
    @Test
    void withStandardizationTheModelsAreTheSameUpToTheDivisorOfTheVariance() {
        Dataset<Row> rows = rows(2, 33);

        LogisticRegressionModel theirs = mllib(0.03).setStandardization(true).fit(rows);
        StarlingClassificationModel ours =
                starling(0.03 * ROWS / (ROWS - 1)).setStandardization(true).fit(rows);

        assertClose(ours.coefficients(), theirs.coefficients(), 1e-5);
    }

    /** Neither regularises the intercept. */
    @Test
    void withAnInterceptTheModelsAreTheSame() {
        Dataset<Row> rows = rows(2, 34)
                .withColumn("label", functions.expr("case when rand(5) < 0.6 then 1.0 else label end"))
                .cache();

        LogisticRegressionModel theirs = mllib(0.03).setFitIntercept(true).fit(rows);
        StarlingClassificationModel ours =
                starling(0.03).setFitIntercept(true).setTol(1e-11).fit(rows);

        assertThat(ours.intercept()).isEqualTo(theirs.intercept(), within(1e-5));
        assertClose(ours.coefficients(), theirs.coefficients(), 1e-5);
    }

    /** MLlib's linear regression divides its regularisation by the sample deviation of the label. */
    @Test
    void linearRegressionIsTheSameAfterDividingByTheDeviationOfTheLabel() {
        Dataset<Row> rows = rows(0, 35);
        double deviation = rows.agg(functions.stddev_samp("label")).first().getDouble(0);

        LinearRegressionModel theirs = new LinearRegression()
                .setRegParam(0.3)
                .setElasticNetParam(0)
                .setStandardization(false)
                .setFitIntercept(false)
                .setSolver("l-bfgs")
                .setTol(1e-14)
                .setMaxIter(500)
                .fit(rows);
        StarlingRegressionModel ours = new StarlingRegressor()
                .setRegParam(0.3 / deviation)
                .setStandardization(false)
                .setFitIntercept(false)
                .setTol(1e-12)
                .fit(rows);

        assertClose(ours.coefficients(), theirs.coefficients(), 1e-5);
    }
}
