package dev.starling.peer.sums;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.NodeProgram;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.Stored;
import dev.starling.support.WrappedProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole jobs of sites that hide their sums. */
@Timeout(60)
class HiddenSumsTest {

    private static final Settings SETTINGS =
            Settings.of(new Logistic()).with(Setting.LAMBDA, 1e-2).with(Setting.GAP, 1e-8);

    private static final Policy WITH_ESTIMATES =
            new Policy(3, false, true, 50, 0.5, 60, 300, 10, 1000, 4, 0.8, 10, 2, true, false, false);

    /** Where words begin in what goes up: after a mark, a heading and the seals of three sites. */
    private static final int WORDS = 1 + SumHistory.HEADING_LENGTH + 3 * Seals.LENGTH;

    @TempDir
    private Path folder;

    /** Row r of the pooled rows is at site r mod n, as the nodes of one process have them. */
    private static List<Dataset> dealt(Dataset all, int sites) {
        return IntStream.range(0, sites)
                .mapToObj(site -> all.picked(IntStream.iterate(site, row -> row < all.rows(), row -> row + sites)
                        .toArray()))
                .toList();
    }

    private LinearModel trained(Settings settings, Dataset rows, String topology, int sites, boolean masked)
            throws Exception {
        Network network = Topology.named(topology).build(sites, 1);
        Path own = folder.resolve(topology + sites + masked + settings.hashCode());
        List<LinearModel> models =
                new MaskedNetwork(settings, network, dealt(rows, sites), Policy.DEFAULT, masked, own).run();
        models.forEach(
                model -> assertThat(model.weightsHash()).isEqualTo(models.get(0).weightsHash()));
        return models.get(0);
    }

    @ParameterizedTest
    @CsvSource({"complete,3", "line,4", "ring,5", "star,6", "binary-tree,7"})
    void masksAndTreesChangeNoBitAndTheSimulatorGivesTheSame(String topology, int sites) throws Exception {
        Dataset rows = Generator.classification(1400, 6).seed(3).generate();
        String masked = trained(SETTINGS, rows, topology, sites, true).weightsHash();
        assertThat(trained(SETTINGS, rows, topology, sites, false).weightsHash())
                .isEqualTo(masked);
        assertThat(trained(SETTINGS, rows, "complete", sites, true).weightsHash())
                .isEqualTo(masked);
        LinearModel together =
                Trainer.of(SETTINGS).nodes(sites).topology(topology).fit(rows).model();
        assertThat(together.weightsHash()).isEqualTo(masked);
    }

    @Test
    void masksChangeNoBitOfThreeStandardisedClasses() throws Exception {
        Dataset two = Generator.classification(1200, 5).seed(4).generate();
        double[] labels = new double[1200];
        Arrays.setAll(labels, i -> i % 3 == 0 ? 2 : two.label(i) > 0 ? 1 : 0);
        Settings settings = SETTINGS.with(Setting.SCALING, dev.starling.settings.Scaling.STANDARDIZE)
                .with(Setting.BIAS, 1.0);
        String masked =
                trained(settings, two.withLabels(labels), "ring", 4, true).weightsHash();
        assertThat(trained(settings, two.withLabels(labels), "ring", 4, false).weightsHash())
                .isEqualTo(masked);
    }

    /** Everything that a neighbour gets, but for totals, is noise: no limb twice, none of the addends among them. */
    @Test
    void maskedSumsLookLikeNoise() throws Exception {
        List<double[]> heard = new ArrayList<>();
        Dataset rows = Generator.classification(600, 4).seed(3).generate();
        new MaskedNetwork(
                        SETTINGS, Topology.named("complete").build(3, 1), dealt(rows, 3), Policy.DEFAULT, true, folder)
                .deviating((site, program) -> site != 0 ? program : new Recorder(program, heard))
                .run();
        long words =
                heard.stream().filter(message -> message.length > WORDS + 32).count();
        assertThat(words).isGreaterThan(4);
        double[] limbs = heard.stream()
                .filter(message -> message.length > WORDS + 32)
                .flatMapToDouble(message -> Arrays.stream(message, WORDS, message.length))
                .toArray();
        assertThat(Arrays.stream(limbs).distinct().count()).isEqualTo(limbs.length);
        assertThat(Arrays.stream(limbs).average().orElse(0)).isBetween(0.45 * 0x1p48, 0.55 * 0x1p48);
    }

    /** Notes what comes to a site. */
    private static final class Recorder extends WrappedProgram<NodeProgram> {
        private final List<double[]> heard;

        Recorder(NodeProgram program, List<double[]> heard) {
            super(program);
            this.heard = heard;
        }

        @Override
        public void absorb(double[][] messages) {
            Arrays.stream(messages).forEach(message -> heard.add(message.clone()));
            super.absorb(messages);
        }
    }

    /** A root that tells its children other totals than it has itself, and may sign them. */
    private final class Liar extends WrappedProgram<NodeProgram> {
        private final MaskedNetwork[] network;
        private final boolean signs;
        private byte[] before = {};
        private byte[] now = {};
        private int sums;

        Liar(NodeProgram program, MaskedNetwork[] network, boolean signs) {
            super(program);
            this.network = network;
            this.signs = signs;
        }

