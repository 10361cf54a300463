package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Losses;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a site says before a run is compared with what its ledger has afterwards. */
class DisclosureTest {

    private static final int SITES = 3;

    @TempDir
    private Path folder;

    /**
     * Where other sites allow no curvatures, a run takes more sums than it would with them, and the statement of a site
     * that does allow them has to hold all the same.
     */
    @ParameterizedTest
    @CsvSource({
        "newton, logistic, 0, 10, 8",
        "newton, logistic, 0, 0, 8",
        "newton, logistic, 0, 10, 120",
        "newton, squared-hinge, 0, 10, 120",
        "newton, logistic, 0, 10, 1001",
        "proximal-newton, logistic, 1e-3, 10, 8",
        "proximal-newton, logistic, 1e-3, 0, 8",
        "multipliers, hinge, 0, 10, 8",
        "multipliers, hinge, 0, 0, 8",
        "multipliers, hinge, 1e-3, 10, 8",
    })
    void aRunDisclosesNoMoreThanStated(String method, String loss, double l1, int curvaturesOfOthers, int features)
            throws IOException {
        Settings settings = Settings.of(Losses.named(loss))
                .with(Setting.LAMBDA, 1e-6)
                .with(Setting.L1, l1)
                .with(Setting.METHOD, method)
                .with(Setting.GAP, 1e-9);
        List<Dataset> sites = sites(features);
        Disclosure said = Disclosure.of(Policy.DEFAULT, settings, sites.get(0), SITES, 0, 0, 0);
        MaskedNetwork network = new MaskedNetwork(
                settings,
                Topology.named("complete").build(SITES, 1),
                sites,
                withCurvatures(curvaturesOfOthers),
                true,
                folder);
        network.run();
        List<LedgerLine> training = SumLedger.read(folder.resolve("ledger-0")).stream()
                .filter(line -> List.of("gradient", "diagonal", "hessian", "proof", "line")
                        .contains(line.fields().get("kind")))
                .toList();
        List<LedgerLine> curved = training.stream()
                .filter(line ->
                        List.of("diagonal", "hessian").contains(line.fields().get("kind")))
                .toList();
        boolean hasHessians =
                curved.stream().anyMatch(line -> "hessian".equals(line.fields().get("kind")));
        assertThat(training).hasSizeGreaterThan(3);
        assertThat(training.size()).isLessThanOrEqualTo((int) (hasHessians ? said.sumsWithHessians() : said.sums()));
        assertThat(curved.size()).isLessThanOrEqualTo((int) said.curvatures());
        assertThat(curved.isEmpty() || hasHessians || said.diagonals()).isTrue();
        assertThat(training)
                .allMatch(line -> line.count("numbers")
                        <= ("hessian".equals(line.fields().get("kind"))
                                ? said.hessianNumbers()
                                : said.gradientNumbers()));
        assertThat(training.stream().mapToLong(line -> line.count("numbers")).sum())
                .isLessThanOrEqualTo(said.numbers());
    }

    private static Policy withCurvatures(int most) {
        Policy usual = Policy.DEFAULT;
        return new Policy(
                usual.fewestSites(),
                usual.twoSites(),
                usual.estimates(),
                usual.fewestRows(),
                usual.releasedPart(),
                usual.mostPasses(),
                usual.mostGradients(),
                most,
                usual.mostPassesEver(),
                usual.farthest(),
                usual.leverage(),
                usual.fewestPerColumn(),
                usual.independent(),
                usual.masks(),
                usual.siteEstimates(),
                usual.audit());
    }

    private static List<Dataset> sites(int features) {
        Dataset all = Generator.classification(SITES * 600, features)
                .conditioning(1e4)
                .generate();
        return IntStream.range(0, SITES)
                .mapToObj(site ->
                        all.picked(IntStream.range(600 * site, 600 * (site + 1)).toArray()))
                .toList();
    }
}
