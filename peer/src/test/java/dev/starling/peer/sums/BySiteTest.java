package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.Differences;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.RandomIntercept;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Curves;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What shows the sums of single sites needs everybody's leave, and is in what sites say and in their ledgers. */
@Timeout(300)
class BySiteTest {

    private static final int FEATURES = 3;
    private static final List<String> NAMES = List.of("a", "b", "c");

    @TempDir
    private Path folder;

    private static Policy policy(boolean leave) {
        return new Policy(3, false, false, 50, 0.9, 60, 300, 30, 1000, 4, 0.8, 10, Policy.ALL, true, leave, false);
    }

    /** Counts that depend on a feature; the rows of a site are of so many patients. */
    private static Dataset rows(int site, int patients) {
        Random random = new Random(site + 7);
        int count = 600 + 100 * (site % 3);
        double[] values = random.doubles((long) count * FEATURES, -1, 1).toArray();
        double[] labels = new double[count];
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            double own = patients == 0 ? 0.2 * site : 0.3 * Math.sin(i % patients);
            double mean = Math.exp(0.3 + own + (0.4 + 0.1 * site) * values[i * FEATURES]);
            labels[i] = Math.floor(2 * mean * random.nextDouble());
            keys[i] = 1000L * site + i % Math.max(1, patients);
        }
        Dataset rows = Dataset.dense(FEATURES, values, labels).withNames(NAMES);
        return patients == 0 ? rows : rows.withKeys(keys);
    }

    private static List<Dataset> sites(int count, int patients) {
        return IntStream.range(0, count).mapToObj(site -> rows(site, patients)).toList();
    }

    private static Settings settings(StandardErrors kind, Differences asked) {
        return Settings.of(Losses.named("poisson"))
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.INTERCEPT, true)
                .with(Setting.GAP, 1e-9)
                .with(Setting.HETEROGENEITY, asked)
                .with(Setting.STANDARD_ERRORS, kind);
    }

    private MaskedNetwork network(Settings settings, List<Dataset> sites, Policy policy) throws IOException {
        return new MaskedNetwork(
                settings, Topology.named("complete").build(sites.size(), 1), sites, policy, true, folder);
    }

    private List<LedgerLine> ledger() throws IOException {
        return SumLedger.read(folder.resolve("ledger-0")).stream()
                .filter(line -> line.what().equals("sum"))
                .toList();
    }

    private static LinearModel together(Settings settings, List<Dataset> sites) {
        return together(settings, sites, 0);
    }

    private static LinearModel together(Settings settings, List<Dataset> sites, int patients) {
        double[] values = sites.stream()
                .flatMapToDouble(site -> DoubleStream.of(Stored.values(site)))
                .toArray();
        double[] labels = sites.stream()
                .flatMapToDouble(site -> IntStream.range(0, site.rows()).mapToDouble(site::label))
                .toArray();
        long[] keys = IntStream.range(0, sites.size())
                .boxed()
                .flatMapToLong(site -> IntStream.range(0, sites.get(site).rows())
                        .mapToLong(row -> patients == 0 ? site : 1000L * site + row % patients))
                .toArray();
        return Trainer.of(settings)
                .nodes(sites.size())
                .fit(Dataset.dense(FEATURES, values, labels).withNames(NAMES), keys)
                .model();
    }

    @Test
    void estimatesBySiteAreRefusedBeforeAnythingIsToldWithoutEverybodysLeave() throws IOException {
        Settings settings = settings(StandardErrors.MODEL, Differences.named("by-site"));
        MaskedNetwork network = network(settings, sites(3, 0), policy(false));

        assertThatThrownBy(network::run)
                .hasMessageContaining("estimates by site, from which what each site's rows add up to can be computed")
                .hasMessageContaining("site-estimates: accept");
        assertThat(ledger()).isEmpty();
    }

    @Test
    void withLeaveSitesShowTheEstimatesOfOneProcessAndSayBeforehandThatTheyWill() throws IOException {
        Settings settings = settings(StandardErrors.MODEL, Differences.named("a,by-site"));
        List<Dataset> sites = sites(3, 0);
        MaskedNetwork network = network(settings, sites, policy(true));

        LinearModel model = network.run().get(0);

        assertThat(network.refusals()).isEmpty();
        Inference found = model.inference().orElseThrow();
        Inference expected = together(settings, sites).inference().orElseThrow();
        double[] here = found.heterogeneity().bySite();
        double[] there = expected.heterogeneity().bySite();
        assertThat(here).hasSameSizeAs(there);
        for (int k = 0; k < here.length; k++) {
            assertThat(here[k]).isCloseTo(there[k], within(1e-7));
        }
        assertThat(found.heterogeneity().columns()[0])
                .isCloseTo(expected.heterogeneity().columns()[0], within(1e-6));
        assertThat(found.heterogeneity().columns()[1]).isEqualTo(2);
        assertThat(ledger())
                .extracting(
                        line -> line.fields().get("kind") + " " + line.fields().get("tells"))
                .contains("estimates by site sites", "without each site sites", "columns by site hessian");
        Disclosure told = Disclosure.of(policy(true), settings, sites.get(0), 3, 0, 0, 0);
        long after = ledger().stream()
                .dropWhile(line -> !line.fields().get("kind").equals("information"))
                .mapToLong(line -> line.count("numbers"))
                .sum();
        assertThat((long) told.numbersOfErrors()).isGreaterThanOrEqualTo(after);
        assertThat(String.join("\n", told.words(policy(true))))
                .contains("others can compute what this site's rows add up to (policy: site-estimates)");
    }

    /** With three sites, each could compute the slopes of the other two, up to their order. */
    @ParameterizedTest
    @CsvSource({"3, false, true", "4, false, true", "3, true, false", "5, false, false"})
    void clustersBySiteNeedFiveSitesOrEverybodysLeave(int count, boolean leave, boolean refused) throws IOException {
        Settings settings = settings(StandardErrors.CR1, Differences.NONE);
        List<Dataset> sites = sites(count, 0);
        MaskedNetwork network = network(settings, sites, policy(leave));

        if (refused) {
            assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
            assertThat(network.refusals()).allMatch(why -> why.contains("squared slopes, from which what each site's"));
            assertThat(network.refusals()).isNotEmpty();
            assertThat(ledger()).extracting(line -> line.fields().get("kind")).doesNotContain("squared slopes");
            return;
        }
        Inference found = network.run().get(0).inference().orElseThrow();
        Inference expected = together(settings, sites).inference().orElseThrow();
        assertThat(network.refusals()).isEmpty();
        assertThat(found.clusters()).isEqualTo(count);
        for (int k = 0; k < found.coefficients(); k++) {
            assertThat(Inference.entry(found.robust(), k, k))
                    .isCloseTo(
                            Inference.entry(expected.robust(), k, k),
                            within(1e-6 * Inference.entry(expected.robust(), k, k)));
        }
        assertThat(ledger())
                .filteredOn(line -> line.fields().get("kind").equals("squared slopes"))
                .extracting(LedgerLine::tells)
                .extracting(kind -> kind.text())
                .containsOnly(leave ? "sites" : "hessian");
    }

    /** A cluster is a person: as many people as the rules ask for must be in a sum, not only as many rows. */
    @ParameterizedTest
    @CsvSource({"60, false", "49, true", "2, true"})
    void fewPatientsWithManyRowsAreRefused(int patients, boolean refused) throws IOException {
        MaskedNetwork network =
                network(settings(StandardErrors.CR1, Differences.NONE), sites(3, patients), policy(false));

        if (refused) {
            assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
            assertThat(network.refusals())
                    .anyMatch(why -> why.contains("a sum over " + patients + " of its rows; at least 50"));
        } else {
            assertThat(network.run().get(0).inference().orElseThrow().clusters())
                    .isEqualTo(3.0 * patients);
            assertThat(network.refusals()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "poisson, 60, 3, false, ''",
        "gaussian, 60, 3, false, ''",
        "poisson, 49, 3, false, a sum over 49 of its rows",
        "poisson, 0, 5, false, a random intercept per site",
        "poisson, 0, 5, true, ''",
        "gaussian, 0, 3, true, ''"
    })
    void randomInterceptsArePeopleOrNeedLeave(String loss, int patients, int count, boolean leave, String refused)
            throws IOException {
        Settings settings =
                settings(StandardErrors.RANDOM_INTERCEPT, Differences.NONE).with(Setting.LOSS, Losses.named(loss));
        List<Dataset> sites = sites(count, patients);
        MaskedNetwork network = network(settings, sites, policy(leave));

        if (!refused.isEmpty()) {
            Throwable thrown = catchThrowable(network::run);
            assertThat(thrown).isNotNull();
            assertThat(thrown.getMessage() + network.refusals()).contains(refused);
            assertThat(ledger()).extracting(line -> line.fields().get("kind")).doesNotContain("random intercepts");
            return;
        }
        RandomIntercept found =
                network.run().get(0).inference().orElseThrow().random().orElseThrow();
        RandomIntercept expected = together(settings, sites, patients)
                .inference()
                .orElseThrow()
                .random()
                .orElseThrow();
        assertThat(network.refusals()).isEmpty();
        assertThat(found.clusters()).isEqualTo(patients == 0 ? count : (double) count * patients);
        assertThat(found.deviation()).isPositive().isCloseTo(expected.deviation(), within(1e-7));
        assertThat(found.residual()).isCloseTo(expected.residual(), within(1e-7));
        assertThat(found.criterion()).isCloseTo(expected.criterion(), within(1e-5));
        for (int k = 0; k < found.coefficients().length; k++) {
            assertThat(found.coefficients()[k]).isCloseTo(expected.coefficients()[k], within(1e-7));
        }
        List<LedgerLine> told = ledger().stream()
                .filter(line -> line.fields().get("kind").equals("random intercepts"))
                .toList();
        assertThat(told).hasSizeBetween(3, 30);
        assertThat(told).extracting(line -> line.tells().text()).containsOnly(patients == 0 ? "sites" : "hessian");
        long after = ledger().stream()
                .dropWhile(line -> !line.fields().get("kind").equals("information"))
                .mapToLong(line -> line.count("numbers"))
                .sum();
        assertThat((long) Disclosure.of(policy(leave), settings, sites.get(0), count, 0, 0, 0)
                        .numbersOfErrors())
                .isGreaterThanOrEqualTo(after);
    }

    /** One site that has a single patient, while the others have many, is not saved by their number. */
    @Test
    void aSiteOfOneClusterAmongOthersRefuses() throws IOException {
        List<Dataset> sites = List.of(rows(0, 60), rows(1, 60), rows(2, 1), rows(3, 60), rows(4, 60), rows(5, 60));
        MaskedNetwork network = network(settings(StandardErrors.CR1, Differences.NONE), sites, policy(true));

        assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
        assertThat(network.refusals())
                .containsOnly("this site's rules refuse a sum over 1 of its rows; at least 50 are"
                        + " required (policy: fewest-rows)");
    }

    /** Times from 1 to 100, some of events that were not seen; the last feature is a group. */
    private static Dataset times(int site, int early) {
        Random random = new Random(site + 70);
        int count = 900;
        double[] values = random.doubles((long) count * FEATURES, -1, 1).toArray();
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            values[i * FEATURES + 2] = i % 2;
            double time = i < early ? 5 : 20 + random.nextInt(80);
            labels[i] = random.nextInt(3) == 0 && i >= early ? -time : time;
        }
        return Dataset.dense(FEATURES, values, labels).withNames(NAMES);
    }

    /** 12 events before time 10 at a site, 6 in each group, are fewer than its rules ask for. */
    @ParameterizedTest
    @CsvSource({"'60 by c', false", "'60', false", "'10,60 by c', true", "'10,60', true"})
    void eventsAreCountedByIntervalUnlessTheyAreFew(String curves, boolean refused) throws IOException {
        Settings settings = Settings.of(Losses.named("cox"))
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.GAP, 1e-9)
                .with(Setting.CURVES, Curves.named(curves))
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL);
        List<Dataset> sites =
                IntStream.range(0, 3).mapToObj(site -> times(site, 12)).toList();
        MaskedNetwork network = network(settings, sites, policy(false));

        if (refused) {
            assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
            assertThat(network.refusals())
                    .anyMatch(why -> why.contains("a sum over " + (curves.contains("by") ? 6 : 12) + " of its rows"));
            assertThat(ledger()).extracting(line -> line.fields().get("kind")).doesNotContain("survival by interval");
            return;
        }
        double[] found = network.run().get(0).inference().orElseThrow().curves();
        assertThat(found)
                .containsExactly(
                        together(settings, sites).inference().orElseThrow().curves());
        assertThat(Arrays.stream(found).sum()).isEqualTo(2700);
        assertThat(ledger())
                .extracting(
                        line -> line.fields().get("kind") + " " + line.fields().get("tells"))
                .contains("survival by interval counts");
        assertThat(String.join(
                        "\n",
                        Disclosure.of(policy(false), settings, sites.get(0), 3, 0, 0, 0)
                                .words(policy(false))))
                .contains("how many rows have events in each interval");
    }
}
