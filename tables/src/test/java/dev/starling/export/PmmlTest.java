package dev.starling.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pmml4s.model.Model;

/** PMML4S says of raw rows what the model says. */
class PmmlTest {

    /** The order of sums is not the same. */
    private static final double ROUNDING = 1e-12;

    private static Map<String, Object> row(Table table, Table.Cursor cursor) {
        Map<String, Object> row = new HashMap<>();
        for (String name : ExportedTable.NUMBERS) {
            int at = table.names().indexOf(name);
            double number =
                    name.equals("day") ? LocalDate.parse(cursor.text(at)).toEpochDay() : cursor.number(at);
            row.put(name, Double.isNaN(number) ? null : number);
        }
        for (String name : ExportedTable.WORDS) {
            String word = cursor.text(table.names().indexOf(name));
            row.put(name, word.isEmpty() ? null : word);
        }
        return row;
    }

    private static void compare(String label, String formula, String loss, int rows) {
        LinearModel model = ExportedTable.model(label, formula == null ? "" : formula, loss);
        Model pmml = Model.fromString(Pmml.text(model));
        Table table = ExportedTable.of(rows, 2, true);
        Dataset encoded = Recipe.of(model).orElseThrow().encodeToPredict(table).rows();
        int row = 0;
        int others = 0;
        double misfit = 0;
        for (Table.Cursor cursor = table.cursor(); cursor.next(); row++) {
            Map<String, Object> result = pmml.predict(row(table, cursor));
            double[] scores = model.scores(encoded, row);
            double size = 1 + Arrays.stream(scores).map(Math::abs).max().orElseThrow();
            if (!model.isClassifier()) {
                misfit = Math.max(misfit, Math.abs((Double) result.get("prediction") - scores[0]) / size);
                continue;
            }
            if (!result.get("prediction").equals(model.spelling(model.predict(encoded, row)))) {
                others++;
            }
            boolean probabilities = model.hasProbabilities();
            for (int k = 0; probabilities && k < model.classes().size(); k++) {
                String name = "probability(" + model.spelling(model.classes().get(k)) + ")";
                double difference = (Double) result.get(name) - model.probabilities(encoded, row)[k];
                misfit = Math.max(misfit, Math.abs(difference) / size);
            }
        }
        assertThat(row).isEqualTo(rows);
        assertThat(misfit).isLessThan(ROUNDING);
        assertThat(others).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            two   |                                                         | logistic
            three |                                                         | logistic
            three | age*town + I(age^3) + town:sex:size + smoker            | logistic
            three |                                                         | softmax
            two   | age*town + smoker                                       | softmax
            three | age + town + smoker                                     | ordinal
            three |                                                         | squared-hinge
            n     |                                                         | squared
            two   | age*town + I(age^3) + town:sex:size + age:wage + smoker | logistic
            two   | age + town + size:smoker + wage:sex - 1                 | squared-hinge
            n     | log(wage) + sqrt(age) + town:log(wage) + exp(wage)      | squared
            two   | factor(town) * age + (sex + smoker)^2               | logistic
            """)
    void rowsHaveOurScores(String label, String formula, String loss) {
        compare(label, formula, loss, 1000);
    }

    @Tag("slow")
    @Test
    void oneHundredThousandRowsHaveOurScores() {
        compare("two", null, "logistic", 100_000);
    }

    @Test
    void rowsThatTheRecipeRefusesAreNotPredicted() {
        TableBuilder builder = new TableBuilder("rows", List.of("y", "town", "x"));
        List.of("u", "Lyon", "1", "v", "Nice", "2", "u", "Nice", "3").forEach(builder::add);
        Table table = builder.build();
        Model pmml = Model.fromString(Pmml.text(trained(table)));
        assertThat(pmml.predict(Map.<String, Object>of("town", "Lyon", "x", 1.0))
                        .get("prediction"))
                .isIn("u", "v");
        assertThat(pmml.predict(Map.<String, Object>of("town", "Atlantis", "x", 1.0))
                        .get("prediction"))
                .isNull();
        assertThat(pmml.predict(Map.<String, Object>of("x", 1.0)).get("prediction"))
                .isNull();
        assertThat(pmml.predict(Map.<String, Object>of("town", "Lyon")).get("prediction"))
                .isNull();
    }

    @Test
    void anOffsetIsAField() {
        LinearModel model = ExportedTable.withOffset();
        Map<String, Object> result =
                Model.fromString(Pmml.text(model)).predict(Map.<String, Object>of("x", 2.0, "o", -7.0));
        double score = model.intercept(0) + 2 * model.weight(0, 0) - 7;
        assertThat((Double) result.get("probability(v)")).isCloseTo(1 / (1 + Math.exp(-score)), within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"poly(age, 2)", "ns(age, df = 3)", "bs(age, df = 4)", "cut(age, 3)", "scale(age)"})
    void functionsThatOtherProgramsDoNotKnowAreRefusedByName(String function) {
        LinearModel model = ExportedTable.model("two", function + " + sex", "logistic");
        assertThatThrownBy(() -> Pmml.text(model)).hasMessageStartingWith(function + " cannot be exported");
        assertThatThrownBy(() -> Onnx.bytes(model)).hasMessageStartingWith(function + " cannot be exported");
    }

    @Test
    void levelsThatXmlCannotHoldAreRefused() {
        TableBuilder builder = new TableBuilder("rows", List.of("y", "town"));
        List.of("u", "Ly\u0001on", "v", "Nice", "u", "Nice").forEach(builder::add);
        LinearModel model = trained(builder.build());
        assertThatThrownBy(() -> Pmml.text(model)).hasMessageContaining("'Ly?on' holds a control character");
    }

    private static LinearModel trained(Table table) {
        Recipe recipe = Recipe.builder().label("y").learn(table);
        return Trainer.logistic()
                .runner(new Simulator())
                .nodes(1)
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe);
    }
}
