package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Standard errors of a fit between sites with rules, masks and ledgers. */
@Timeout(300)
class StandardErrorsTest {

    private static final int FEATURES = 3;

    @TempDir
    private Path folder;

    /** Counts that depend on a feature, with an exposure. */
    private static Dataset rows(int count, int seed) {
        Random random = new Random(seed);
        double[] values = new double[count * FEATURES];
        double[] labels = new double[count];
        double[] offsets = new double[count];
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < FEATURES; c++) {
                values[i * FEATURES + c] = random.nextGaussian();
            }
            offsets[i] = random.nextDouble();
            double mean = Math.exp(0.3 + 0.4 * values[i * FEATURES] + offsets[i]);
            labels[i] = Math.floor(2 * mean * random.nextDouble());
        }
        return Dataset.dense(FEATURES, values, labels)
                .withNames(List.of("a", "b", "c"))
                .withOffsets(offsets);
    }

    private static double[] signs(Dataset rows) {
        return IntStream.range(0, rows.rows())
                .mapToDouble(row -> Math.min(1, rows.label(row)))
                .toArray();
    }

    private static Dataset pooled(List<Dataset> sites) {
        return Dataset.dense(
                        FEATURES,
                        sites.stream()
                                .flatMapToDouble(site -> DoubleStream.of(Stored.values(site)))
                                .toArray(),
                        sites.stream()
                                .flatMapToDouble(
                                        site -> IntStream.range(0, site.rows()).mapToDouble(site::label))
                                .toArray())
                .withNames(List.of("a", "b", "c"))
                .withOffsets(sites.stream()
                        .flatMapToDouble(site -> IntStream.range(0, site.rows()).mapToDouble(site::offset))
                        .toArray());
    }

    private LinearModel run(Settings settings, List<Dataset> sites, boolean masked, String name) throws IOException {
        Path own = Files.createDirectory(folder.resolve(name));
        MaskedNetwork network =
                new MaskedNetwork(settings, Topology.named("complete").build(3, 1), sites, Policy.DEFAULT, masked, own);
        LinearModel model = network.run().get(0);
        assertThat(network.refusals()).isEmpty();
        return model;
    }

    @ParameterizedTest
    @CsvSource({"poisson, model", "quasi-poisson, model", "negative-binomial(2), model", "binomial, HC0"})
    void sitesGetThoseOfAllRowsAndTellNoMoreThanTheySaid(String loss, String kind) throws IOException {
        List<Dataset> sites = IntStream.of(700, 600, 800)
                .mapToObj(count -> rows(count, count))
                .map(rows -> loss.equals("binomial") ? rows.withLabels(signs(rows)) : rows)
                .toList();
        Settings settings = Settings.of(Losses.named(loss))
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.INTERCEPT, true)
                .with(Setting.GAP, 1e-9)
                .with(Setting.STANDARD_ERRORS, StandardErrors.named(kind));
        LinearModel model = run(settings, sites, true, "masked");
        assertThat(model.hash()).isEqualTo(run(settings, sites, false, "open").hash());

        Inference found = model.inference().orElseThrow();
        Inference expected = Trainer.of(settings)
                .nodes(1)
                .fit(pooled(sites))
                .model()
                .inference()
                .orElseThrow();
        assertThat(found.rows()).isEqualTo(2100);
        assertThat(found.covariance()).hasSize(10);
        // A site's rules may end a run early, so the bounds may be wide; they hold in any case.
        for (int k = 0; k < found.coefficients(); k++) {
            double error = Math.sqrt(Inference.entry(expected.covariance(), k, k));
            assertThat(Math.sqrt(Inference.entry(found.covariance(), k, k)))
                    .isCloseTo(error, within(error * (found.relativeErrors()[k] + expected.relativeErrors()[k])));
            assertThat(found.relativeErrors()[k]).isLessThan(1e-4);
            if (found.kind().isRobust()) {
                double robust = Math.sqrt(Inference.entry(expected.robust(), k, k));
                assertThat(Math.sqrt(Inference.entry(found.robust(), k, k)))
                        .isCloseTo(robust, within(found.robustErrors()[k] + expected.robustErrors()[k]));
                assertThat(found.robustErrors()[k]).isLessThan(1e-3 * robust);
            }
        }
        assertThat(found.nullDeviance()).isCloseTo(expected.nullDeviance(), within(1e-8));
        assertThat(found.pearson())
                .isCloseTo(expected.pearson(), within(found.pearsonError() + expected.pearsonError()));

        List<LedgerLine> after = SumLedger.read(folder.resolve("masked").resolve("ledger-0")).stream()
                .dropWhile(line -> !"information".equals(line.fields().get("kind")))
                .filter(line -> line.what().equals("sum"))
                .toList();
        Disclosure told = Disclosure.of(Policy.DEFAULT, settings, sites.get(0), 3, 0, 0, 0);
        // Offsets make the model without features a matter of several sums.
        assertThat(after.stream()
                        .filter(line -> "null model".equals(line.fields().get("kind"))))
                .hasSizeGreaterThan(2);
        assertThat(after.stream().mapToLong(line -> line.count("numbers")).sum())
                .isLessThanOrEqualTo(told.numbersOfErrors());
        assertThat(String.join("\n", told.words(Policy.DEFAULT))).contains("for standard errors");
    }
}
