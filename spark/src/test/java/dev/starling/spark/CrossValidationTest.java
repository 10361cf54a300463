package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.internal.JsonTree;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark's tasks choose the penalty that the simulator chooses. */
class CrossValidationTest {

    private static final List<List<Row>> PARTS = TestRows.cut(TestRows.random(300, 5, 2, false, 1), 2);

    private static StarlingClassifier classifier() {
        return new StarlingClassifier()
                .setTol(1e-8)
                .setFitIntercept(false)
                .setStandardization(false)
                .setCv("3")
                .setCvRule("1se")
                .setLambdaPath("1e-1,1e-2,1e-3");
    }

    /** Row r of the pooled rows is at node r mod 2, as the nodes of one process have them. */
    private static List<Row> pooled() {
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < PARTS.get(0).size(); r++) {
            rows.add(PARTS.get(0).get(r));
            rows.add(PARTS.get(1).get(r));
        }
        return rows;
    }

    @Test
    void theSimulatorsLambdaIsChosenWithTheSameBits(@TempDir Path folder) {
        StarlingClassificationModel model = classifier().fit(TestRows.frame(SharedSpark.session(), PARTS));
        Fit simulated = Trainer.logistic()
                .nodes(2)
                .gap(1e-8)
                .maxEpochs(1000)
                .delay(model.summary().delay())
                .lambdaPath(LambdaPath.values(1e-1, 1e-2, 1e-3))
                .crossValidation(Folds.of(3).rule(Folds.Rule.ONE_STANDARD_ERROR))
                .runner(new Simulator())
                .fit(TestRows.dataset(pooled(), false));

        assertThat(model.linearModel().weightsHash())
                .isEqualTo(simulated.model().weightsHash());
        assertThat(model.summary().crossValidation())
                .isEqualTo(JsonTree.text(simulated.validation().orElseThrow().toMap()));
        assertThat(model.linearModel().provenance().validation()).isEqualTo(simulated.validation());
        assertThat(model.linearModel().provenance().settings())
                .containsEntry(
                        "lambda", simulated.model().provenance().settings().get("lambda"));

        String saved = folder.resolve("model").toString();
        try {
            model.write().overwrite().save(saved);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        assertThat(StarlingClassificationModel.load(saved).summary()).isEqualTo(model.summary());
    }

    @Test
    void invalidSettingsAreRefusedBeforeAnythingStarts() {
        assertThatRefused(() -> classifier().setCv("1").fit(TestRows.frame(SharedSpark.session(), PARTS)))
                .hasMessage("cv 1 must be between 2 and 1000 folds");
    }
}
