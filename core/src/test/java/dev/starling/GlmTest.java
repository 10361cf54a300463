package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.text.RowWeights;
import dev.starling.loss.Logistic;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.settings.Scaling;
import dev.starling.support.RScript;
import dev.starling.support.SharedData;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Without regularisation the models are those of R's glm; its estimates are in a file that {@code glm/make.R} makes.
 */
@Timeout(120)
class GlmTest {

    private static final double TEN_DIGITS = 1e-10;

    /** What R says of a coefficient; not a number for one that it leaves out. */
    private record Estimate(String column, double value, double error) {}

    private static Path folder() {
        try {
            return Path.of(GlmTest.class.getResource("/glm/make.R").toURI()).getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, List<Estimate>> estimates(Path folder) {
        return read(folder.resolve("estimates.tsv"));
    }

    private static Map<String, List<Estimate>> read(Path file) {
        Map<String, List<Estimate>> byCase = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
                String[] cells = line.split("\t");
                byCase.computeIfAbsent(cells[0], name -> new ArrayList<>())
                        .add(new Estimate(cells[1], number(cells[2]), number(cells[3])));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return byCase;
    }

    private static double number(String cell) {
        return cell.equals("NA") ? Double.NaN : Double.parseDouble(cell);
    }

    static Stream<String> cases() {
        return estimates(folder()).keySet().stream();
    }

    private static Dataset rows(String name) {
        Dataset data = DatasetReader.standard().labelColumn("y").read(folder().resolve(name + ".csv"));
        Path weights = folder().resolve(name + ".weights");
        return Files.exists(weights) ? RowWeights.read(weights, data) : data;
    }

    private static Trainer trainer(String name) {
        return Trainer.of(name.startsWith("binomial") ? new Logistic() : new Squared())
                .lambda(0)
                .intercept(!name.endsWith("no-intercept"))
                .gap(1e-12);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void coefficientsAreThoseOfGlm(String name) {
        Fit fit = trainer(name).fit(rows(name));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertAgrees(fit.model(), estimates(folder()).get(name));
        assertThat(fit.model().provenance().exactness().standardErrors()).isLessThan(1e-7);
    }

    private static void assertAgrees(LinearModel model, List<Estimate> expected) {
        List<String> leftOut = new ArrayList<>();
        for (Estimate estimate : expected) {
            boolean intercept = estimate.column.equals("(Intercept)");
            int column = model.names().indexOf(estimate.column);
            double found = intercept ? model.intercept(0) : model.weight(0, column);
            if (Double.isNaN(estimate.value)) {
                leftOut.add(estimate.column);
                assertThat(found).as(estimate.column).isZero();
            } else {
                double scale = Math.max(Math.abs(estimate.value), estimate.error);
                assertThat(found).as(estimate.column).isCloseTo(estimate.value, within(TEN_DIGITS * scale));
            }
        }
        assertThat(model.provenance().exactness().aliased().stream().map(model.names()::get))
                .containsExactlyElementsOf(leftOut);
    }

    static Stream<String> realCases() {
        return read(folder().resolve("real.tsv")).keySet().stream();
    }

    /** {@code glm/real.R} has made the estimates; features have no names but their numbers. */
    @ParameterizedTest
    @MethodSource("realCases")
    void coefficientsOfRealDataAreThoseOfGlm(String name) {
        List<Estimate> expected = read(folder().resolve("real.tsv")).get(name);
        boolean classes = name.equals("heart_scale") || name.equals("splice");
        Trainer trainer = Trainer.of(classes ? new Logistic() : new Squared())
                .lambda(0)
                .intercept(true)
                .nodes(4) // sums between nodes are exact, which leaves ten digits of a small intercept
                .gap(1e-12);

        Fit fit = trainer.fit(SharedData.read(name + ".gz"));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        for (Estimate estimate : expected) {
            boolean intercept = estimate.column.equals("(Intercept)");
            double found = intercept
                    ? fit.model().intercept(0)
                    : fit.model().weights(0)[Integer.parseInt(estimate.column) - 1];
            double scale = Math.max(Math.abs(estimate.value), estimate.error);
            assertThat(found).as(estimate.column).isCloseTo(estimate.value, within(TEN_DIGITS * scale));
        }
    }

    /** Scaling has nothing to decide. */
    @Test
    void standardisingGivesTheSameBits() {
        Dataset rows = rows("gaussian");
        Trainer trainer = trainer("gaussian");

        assertThat(trainer.scaling(Scaling.STANDARDIZE).fit(rows).model().weightsHash())
                .isEqualTo(trainer.fit(rows).model().weightsHash());
    }

    @Test
    void theStoredEstimatesAreThoseThatRComputes(@TempDir Path made) throws IOException, InterruptedException {
        RScript.run(GlmTest.class, "/glm/make.R", made);

        Map<String, List<Estimate>> expected = estimates(folder());
        estimates(made).forEach((name, found) -> {
            for (int k = 0; k < found.size(); k++) {
                Estimate pinned = expected.get(name).get(k);
                assertThat(found.get(k).column).isEqualTo(pinned.column);
                if (Double.isNaN(pinned.value)) {
                    assertThat(found.get(k).value).isNaN();
                } else {
                    assertThat(found.get(k).value).isCloseTo(pinned.value, within(1e-12 * Math.abs(pinned.value)));
                }
            }
        });
        assertThat(estimates(made).keySet()).isEqualTo(expected.keySet());
        assertThat(Files.readString(made.resolve("binomial.csv")))
                .isEqualTo(Files.readString(folder().resolve("binomial.csv")));
    }
}
