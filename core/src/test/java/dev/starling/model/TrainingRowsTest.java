package dev.starling.model;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.settings.LambdaPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingRowsTest {

    private static final Dataset ROWS =
            Dataset.of(new double[][] {{1, 10}, {2, 10}, {3, 40}, {6, 40}}, new double[] {-1, 1, -1, 1});

    @TempDir
    private Path folder;

    private LinearModel again(LinearModel model) {
        model.save(folder.resolve("m.json"));
        return LinearModel.load(folder.resolve("m.json"));
    }

    @Test
    void aModelKnowsHowManyRowsItWasTrainedOnAndHowItsFeaturesVary() {
        LinearModel model = again(Trainer.logistic()
                .intercept(true)
                .nodes(2)
                .lambdaPath(LambdaPath.values(0.1, 0.01))
                .fit(ROWS)
                .model());
        TrainingRows known = model.provenance().rows();
        assertThat(known.count()).isEqualTo(4);
        // The mean of 1, 2, 3, 6 is 3.
        assertThat(known.deviations().get(0)).isCloseTo(Math.sqrt((4 + 1 + 0 + 9) / 4.0), within(1e-15));
        assertThat(known.deviations().get(1)).isEqualTo(15);
        assertThat(model.path())
                .allSatisfy(one -> assertThat(one.provenance().rows()).isEqualTo(known));
    }

    @Test
    void deviationsThatTrainingDoesNotNeedAreUnknown() {
        LinearModel model = again(Trainer.logistic().intercept(false).fit(ROWS).model());
        assertThat(model.provenance().rows()).isEqualTo(new TrainingRows(4, List.of()));
    }

    @Test
    void aFileWithDeviationsForOtherFeaturesIsRefused() throws IOException {
        Path file = folder.resolve("m.json");
        Trainer.logistic().intercept(true).fit(ROWS).model().save(file);
        Files.writeString(file, Files.readString(file).replaceFirst("\"deviations\":\\[", "\"deviations\":[1,"));
        assertThatRefused(() -> LinearModel.load(file)).hasMessageContaining("3 deviations for 2 features");
    }
}
