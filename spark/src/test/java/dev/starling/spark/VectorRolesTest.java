package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Folds;
import dev.starling.support.SettingTexts;
import dev.starling.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows with a vector of features may have offsets and groups, which mean what they mean in one process. */
class VectorRolesTest {

    private static final String LAMBDAS = "1e-1,1e-2,1e-3";

    @TempDir
    private static Path folder;

    private static Visits visits;
    private static Table table;
    private static Dataset<Row> vectors;

    @BeforeAll
    static void start() throws IOException {
        visits = Visits.in(folder);
        table = visits.table();
        vectors = new VectorAssembler()
                .setInputCols(new String[] {"dose", "day"})
                .setOutputCol("features")
                .transform(visits.frame().withColumn("label", functions.expr("if(ill = 'yes', 1, 0)")))
                .cache();
    }

    @Test
    void vectorsMayHaveOffsetsAndGroups() throws IOException {
        Recipe numbers = Recipe.builder()
                .formula("ill ~ dose + day")
                .offset("risk")
                .ids(List.of("patient"))
                .learn(table);
        dev.starling.data.Dataset rows = numbers.encode(table).rows();
        StarlingClassificationModel fitted = new StarlingClassifier()
                .setStandardization(false)
                .setTol(1e-8)
                .setNodes(2)
                .setOffsetCol("risk")
                .setCv("3")
                .setLambdaPath(LAMBDAS)
                .setCvGroupsCol("patient")
                .fit(vectors);
        LinearModel expected = visits.fitInOneProcess(
                        trainer -> trainer.lambdaPath(SettingTexts.path(LAMBDAS, ""))
                                .crossValidation(Folds.of(3).by("patient")),
                        numbers,
                        fitted.summary().delay(),
                        "patient")
                .model();
        assertThat(fitted.linearModel().weightsHash()).isEqualTo(expected.weightsHash());
        assertThat(fitted.evaluate(vectors).values())
                .isEqualTo(Evaluation.of(expected, rows).values());

        String saved = folder.resolve("vectors").toUri().toString();
        fitted.write().overwrite().save(saved);
        List<Row> predicted = StarlingClassificationModel.load(saved)
                .transform(vectors)
                .select("rawPrediction", "probability", "prediction")
                .collectAsList();
        for (int i = 0; i < predicted.size(); i++) {
            double score = expected.score(rows, i, 0);
            assertThat(predicted.get(i).<Vector>getAs(0).apply(1)).isCloseTo(score, within(1e-12));
            assertThat(predicted.get(i).<Vector>getAs(1).apply(1)).isCloseTo(1 / (1 + Math.exp(-score)), within(1e-12));
            assertThat(predicted.get(i).getDouble(2)).isEqualTo(score > 0 ? 1 : 0);
        }
        assertThat(fitted.transform(vectors).columns())
                .startsWith(vectors.columns())
                .hasSize(vectors.columns().length + 3);
    }

    @Test
    void numbersArePredictedWithOffsetsFromSparseVectors() {
        Recipe numbers = Recipe.builder()
                .formula("dose ~ day - 1")
                .regression()
                .offset("risk")
                .learn(table);
        Dataset<Row> sparse = new VectorAssembler()
                .setInputCols(new String[] {"day"})
                .setOutputCol("sparse")
                .transform(vectors)
                .withColumn(
                        "sparse",
                        functions
                                .udf((UDF1<Vector, Vector>) Vector::toSparse, SQLDataTypes.VectorType())
                                .apply(functions.col("sparse")));
        StarlingRegressionModel fitted = new StarlingRegressor()
                .setFeaturesCol("sparse")
                .setLabelCol("dose")
                .setOffsetCol("risk")
                .setStandardization(false)
                .setFitIntercept(false)
                .setRegParam(1e-3)
                .setTol(1e-8)
                .setNodes(2)
                .fit(sparse);
        dev.starling.data.Dataset rows = numbers.encode(table).rows();
        LinearModel expected = Trainer.of(new Squared())
                .intercept(false)
                .lambda(1e-3)
                .gap(1e-8)
                .nodes(2)
                .maxEpochs(1000)
                .delay(fitted.summary().delay())
                .runner(new Simulator())
                .fit(rows)
                .model();

        assertThat(fitted.linearModel().weightsHash()).isEqualTo(expected.weightsHash());
        List<Row> predicted = fitted.transform(sparse).select("prediction").collectAsList();
        for (int i = 0; i < predicted.size(); i++) {
            assertThat(predicted.get(i).getDouble(0)).isEqualTo(expected.score(rows, i, 0));
        }
    }

    @Test
    void invalidSettingsAreRefusedByName() {
        assertRefused(
                () -> new StarlingClassifier().setOffsetCol("risks").fit(vectors),
                "the DataFrame: unknown column 'risks'; did you mean 'risk'? there are: "
                        + String.join(", ", vectors.columns()));
        assertRefused(
                () -> new StarlingClassifier().setOffsetCol("town").fit(vectors),
                "offsetCol 'town' is of type string; offsets must be numbers, so cast it to double, or name another column");
        Dataset<Row> without = vectors.withColumn("risk", functions.expr("if(visit = 'v2', null, risk)"));
        assertRefused(
                () -> new StarlingClassifier().setOffsetCol("risk").fit(without),
                "partition 0, row 3: offset null must be finite");
        StarlingClassificationModel fitted =
                new StarlingClassifier().setOffsetCol("risk").fit(vectors);
        assertThatThrownBy(() -> fitted.transform(without).collectAsList())
                .isInstanceOf(SparkException.class)
                .rootCause()
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("offset null must be finite");
        assertRefused(
                () -> fitted.transform(vectors.drop("risk")),
                "the DataFrame: unknown column 'risk'; there are: "
                        + String.join(", ", vectors.drop("risk").columns()));
    }

    private static void assertRefused(ThrowingCallable refused, String message) {
        assertThatRefused(refused).hasMessage(message);
    }
}
