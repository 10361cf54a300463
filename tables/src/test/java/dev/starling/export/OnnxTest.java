package dev.starling.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ONNX Runtime says of raw rows what the model says. */
@Tag("thorough")
class OnnxTest {

    /** What the runtime makes of a table. */
    private record Result(String[] labels, double[][] scores, double[][] probabilities) {}

    private static Result run(LinearModel model, Table table) throws OrtException {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        Map<String, OnnxTensor> inputs = new HashMap<>();
        try (OrtSession session = environment.createSession(Onnx.bytes(model))) {
            for (String name : session.getInputNames()) {
                inputs.put(name, column(environment, table, name));
            }
            try (OrtSession.Result result = session.run(inputs)) {
                return model.isClassifier()
                        ? new Result(
                                (String[]) result.get("label").orElseThrow().getValue(),
                                (double[][]) result.get("scores").orElseThrow().getValue(),
                                model.hasProbabilities()
                                        ? (double[][]) result.get("probabilities")
                                                .orElseThrow()
                                                .getValue()
                                        : null)
                        : new Result(
                                null,
                                (double[][])
                                        result.get("prediction").orElseThrow().getValue(),
                                null);
            }
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    private static OnnxTensor column(OrtEnvironment environment, Table table, String name) throws OrtException {
        int at = table.names().indexOf(name);
        double[][] numbers = new double[table.rows()][1];
        String[] words = new String[table.rows()];
        int row = 0;
        for (Table.Cursor cursor = table.cursor(); cursor.next(); row++) {
            words[row] = cursor.text(at);
            numbers[row][0] = name.equals("day") ? LocalDate.parse(words[row]).toEpochDay() : cursor.number(at);
        }
        return ExportedTable.WORDS.contains(name)
                ? OnnxTensor.createTensor(environment, words, new long[] {words.length, 1})
                : OnnxTensor.createTensor(environment, numbers);
    }

    /** Products and powers are the same in every language; logarithms and exponentials may round otherwise. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            two   |                                                            | logistic | 1e-12
            three |                                                            | logistic | 1e-12
            three |                                                            | softmax  | 1e-12
            three | age + town + smoker                                        | ordinal  | 1e-12
            n     |                                                            | squared  | 1e-12
            two   | age*town + I(age^3) + town:sex:size + age:wage + smoker    | logistic | 1e-12
            two   | age + town + size:smoker + wage:sex - 1                    | squared-hinge | 1e-12
            n     | log(wage) + sqrt(age) + town:log(wage) + exp(wage)         | squared  | 1e-12
            """)
    void oneHundredThousandRowsHaveOurScores(String label, String formula, String loss, double tolerance)
            throws OrtException {
        LinearModel model = ExportedTable.model(label, formula == null ? "" : formula, loss);
        Table rows = ExportedTable.of(100_000, 2, true);
        Result result = run(model, rows);
        assertThat(result.scores).hasDimensions(100_000, model.scores());
        Dataset encoded = Recipe.of(model).orElseThrow().encodeToPredict(rows).rows();
        double size = 1;
        double misfit = 0;
        int others = 0;
        for (int row = 0; row < encoded.rows(); row++) {
            double[] scores = model.scores(encoded, row);
            size = Math.max(size, Arrays.stream(scores).map(Math::abs).max().orElseThrow());
            misfit = Math.max(misfit, distance(result.scores[row], scores));
            if (result.labels != null && !result.labels[row].equals(model.spelling(model.predict(encoded, row)))) {
                others++;
            }
            if (result.probabilities != null) {
                misfit = Math.max(misfit, distance(result.probabilities[row], model.probabilities(encoded, row)));
            }
        }
        assertThat(misfit).isLessThan(tolerance * size);
        assertThat(others).isZero();
    }

    /** The largest difference; NaN if any is. */
    private static double distance(double[] theirs, double[] ours) {
        double distance = 0;
        for (int k = 0; k < ours.length; k++) {
            distance = Math.max(distance, Math.abs(theirs[k] - ours[k]));
        }
        return distance;
    }

    @Test
    void rowsThatTheRecipeRefusesHaveNoLabel() throws OrtException {
        TableBuilder builder = new TableBuilder("rows", List.of("y", "town", "x"));
        List.of("u", "Lyon", "1", "v", "Nice", "2", "u", "Nice", "3").forEach(builder::add);
        Table table = builder.build();
        Recipe recipe = Recipe.builder().label("y").learn(table);
        LinearModel model = Trainer.logistic()
                .runner(new Simulator())
                .nodes(1)
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe);
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        List<String> labels = new ArrayList<>();
        try (OrtSession session = environment.createSession(Onnx.bytes(model));
                OnnxTensor towns = OnnxTensor.createTensor(
                        environment, new String[] {"Lyon", "Atlantis", "?", "Nice"}, new long[] {4, 1});
                OnnxTensor numbers =
                        OnnxTensor.createTensor(environment, new double[][] {{1}, {1}, {1}, {Double.NaN}});
                OrtSession.Result result = session.run(Map.of("town", towns, "x", numbers))) {
            labels.addAll(List.of((String[]) result.get("label").orElseThrow().getValue()));
        }
        assertThat(labels.get(0)).isIn("u", "v");
        assertThat(labels.subList(1, 4)).containsOnly("NA");
    }

    @Test
    void rowsWithoutNamesAreOneInput() throws OrtException {
        Dataset rows = Dataset.of(new double[][] {{1, 0.1}, {0, 3}, {-2, 1}}, new double[] {1, 0, 1});
        LinearModel model =
                Trainer.logistic().runner(new Simulator()).nodes(1).fit(rows).model();
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession session = environment.createSession(Onnx.bytes(model));
                OnnxTensor features = OnnxTensor.createTensor(environment, new double[][] {{1, 0.1}, {0, 3}, {-2, 1}});
                OrtSession.Result result = session.run(Map.of("features", features))) {
            double[][] scores = (double[][]) result.get("scores").orElseThrow().getValue();
            for (int row = 0; row < 3; row++) {
                assertThat(scores[row]).containsExactly(model.scores(rows, row), within(1e-15));
            }
        }
    }

    @Test
    void anOffsetIsAnInput() throws OrtException {
        LinearModel model = ExportedTable.withOffset();
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (OrtSession session = environment.createSession(Onnx.bytes(model));
                OnnxTensor x = OnnxTensor.createTensor(environment, new double[][] {{1}, {2}});
                OnnxTensor o = OnnxTensor.createTensor(environment, new double[][] {{0.5}, {-7}});
                OrtSession.Result result = session.run(Map.of("x", x, "o", o))) {
            double[][] scores = (double[][]) result.get("scores").orElseThrow().getValue();
            double weight = model.weight(0, 0);
            assertThat(scores[0][0]).isCloseTo(model.intercept(0) + weight + 0.5, within(1e-15));
            assertThat(scores[1][0]).isCloseTo(model.intercept(0) + 2 * weight - 7, within(1e-15));
        }
    }

    @Test
    void hashedColumnsAreRefusedByName() {
        Table table = ExportedTable.of(50, 1, false);
        Recipe recipe = Recipe.builder()
                .label("two")
                .keep(List.of("sex", "town"))
                .hash("town", 4)
                .missing(Missing.DROP)
                .learn(table);
        LinearModel model = Trainer.logistic()
                .runner(new Simulator())
                .nodes(1)
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe);
        assertThatThrownBy(() -> Onnx.bytes(model)).hasMessageContaining("column 'town' is hashed");
        assertThatThrownBy(() -> Pmml.text(model)).hasMessageContaining("column 'town' is hashed");
    }
}
