package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.model.LinearModel;
import dev.starling.support.PseudoHuber;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A loss that Starling does not know, from training to the model file and back. */
class OwnLossTest {

    @Test
    void aCustomLossIsTrainedToItsGapAndNamedInTheFile(@TempDir Path folder) {
        Dataset rows = Generator.regression(200, 5).generate();
        Fit fit = Trainer.of(new PseudoHuber()).lambda(1e-2).nodes(2).fit(rows);
        assertThat(fit.isCertified()).isTrue();
        Path file = folder.resolve("model.json");
        fit.model().save(file);
        LinearModel read = LinearModel.load(file);
        assertThat(read.loss()).isEqualTo("pseudo-huber");
        assertThat(read.provenance().settings()).containsEntry("loss", "pseudo-huber");
        assertThat(read.hash()).isEqualTo(fit.model().hash());
        assertThat(read.predict(rows, 3)).isEqualTo(fit.model().predict(rows, 3));
    }

    @Test
    void theModelHasTheFeatureNamesOfTheRows() {
        Dataset rows = Dataset.builder(2)
                .names("age", "income")
                .row(1, 3, 1)
                .row(2, 1, 3)
                .build();
        Trainer trainer = Trainer.of(new PseudoHuber()).lambda(1e-2).nodes(1).bias(1);
        assertThat(trainer.fit(rows).model().names()).containsExactly("age", "income");
        assertThat(trainer.standardize(true).fit(rows).model().names()).containsExactly("age", "income");
    }
}
