package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.support.RScript;
import dev.starling.support.Stored;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features that formulas make of R's own data sets, beside R's. */
class DesignBesideRTest {

    /** Logarithms, sums of squares and splines may differ in their last digits. */
    private static final double ROUNDING = 2e-13;

    @TempDir
    private Path folder;

    @Test
    void formulasMakeTheFeaturesThatRMakes() throws IOException, InterruptedException {
        RScript.run(DesignBesideRTest.class, "design.R", folder);
        int cases = 0;
        while (Files.exists(folder.resolve((cases + 1) + ".csv"))) {
            compare(++cases);
        }
        assertThat(cases).isGreaterThan(25);
    }

    private void compare(int k) throws IOException {
        List<String> names = Files.readAllLines(folder.resolve(k + ".names"));
        String formula = names.get(0);
        Table table = TableReader.standard().read(folder.resolve(k + ".csv"));
        RecipeBuilder builder = Recipe.builder().formula(formula).regression();
        for (String line : Files.readAllLines(folder.resolve(k + ".levels"))) {
            List<String> words = List.of(line.split("\t"));
            builder.levels(words.get(0), words.subList(1, words.size()));
        }
        Recipe recipe = builder.learn(table);
        compare(formula, names, recipe.encode(table).rows(), folder.resolve(k + ".matrix"));
        Path other = folder.resolve(k + ".other.csv");
        if (Files.exists(other)) {
            // What a model file keeps is enough.
            Recipe kept = RecipeJson.read(RecipeJson.text(recipe), "kept");
            Dataset rows =
                    kept.encodeToPredict(TableReader.standard().read(other)).rows();
            compare(formula + ", other rows", names, rows, folder.resolve(k + ".other.matrix"));
        }
    }

    private static void compare(String what, List<String> names, Dataset made, Path matrix) throws IOException {
        Dataset rows = made.laidOut(true);
        List<double[]> theirs = Files.readAllLines(matrix).stream()
                .map(line -> Arrays.stream(line.split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toList();
        assertThat(rows.rows()).isEqualTo(theirs.size());
        List<String> ours = rows.names().stream().map(DesignBesideRTest::bare).toList();
        assertThat(ours)
                .as(what)
                .containsExactlyInAnyOrderElementsOf(
                        names.stream().skip(1).map(DesignBesideRTest::bare).toList());
        for (int j = 1; j < names.size(); j++) {
            int column = ours.indexOf(bare(names.get(j)));
            for (int i = 0; i < theirs.size(); i++) {
                double expected = theirs.get(i)[j - 1];
                assertThat(Stored.value(rows, i, column))
                        .as(what + ": " + names.get(j) + ", row " + (i + 1))
                        .isCloseTo(expected, within(ROUNDING * Math.max(1, Math.abs(expected))));
            }
        }
    }

    /** A name as both write it: we put an equals sign between a column and its level. */
    private static String bare(String name) {
        return name.replace("=", "").replace(" ", "");
    }
}
