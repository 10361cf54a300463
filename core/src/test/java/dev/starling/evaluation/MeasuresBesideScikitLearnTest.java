package dev.starling.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.support.ScikitLearn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every measure beside scikit-learn's. */
@Tag("thorough")
class MeasuresBesideScikitLearnTest {

    private static final int ROWS = 400;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"2, false", "2, true", "4, false", "4, true"})
    void measuresOfClassesAreThoseOfScikitLearn(int classes, boolean weighted)
            throws IOException, InterruptedException {
        LinearModel model = model("logistic", classes);
        Dataset rows = rows(classes, weighted, classes);
        ClassMeasures measures = (ClassMeasures) Evaluation.of(model, rows);
        Map<String, Double> found = new LinkedHashMap<>(measures.values());
        assertThat(found.remove("deviance")).isCloseTo(2 * measures.weight() * found.get("logLoss"), within(1e-9));
        assertThat(measures.rows()).isEqualTo(ROWS);
        double auc = found.remove("auc");
        double loss = found.remove("loss");
        if (classes == 2) {
            assertThat(loss).isCloseTo(measures.logLoss(), within(1e-12));
        }
        List<ClassMeasures.OfClass> each = measures.ofClasses();
        for (int c = 0; c < classes; c++) {
            found.put("precision" + c, each.get(c).precision());
            found.put("recall" + c, each.get(c).recall());
            found.put("f1" + c, each.get(c).f1());
            for (int other = 0; other < classes; other++) {
                found.put("confusion" + c + other, measures.confusion()[c][other]);
            }
        }
        List<ScoreCounts> curves = measures.curves();
        for (int s = 0; s < curves.size(); s++) {
            found.put("auc" + s, curves.get(s).area().value());
            found.put("averagePrecision" + s, curves.get(s).averagePrecision());
            if (!weighted) {
                found.put("standardError" + s, curves.get(s).area().standardError());
                List<Calibration.Bin> bins = measures.calibration().get(s).bins();
                for (int b = 0; b < bins.size(); b++) {
                    found.put("observed" + s + b, bins.get(b).observed());
                    found.put("predicted" + s + b, bins.get(b).predicted());
                }
            }
        }
        assertThat(auc)
                .isEqualTo(IntStream.range(0, curves.size())
                        .mapToDouble(s -> found.get("auc" + s))
                        .average()
                        .orElseThrow());
        compare(found, beside(Integer.toString(classes), model, rows));
    }

    @ParameterizedTest
    @CsvSource({"squared, false", "squared, true", "quantile(0.8), true"})
    void measuresOfNumbersAreThoseOfScikitLearn(String loss, boolean weighted)
            throws IOException, InterruptedException {
        LinearModel model = model(loss, 0);
        Dataset rows = rows(0, weighted, 9);
        // Far from zero, where sums of squares would cancel.
        double[] labels = Arrays.stream(rows.labels()).map(y -> y + 1e6).toArray();
        LinearModel shifted = new LinearModel(
                loss,
                List.of(),
                new double[][] {model.weights(0)},
                new double[] {model.intercept(0) + 1e6},
                Provenance.UNKNOWN);
        NumberMeasures measures = (NumberMeasures) Evaluation.of(shifted, rows.withLabels(labels));
        Map<String, Double> found = new LinkedHashMap<>(measures.values());
        Map<String, Double> expected = beside("numbers", shifted, rows.withLabels(labels));
        double own = found.remove("loss");
        double pinball = expected.remove("pinball");
        if (loss.equals("squared")) {
            assertThat(own).isCloseTo(measures.deviance() / measures.weight() / 2, within(1e-12));
        } else {
            assertThat(own).isCloseTo(pinball, within(1e-12 * pinball));
            assertThat(found.remove("deviance")).isNaN();
            expected.remove("deviance");
        }
        compare(found, expected);
    }

    private static void compare(Map<String, Double> found, Map<String, Double> expected) {
        assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
        expected.forEach((name, value) ->
                assertThat(found.get(name)).as(name).isCloseTo(value, within(1e-12 * Math.max(1, Math.abs(value)))));
    }

    private static LinearModel model(String loss, int classes) {
        Random random = new Random(5);
        int scores = classes > 2 ? classes : 1;
        double[][] weights = new double[scores][3];
        for (double[] vector : weights) {
            Arrays.setAll(vector, j -> random.nextGaussian());
        }
        double[] intercepts = new double[scores];
        Arrays.setAll(intercepts, k -> random.nextGaussian() / 2);
        List<Double> labels =
                IntStream.range(0, classes).mapToObj(c -> 3.0 * c - 1).toList();
        return new LinearModel(loss, labels, weights, intercepts, Provenance.UNKNOWN);
    }

    /** Few different values, so that many scores are the same. */
    private static Dataset rows(int classes, boolean weighted, long seed) {
        Random random = new Random(seed);
        double[][] values = new double[ROWS][3];
        double[] labels = new double[ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            Arrays.setAll(values[i], j -> random.nextInt(4) - 1.5);
            labels[i] = classes == 0 ? random.nextGaussian() + values[i][0] : 3.0 * random.nextInt(classes) - 1;
            weights[i] = 0.25 + random.nextDouble();
        }
        Dataset rows = Dataset.of(values, labels);
        return weighted ? rows.withWeights(weights) : rows;
    }

    private Map<String, Double> beside(String kind, LinearModel model, Dataset rows)
            throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder(kind).append('\n');
        for (int i = 0; i < rows.rows(); i++) {
            text.append(rows.label(i)).append(' ').append(rows.weight(i));
            for (double score : model.scores(rows, i)) {
                text.append(' ').append(score);
            }
            for (double probability : model.isClassifier() ? model.probabilities(rows, i) : new double[0]) {
                text.append(' ').append(probability);
            }
            text.append('\n');
        }
        Path source = Files.writeString(folder.resolve("rows.txt"), text);
        Map<String, Double> expected = new LinkedHashMap<>();
        for (String line : ScikitLearn.run(getClass(), "measures.py", folder, source)) {
            String[] words = line.split(" ");
            expected.put(words[0], Double.parseDouble(words[1]));
        }
        return expected;
    }
}
