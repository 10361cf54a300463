package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.RowBuffer;
import dev.starling.loss.Losses;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Setting;
import dev.starling.spark.model.ModelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Data with values that were computed with 50 digits: Spark's estimator has these values, and writes the file of one
 * process, byte for byte.
 */
class GoldenOnSparkTest {

    private static final Path FOLDER =
            Path.of(System.getProperty("starling.shared", "../../shared"), "golden", "statistics");

    private static final double GAP = 1e-12;
    private static final double DELAY = 50;

    private static final StructType SCHEMA = new StructType()
            .add("features", SQLDataTypes.VectorType())
            .add("label", DataTypes.DoubleType)
            .add("weight", DataTypes.DoubleType)
            .add("offset", DataTypes.DoubleType);

    private static Row row(List<String> header, String... cells) {
        double[] numbers = Arrays.stream(cells).mapToDouble(Double::parseDouble).toArray();
        return RowFactory.create(
                Vectors.dense(Arrays.copyOfRange(numbers, header.indexOf("(Intercept)") + 1, numbers.length)),
                numbers[header.indexOf("y")],
                numbers[header.indexOf("weight")],
                numbers[header.indexOf("offset")]);
    }

    private static Dataset dataset(List<Row> rows) {
        RowBuffer buffer = new RowBuffer(rows.size(), 0);
        for (Row row : rows) {
            double[] values = row.<Vector>getAs(0).toArray();
            for (int c = 0; c < values.length; c++) {
                if (values[c] != 0) {
                    buffer.add(c, values[c]);
                }
            }
            buffer.endRow(row.getDouble(1));
            buffer.weigh(row.getDouble(2));
            buffer.offset(row.getDouble(3));
        }
        return buffer.toDataset(rows.get(0).<Vector>getAs(0).size());
    }

    private static String fileOfOneProcess(Dataset rows, String loss, int nodes) {
        return ModelText.of(Trainer.of(Losses.named(loss))
                .lambda(0)
                .intercept(true)
                .gap(GAP)
                .nodes(nodes)
                .maxEpochs(1000)
                .delay(DELAY)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .runner(new Simulator())
                .fit(rows)
                .model());
    }

    private static double[] vector(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": \\[([^\\]]*)\\]").matcher(json);
        assertThat(found.find()).as(name).isTrue();
        return Arrays.stream(found.group(1).split(","))
                .mapToDouble(text -> Double.parseDouble(text.replace("\"", "").strip()))
                .toArray();
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "mtcars-gaussian, gaussian",
        "mtcars-gaussian-weights, gaussian",
        "birthwt-logit, binomial",
        "esoph-logit, binomial",
        "infert-logit, binomial",
        "infert-probit, binomial(probit)",
        "warpbreaks-poisson, poisson",
        "warpbreaks-quasipoisson, quasi-poisson",
        "airquality-gamma, gamma",
        "airquality-inverse-gaussian, inverse-gaussian",
        "mtcars-inverse-gaussian, inverse-gaussian",
        "quine-nb-given, negative-binomial(2)",
        "quine-tweedie, tweedie(1.5)"
    })
    void theFileIsThatOfOneProcessAndAgreesToTenDigits(String name, String loss) throws IOException {
        Path file = FOLDER.resolve(name + ".csv");
        Assumptions.assumeTrue(Files.exists(file), file + " is not there");
        SparkSession spark = SharedSpark.session(9);
        List<String[]> cells = Files.readAllLines(file).stream()
                .map(line -> line.replace("\"", "").split(",", -1))
                .toList();
        List<String> header = Arrays.asList(cells.get(0));
        List<Row> rows = cells.stream().skip(1).map(line -> row(header, line)).toList();
        String json = Files.readString(FOLDER.resolve(name + ".json"));
        double[] estimates = vector(json, "coefficients");
        double[] errors = vector(json, "se");
        // The values of counts are for an estimated dispersion; that of the family is 1.
        Matcher dispersion = Pattern.compile("\"dispersion\": \"([0-9.e+-]+)").matcher(json);
        double scale = loss.startsWith("negative") && dispersion.find()
                ? Math.sqrt(Double.parseDouble(dispersion.group(1)))
                : 1;

        for (int nodes : new int[] {1, 3, 9}) {
            StarlingRegressionModel model = new StarlingRegressor()
                    .setLoss(loss)
                    .setStandardErrors("model")
                    .setFitIntercept(true)
                    .setRegParam(0)
                    .setStandardization(false)
                    .setTol(GAP)
                    .setDelay(DELAY)
                    .setWeightCol("weight")
                    .setOffsetCol("offset")
                    .setNodes(nodes)
                    .fit(spark.createDataFrame(rows, SCHEMA).coalesce(1));

            assertThat(model.trained().file())
                    .contains("\"inference\":")
                    .isEqualTo(fileOfOneProcess(dataset(rows), loss, nodes));
            List<Row> table = model.coefficientTable(0.95).collectAsList();
            assertThat(table).hasSameSizeAs(estimates);
            IntStream.range(0, estimates.length).forEach(k -> {
                assertThat(table.get(k).<Double>getAs("estimate"))
                        .isCloseTo(estimates[k], within(1e-10 * Math.abs(estimates[k])));
                assertThat(scale * table.get(k).<Double>getAs("se")).isCloseTo(errors[k], within(1e-10 * errors[k]));
            });
        }
    }
}
