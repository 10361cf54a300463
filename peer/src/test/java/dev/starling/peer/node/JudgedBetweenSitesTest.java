package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.evaluation.Area;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Measures;
import dev.starling.peer.config.SiteConfig;
import dev.starling.runtime.Simulator;
import dev.starling.settings.ClassWeighting;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sites that keep rows from training learn how good their model is on the rows of all, and train what one process does.
 */
class JudgedBetweenSitesTest {

    private static final List<String> TRAINING = List.of(
            "method: newton", "lambda: 1e-3", "gap: 1e-8", "tau: 30", "holdout: 0.25", "class-weights: balanced");

    @TempDir
    private Path directory;

    private static Dataset rows() {
        return Generator.classification(600, 8).noise(0.2).seed(5).generate();
    }

    @Test
    void trainsTheSimulatorsModelAndEvaluatesItBySumsAndCounts() throws Exception {
        Fit alone = Trainer.logistic()
                .method("newton")
                .lambda(1e-3)
                .gap(1e-8)
                .delay(30)
                .holdout(0.25)
                .classWeights(ClassWeighting.BALANCED)
                .nodes(3)
                .topology("ring")
                .runner(new Simulator())
                .fit(rows());
        Measures exact = alone.evaluation().orElseThrow();
        try (ProcessNetwork network =
                new ProcessNetwork(directory, "ring", 3, TRAINING).with(rows(), UnaryOperator.identity())) {
            for (PeerReport report : PeerTest.run(network)) {
                ClassMeasures measures =
                        (ClassMeasures) report.fit().evaluation().orElseThrow();
                Area area = measures.curves().get(0).area();
                assertThat(report.fit().model().hash()).isEqualTo(alone.model().hash());
                assertThat(measures.rows()).isEqualTo(exact.rows());
                assertThat(measures.accuracy()).isCloseTo(exact.values().get("accuracy"), within(1e-14));
                assertThat(measures.logLoss()).isCloseTo(exact.values().get("logLoss"), within(1e-12));
                assertThat(exact.values().get("auc")).isBetween(area.least(), area.most());
            }
        }
    }

    @Test
    void refusesBeforeTheRunAnEvaluationOnTooFewRows() throws Exception {
        try (ProcessNetwork network = new ProcessNetwork(directory, "ring", 3, TRAINING)
                .with(rows(), text -> text.replace("fewest-rows: 1\n", "fewest-rows: 70\n"))) {
            SiteConfig config = SiteConfig.read(network.yaml(0));
            assertThatRefused(() -> Site.load(config))
                    .hasMessageMatching(
                            "training.holdout 0.25 holds out \\d+ of this site's rows, but its rules"
                                    + " require at least 70 rows in every sum \\(policy: fewest-rows\\); hold out more, or none");
        }
    }
}
