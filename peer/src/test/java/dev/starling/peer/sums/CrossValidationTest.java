package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SettingTexts;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sites choose λ together without telling more than sums. */
@Timeout(60)
class CrossValidationTest {

    /** What sites that want to cross-validate must allow: many more sums than a single model takes. */
    private static final Policy GENEROUS =
            new Policy(3, false, false, 50, 100, 5000, 5000, 1000, 10_000, 4, 1, 10, 2, true, false, false);

    /** With kinks, sites that are careful about rows take other steps than one process does. */
    private static final Policy BOLD =
            new Policy(3, false, false, 0, 100, 5000, 5000, 1000, 10_000, 4, 2, 10, 2, true, false, false);

    @TempDir
    private Path folder;

    private final Dataset rows = Generator.classification(1600, 5).seed(3).generate();

    private static Settings settings(String loss, String cv) {
        return Settings.of(Losses.named(loss))
                .with(Setting.GAP, 1e-6)
                .withPath(LambdaPath.values(1e-1, 1e-2))
                .withFolds(SettingTexts.folds(cv));
    }

    private MaskedNetwork sites(Settings settings, int sites, Policy policy) throws Exception {
        List<Dataset> dealt = IntStream.range(0, sites)
                .mapToObj(site -> rows.picked(IntStream.iterate(site, row -> row < rows.rows(), row -> row + sites)
                        .toArray()))
                .toList();
        Network network = Topology.named("line").build(sites, 1);
        return new MaskedNetwork(settings, network, dealt, policy, true, folder);
    }

    @ParameterizedTest
    @CsvSource({"logistic, 3", "logistic, sites", "hinge, 2"})
    void sitesEndWithTheBitsOfOneProcess(String loss, String cv) throws Exception {
        Settings settings = settings(loss, cv);
        List<LinearModel> models =
                sites(settings, 4, loss.equals("hinge") ? BOLD : GENEROUS).run();
        Fit together = Trainer.of(settings).nodes(4).topology("line").fit(rows);

        for (LinearModel model : models) {
            assertThat(model.hash()).isEqualTo(together.model().hash());
            assertThat(model.provenance().validation()).isEqualTo(together.validation());
        }
    }

    @Test
    void aFoldThatIsTooSmallAtASiteIsRefusedBeforeAnythingIsSent() throws Exception {
        MaskedNetwork network = sites(settings("logistic", "20"), 4, GENEROUS);

        assertThatThrownBy(network::run)
                .hasMessageContaining(
                        "a fold has fewer rows here than the 50 that a sum must cover; use fewer folds than 20");
        assertThat(network.refusals()).isEmpty();
    }

    @Test
    void threeSitesAreTooFewToLeaveOneOut() throws Exception {
        assertThatThrownBy(sites(settings("logistic", "sites"), 3, GENEROUS)::run)
                .hasMessageContaining("cv sites with 3 nodes; without one of them there must be three left");
    }

    @Test
    void aSitesDefaultRulesRefuseManyModels() throws Exception {
        MaskedNetwork network =
                sites(settings("logistic", "3").withPath(LambdaPath.of(20)).withFolds(Folds.of(3)), 4, Policy.DEFAULT);

        assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
        assertThat(network.refusals()).isNotEmpty().allMatch(why -> why.startsWith("this site's rules refuse"));
    }

    @Test
    void moreModelsThanAllowedSumsAreRefusedBeforeAnythingIsSent() throws Exception {
        MaskedNetwork network =
                sites(settings("logistic", "3").withPath(LambdaPath.of(100)).withFolds(Folds.of(3)), 4, Policy.DEFAULT);

        assertThatThrownBy(network::run)
                .hasMessageContaining("400 models need at least one sum each, but the nodes' rules allow 300");
        assertThat(network.refusals()).isEmpty();
    }
}