        @Override
        public Exchange advance() {
            byte[] digest = ((MaskedSums) network[0].guard(0)).digest();
            if (!Arrays.equals(digest, now)) {
                before = now;
                now = digest;
                sums++;
            }
            Exchange exchange = super.advance();
            // The digest was first that of the session; the sixth sum is the first after planning.
            if (exchange.isRest() && sums == 7 && exchange.length() > WORDS) {
                sums++;
                double[] lie = Arrays.copyOf(exchange.payload(), exchange.length());
                lie[HiddenSum.HEAD] *= 1 + 1e-14;
                if (signs) {
                    lie = SignedLie.of(network[0].sessions().get(0), folder.resolve("ledger-0"), 6, before, lie, 3);
                }
                return exchange.set(Exchange.Kind.CONTROL, exchange.to(), lie, lie.length, exchange.from(), 0)
                        .frozen()
                        .atRest();
            }
            return exchange;
        }
    }

    @ParameterizedTest
    @CsvSource({"false, a total without the signature of site site-0", "true, has another history of sums"})
    void totalsAlteredByTheRootStopTheRun(boolean signs, String reason) throws Exception {
        Dataset rows = Generator.classification(900, 4).seed(3).generate();
        MaskedNetwork[] network = new MaskedNetwork[1];
        network[0] = new MaskedNetwork(
                        SETTINGS, Topology.named("line").build(3, 1), dealt(rows, 3), Policy.DEFAULT, true, folder)
                .deviating((site, program) -> site != 0 ? program : new Liar(program, network, signs));
        assertThatRefused(network[0]::run).hasMessageContaining(reason);
    }

    @Test
    void adfsNeedsTheConsentOfAll() throws Exception {
        Dataset rows = Generator.classification(600, 4).seed(3).generate();
        MaskedNetwork network = new MaskedNetwork(
                Settings.of(Losses.named("hinge")).with(Setting.METHOD, "adfs").with(Setting.LAMBDA, 1e-2),
                Topology.named("line").build(3, 1),
                dealt(rows, 3),
                Policy.DEFAULT,
                true,
                folder);
        assertThatThrownBy(network::run).hasMessageContaining("unless the files of all sites say 'estimates: accept'");
    }

    /** Sums are enough for losses with kinks; how many digits they give depends on the rows that kinks hold. */
    @ParameterizedTest
    @CsvSource({"hinge, 1e-2", "absolute, 1e-2"})
    void lossesWithKinksNeedNoConsent(String loss, double gap) throws Exception {
        Dataset rows = loss.equals("hinge")
                ? Generator.classification(6000, 4).noise(0.2).seed(3).generate()
                : Generator.regression(6000, 4).noise(0.2).seed(3).generate();
        MaskedNetwork network = new MaskedNetwork(
                Settings.of(Losses.named(loss)).with(Setting.LAMBDA, 1e-2).with(Setting.GAP, gap),
                Topology.named("line").build(3, 1),
                dealt(rows, 3),
                Policy.DEFAULT,
                true,
                folder);
        network.run();
        assertThat(network.jobs().get(0).result().certificate().relativeGap()).isLessThanOrEqualTo(gap);
    }

    /** With everybody's consent: estimates are as they are, but what certificates add up is under masks as well. */
    @ParameterizedTest
    @CsvSource({"logistic,adfs", "hinge,adfs"})
    void certificatesOfAdfsAreHiddenSums(String loss, String method) throws Exception {
        Settings settings = Settings.of(Losses.named(loss))
                .with(Setting.METHOD, method)
                .with(Setting.LAMBDA, 1e-2)
                .with(Setting.GAP, 1e-3);
        Dataset rows = Generator.classification(900, 4).seed(3).generate();
        Network network = Topology.named("star").build(3, 1);
        List<double[]> heard = new ArrayList<>();
        List<LinearModel> masked = new MaskedNetwork(
                        settings, network, dealt(rows, 3), WITH_ESTIMATES, true, folder.resolve("masked"))
                .deviating((site, program) -> site != 0 ? program : new Recorder(program, heard))
                .run();
        String hash = masked.get(0).weightsHash();
        assertThat(masked).allSatisfy(model -> assertThat(model.weightsHash()).isEqualTo(hash));
        assertThat(new MaskedNetwork(
                                settings, network, dealt(rows, 3), WITH_ESTIMATES, false, folder.resolve("unmasked"))
                        .run()
                        .get(1)
                        .weightsHash())
                .isEqualTo(hash);
        assertThat(Trainer.of(settings)
                        .nodes(3)
                        .topology("star")
                        .fit(rows)
                        .model()
                        .weightsHash())
                .isEqualTo(hash);

        List<String> kinds = SumLedger.read(folder.resolve("masked").resolve("ledger-1")).stream()
                .map(line -> line.fields().get("kind"))
                .toList();
        assertThat(kinds).contains("dual", "losses").doesNotContain("gradient");
        double[] limbs = heard.stream()
                .filter(message -> message.length > WORDS + 36)
                .flatMapToDouble(message -> Arrays.stream(message, WORDS, message.length))
                .toArray();
        assertThat(Arrays.stream(limbs).distinct().count()).isEqualTo(limbs.length);
    }

    @Test
    void aColumnOfOneSiteIsNamedAndRefused() throws Exception {
        Dataset rows = Generator.classification(600, 4).seed(3).generate();
        List<Dataset> sites = new ArrayList<>(dealt(rows, 3));
        for (int site : new int[] {0, 2}) {
            double[] values = Stored.values(sites.get(site));
            for (int k = 1; k < values.length; k += 4) {
                values[k] = 0;
            }
            sites.set(site, Dataset.dense(4, values, sites.get(site).labels()));
        }
        MaskedNetwork network =
                new MaskedNetwork(SETTINGS, Topology.named("line").build(3, 1), sites, Policy.DEFAULT, true, folder);
        assertThatThrownBy(network::run).hasMessageContaining("refuse column 2, which only 1 site has");
    }
}
