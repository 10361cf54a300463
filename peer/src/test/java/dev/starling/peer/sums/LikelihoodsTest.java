package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.Differences;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times to an event, several classes and ordered classes between sites with rules, masks and ledgers. */
@Timeout(300)
class LikelihoodsTest {

    private static final int FEATURES = 3;
    private static final int[] SIZES = {700, 600, 800};

    @TempDir
    private Path folder;

    private static double[] values(int count, int seed) {
        Random random = new Random(seed);
        return random.doubles((long) count * FEATURES, -1, 1).toArray();
    }

    /** Labels that depend on the first feature: times, some of them unseen events, or one of three classes. */
    private static Dataset rows(int count, String loss) {
        Random random = new Random(count + 1);
        double[] values = values(count, count);
        double[] labels = new double[count];
        int largest = loss.equals("binomial") ? 1 : 2;
        for (int i = 0; i < count; i++) {
            double score = 0.7 * values[i * FEATURES];
            double time = Math.ceil(20 * -Math.log(random.nextDouble()) * Math.exp(-score));
            boolean seen = random.nextInt(4) > 0;
            labels[i] = loss.startsWith("cox")
                    ? seen ? time : -time
                    : Math.max(0, Math.min(largest, Math.round(score + 1 + random.nextGaussian())));
        }
        return Dataset.dense(FEATURES, values, labels).withNames(List.of("a", "b", "c"));
    }

    private static Settings settings(String loss) {
        return Settings.of(Losses.named(loss))
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.INTERCEPT, !Losses.named(loss).comparesRows())
                .with(Setting.HETEROGENEITY, Differences.ALL)
                .with(Setting.GAP, 1e-9)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL);
    }

    private LinearModel run(Settings settings, List<Dataset> sites, boolean masked) throws IOException {
        Path own = Files.createDirectory(folder.resolve(masked ? "masked" : "open"));
        MaskedNetwork network =
                new MaskedNetwork(settings, Topology.named("complete").build(3, 1), sites, Policy.DEFAULT, masked, own);
        List<LinearModel> models = network.run();
        assertThat(network.refusals()).isEmpty();
        assertThat(models)
                .extracting(LinearModel::hash)
                .containsOnly(models.get(0).hash());
        return models.get(0);
    }

    @ParameterizedTest
    @CsvSource({"cox", "cox(breslow)", "multinomial", "ordinal", "stratified(poisson)", "binomial"})
    void sitesGetTheBitsOfOneProcessAndTellNoMoreThanTheySaid(String loss) throws IOException {
        List<Dataset> sites =
                IntStream.of(SIZES).mapToObj(count -> rows(count, loss)).toList();
        Settings settings = settings(loss);

        LinearModel model = run(settings, sites, true);

        assertThat(model.hash()).isEqualTo(run(settings, sites, false).hash());
        Inference found = model.inference().orElseThrow();
        assertThat(found.rows()).isEqualTo(2100);
        // Rules may end a run early, so compare with the optimum found where there are none, within the bounds.
        LinearModel expected = together(settings, sites);
        double[] there = expected.tabled(settings.intercept());
        double[] here = model.tabled(settings.intercept());
        for (int k = 0; k < here.length; k++) {
            double bound = found.estimateErrors()[k]
                    + expected.inference().orElseThrow().estimateErrors()[k];
            assertThat(here[k]).isCloseTo(there[k], within(bound));
            assertThat(bound).isLessThan(1e-6);
        }

        Set<String> names = SumLedger.read(folder.resolve("masked").resolve("ledger-0")).stream()
                .map(line -> String.valueOf(line.fields().get("kind")))
                .collect(Collectors.toSet());
        assertThat(names).contains("information", "bounds", "null model", "heterogeneity");
        // With three sites, each could compute the estimates of the other two.
        assertThat(names).doesNotContain("own estimates");
        assertThat(found.heterogeneity().sums()).hasSize(3);
        assertThat(found.heterogeneity().sums()[1]).isEqualTo(3);
        Disclosure told = Disclosure.of(Policy.DEFAULT, settings, sites.get(0), 3, 0, 0, 0);
        assertThat(told.numbersOfErrors()).isPositive();
        assertThat(String.join("\n", told.words(Policy.DEFAULT))).contains("for standard errors");
    }

    /** All rows in one process, in which each site's rows are a stratum. */
    private static LinearModel together(Settings settings, List<Dataset> sites) {
        List<Double> values = new ArrayList<>();
        List<Double> labels = new ArrayList<>();
        List<Long> strata = new ArrayList<>();
        for (int site = 0; site < sites.size(); site++) {
            Dataset own = sites.get(site);
            for (int i = 0; i < own.rows(); i++) {
                for (int c = 0; c < FEATURES; c++) {
                    values.add(Stored.value(own, i, c));
                }
                labels.add(own.label(i));
                strata.add((long) site);
            }
        }
        Dataset all = Dataset.dense(
                        FEATURES,
                        values.stream().mapToDouble(v -> v).toArray(),
                        labels.stream().mapToDouble(v -> v).toArray())
                .withNames(List.of("a", "b", "c"));
        return Trainer.of(settings)
                .nodes(1)
                .fit(all, strata.stream().mapToLong(v -> v).toArray())
                .model();
    }
}
