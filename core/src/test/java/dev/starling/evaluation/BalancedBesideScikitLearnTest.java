package dev.starling.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.settings.ClassWeighting;
import dev.starling.support.ScikitLearn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of balanced classes beside scikit-learn's. */
@Tag("thorough")
class BalancedBesideScikitLearnTest {

    private static final int ROWS = 300;
    private static final double C = 0.5;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void coefficientsAreThoseOfScikitLearn(int classes) throws IOException, InterruptedException {
        Random random = new Random(classes);
        double[][] values = new double[ROWS][3];
        double[] labels = new double[ROWS];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            // A tenth of the rows in the last class.
            labels[i] = i % 10 == 0 ? classes - 1 : i % (classes - 1);
            double label = labels[i];
            Arrays.setAll(values[i], j -> (float) (random.nextGaussian() + (j == label ? 1 : 0)));
            text.append(label);
            for (double value : values[i]) {
                text.append(' ').append(value);
            }
            text.append('\n');
        }
        Path source = Files.writeString(folder.resolve("rows.txt"), text);
        LinearModel model = Trainer.logistic()
                .oneVersusRest(classes > 2)
                .lambda(1 / (C * ROWS))
                .intercept(true)
                .gap(1e-13)
                .classWeights(ClassWeighting.BALANCED)
                .fit(Dataset.of(values, labels))
                .model();
        List<String> expected = ScikitLearn.run(getClass(), "balanced.py", folder, source);
        assertThat(expected).hasSize(model.scores());
        for (int k = 0; k < model.scores(); k++) {
            double[] coefficients = Arrays.stream(expected.get(k).split(" "))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            double[] found = Arrays.copyOf(model.weights(k), coefficients.length);
            found[coefficients.length - 1] = model.intercept(k);
            assertThat(found).containsExactly(coefficients, within(1e-6));
        }
    }
}
