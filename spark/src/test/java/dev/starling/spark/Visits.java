package dev.starling.spark;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Visits of patients, whose columns have all roles that columns can have, in one process and on Spark.
 *
 * @param frame the same rows, in one partition
 */
record Visits(Table table, Dataset<Row> frame) {

    /** The rows of a file in a folder, which is written first. */
    static Visits in(Path folder) throws IOException {
        Path file = Files.write(folder.resolve("visits.csv"), lines(240));
        Dataset<Row> frame = SharedSpark.session()
                .read()
                .option("header", true)
                .option("inferSchema", true)
                .csv(file.toUri().toString())
                .cache();
        return new Visits(TableReader.standard().read(file), frame);
    }

    /** Three visits of each patient, some without an age; all numbers are ones that floats hold. */
    private static List<String> lines(int count) {
        Random random = new Random(7);
        List<String> lines = new ArrayList<>(List.of("visit,patient,age,dose,day,town,risk,ill"));
        String[] towns = {"Gap", "Apt", "Ax"};
        for (int i = 0; i < count; i++) {
            int age = 20 + random.nextInt(60);
            double dose = (1 + random.nextInt(40)) / 8.0;
            double risk = random.nextInt(17) / 8.0 - 1;
            String town = towns[random.nextInt(3)];
            double score = risk + 0.04 * (age - 50) - 0.3 * (dose - 2) + random.nextGaussian();
            lines.add(String.join(
                    ",",
                    "v" + i,
                    Integer.toString(1000 + i / 3),
                    random.nextInt(6) == 0 ? "" : Integer.toString(age),
                    Double.toString(dose),
                    Integer.toString(1 + random.nextInt(30)),
                    town,
                    Double.toString(risk),
                    score > 0 ? "yes" : "no"));
        }
        return lines;
    }

    /**
     * What one process makes of the table.
     *
     * @param more changes of its settings
     * @param delay that of Spark's nodes
     * @param keyColumns whose cells decide on folds
     */
    Fit fitInOneProcess(UnaryOperator<Trainer> more, Recipe recipe, double delay, String... keyColumns) {
        Encoded encoded = recipe.encode(table);
        long[] keys = keyColumns.length == 0 ? new long[0] : table.keys(List.of(keyColumns), encoded.kept());
        return more.apply(trainer(delay)).fit(encoded.rows(), keys).with(recipe);
    }

    private static Trainer trainer(double delay) {
        return Trainer.logistic()
                .lambda(1e-3)
                .gap(1e-8)
                .nodes(2)
                .maxEpochs(1000)
                .intercept(true)
                .delay(delay)
                .runner(new Simulator());
    }
}
