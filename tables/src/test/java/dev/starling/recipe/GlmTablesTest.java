package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.support.RScript;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of R's own, without regularisation: the coefficients are those of R's glm. */
class GlmTablesTest {

    private static final int CASES = 7;
    private static final double DIGITS = 1e-8;

    @TempDir
    private Path folder;

    @Test
    void coefficientsOfTablesAreThoseOfR() throws IOException, InterruptedException {
        RScript.run(GlmTablesTest.class, "glm.R", folder);
        for (int k = 1; k <= CASES; k++) {
            compare(k);
        }
    }

    private void compare(int k) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(k + ".txt"));
        String formula = lines.get(0);
        boolean binomial = lines.get(1).equals("binomial");
        RecipeBuilder builder = Recipe.builder().formula(formula);
        if (!binomial) {
            builder.regression();
        }
        if (!lines.get(2).isEmpty()) {
            builder.weights(lines.get(2));
        }
        if (!lines.get(3).isEmpty()) {
            builder.offset(lines.get(3));
        }
        int line = 4;
        for (; !lines.get(line).isEmpty(); line++) {
            List<String> words = List.of(lines.get(line).split("\t"));
            builder.levels(words.get(0), words.subList(1, words.size()));
        }
        Map<String, Double> expected = new TreeMap<>();
        for (String pair : lines.subList(line + 1, lines.size())) {
            expected.put(pair.split("\t")[0], Double.parseDouble(pair.split("\t")[1]));
        }
        Table table = TableReader.standard().read(folder.resolve(k + ".csv"));
        Recipe recipe = builder.learn(table);
        Dataset rows = recipe.encode(table).rows();
        Loss loss = binomial ? new Logistic() : new Squared();
        LinearModel model = Trainer.of(loss)
                .lambda(0)
                .intercept(recipe.intercept())
                .gap(1e-14)
                .runner(new Simulator())
                .fit(rows)
                .model();
        Map<String, Double> found = new TreeMap<>();
        if (recipe.intercept()) {
            found.put("(Intercept)", model.intercept(0));
        }
        for (int j = 0; j < model.features(); j++) {
            found.put(model.names().get(j).replace("=", ""), model.weight(0, j));
        }
        assertThat(found.keySet()).as(formula).isEqualTo(expected.keySet());
        expected.forEach((name, value) -> assertThat(found.get(name))
                .as(formula + ": " + name)
                .isCloseTo(value, within(DIGITS * Math.max(1, Math.abs(value)))));
    }
}
