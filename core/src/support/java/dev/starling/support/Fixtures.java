package dev.starling.support;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The generated datasets that come with the tests, and their optima as a script without our code found them. */
public final class Fixtures {

    private Fixtures() {}

    /** The optimum of a dataset: of mean loss + λ/2 ‖θ‖² + λ₁ ‖θ‖₁. */
    public record Optimum(
            String data, boolean standardised, String loss, double lambda, double l1, double objective) {

        private static Optimum parse(String line) {
            String[] cells = line.split("\t", -1);
            return new Optimum(
                    cells[0],
                    cells[1].equals("standardised"),
                    cells[2],
                    Double.parseDouble(cells[3]),
                    Double.parseDouble(cells[4]),
                    Double.parseDouble(cells[5]));
        }

        /** Its rows, as they are in the file. */
        public Dataset rows() {
            return read(data);
        }
    }

    /** The file of a dataset: {@code census}, {@code forest}, {@code houses} or {@code species}. */
    public static Path file(String name) {
        URL resource = Objects.requireNonNull(Fixtures.class.getResource("/fixtures/" + name), name);
        try {
            return Path.of(resource.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The rows of a dataset. */
    public static Dataset read(String name) {
        return DatasetReader.standard().read(file(name));
    }

    /** Every optimum that is known. */
    public static List<Optimum> optima() {
        try {
            return Files.readAllLines(file("optima.tsv")).stream()
                    .skip(1)
                    .map(Optimum::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The optimal objective of a dataset without an l1 term. */
    public static double optimum(String data, String loss, double lambda) {
        return optima().stream()
                .filter(one -> one.data.equals(data) && one.loss.equals(loss) && one.lambda == lambda && one.l1 == 0)
                .findFirst()
                .orElseThrow()
                .objective;
    }
}
