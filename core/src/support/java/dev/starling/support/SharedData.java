package dev.starling.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The real datasets, where they are to be had, and their optima as another program found them. */
public final class SharedData {

    private SharedData() {}

    /** A dataset's file by its name; the test is skipped where there is none. */
    public static Path file(String name) {
        Path path = Path.of(System.getProperty("starling.shared", "../../shared"), "data", name);
        assumeTrue(Files.exists(path), () -> "there is no " + path);
        return path;
    }

    /** Its rows. */
    public static Dataset read(String name) {
        return DatasetReader.standard().read(file(name));
    }

    /** The optimal objective of a dataset, from the golden table. */
    public static double optimum(String dataset, String loss, double lambda) {
        for (String line : goldenLines()) {
            String[] cells = line.split("\t", -1);
            if (cells[0].equals(dataset) && cells[1].equals(loss) && Double.parseDouble(cells[2]) == lambda) {
                return Double.parseDouble(cells[4]);
            }
        }
        throw new IllegalArgumentException("no optimum of " + dataset + ", " + loss + ", " + lambda);
    }

    private static List<String> goldenLines() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                SharedData.class.getResourceAsStream("/golden/optima.tsv"), StandardCharsets.UTF_8))) {
            return reader.lines().skip(1).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
