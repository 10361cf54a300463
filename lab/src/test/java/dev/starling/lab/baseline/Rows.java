package dev.starling.lab.baseline;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.Labels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The rows that the tests of the methods run on. */
final class Rows {

    private Rows() {}

    /** The first rows of a real classification dataset; skips the test where it is absent. */
    static Dataset real(String name, int most) {
        Path file = Path.of(System.getProperty("starling.shared", "../../shared"), "data", name + ".gz");
        assumeTrue(Files.exists(file), () -> file + " is absent");
        Dataset all = DatasetReader.standard().read(file);
        return first(Labels.classification(all).binary(all).laidOut(false), most);
    }

    private static Dataset first(Dataset all, int most) {
        int rows = Math.min(most, all.rows());
        int[] offsets = new int[rows + 1];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            offsets[i + 1] = all.end(i);
            labels[i] = all.label(i);
        }
        return Dataset.sparse(
                all.features(),
                offsets,
                Arrays.copyOf(all.columns(), offsets[rows]),
                Arrays.copyOf(all.values(), offsets[rows]),
                labels);
    }

    static Dataset classification(int rows, int features) {
        return Generator.classification(rows, features).conditioning(10).seed(3).generate();
    }

    static Dataset regression(int rows, int features) {
        return Generator.regression(rows, features).conditioning(10).seed(3).generate();
    }
}
