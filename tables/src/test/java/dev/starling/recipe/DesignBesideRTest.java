package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.support.RScript;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Features that formulas make of R's own data sets, beside R's. */
class DesignBesideRTest {

    private static final int CASES = 8;

    @TempDir
    private Path folder;

    @Test
    void formulasMakeTheFeaturesThatRMakes() throws IOException, InterruptedException {
        RScript.run(DesignBesideRTest.class, "design.R", folder);
        for (int k = 1; k <= CASES; k++) {
            compare(k);
        }
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
        Dataset rows = builder.learn(table).encode(table).rows().laidOut(true);
        List<double[]> matrix = Files.readAllLines(folder.resolve(k + ".matrix")).stream()
                .map(line -> Arrays.stream(line.split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toList();
        TreeMap<String, double[]> expected = new TreeMap<>();
        for (int j = 1; j < names.size(); j++) {
            int column = j - 1;
            expected.put(
                    names.get(j),
                    matrix.stream().mapToDouble(row -> row[column]).toArray());
        }
        TreeMap<String, double[]> found = new TreeMap<>();
        for (int j = 0; j < rows.features(); j++) {
            double[] column = new double[rows.rows()];
            for (int i = 0; i < column.length; i++) {
                column[i] = rows.values().at(rows.start(i) + j);
            }
            found.put(rows.names().get(j).replace("=", ""), column);
        }
        assertThat(found.keySet()).as(formula).isEqualTo(expected.keySet());
        // Logarithms and exponentials may differ in the last bit.
        found.forEach((name, column) -> {
            for (int i = 0; i < column.length; i++) {
                double theirs = expected.get(name)[i];
                assertThat(column[i]).as(formula + ": " + name).isCloseTo(theirs, within(4e-16 * Math.abs(theirs)));
            }
        });
    }
}
