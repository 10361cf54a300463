package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictCommandTest {

    @TempDir
    private Path folder;

    /** Scores are the first feature itself, positive for label 7. */
    private Path identity(String solver) {
        return Cli.file(
                folder,
                "m.model",
                "solver_type " + solver,
                "nr_class 2",
                "label 7 3",
                "nr_feature 1",
                "bias -1",
                "w",
                "1");
    }

    @Test
    void labelsArePrintedAsTheyWereGiven() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:-1", "7 1:-3");
        assertThat(Cli.run("predict", identity("L2R_LR"), rows).out()).isEqualTo("7\n3\n3\n");
    }

    @Test
    void unknownFeaturesAreIgnoredWithANote() {
        Path known = Cli.file(folder, "known.txt", "7 1:2", "3 1:-1", "7");
        for (String extra : new String[] {"7 1:2 2:-9 5:1;3 1:-1;7 4:8", "7,2,5;3,-1,6;7,0,7"}) {
            Path rows = Cli.file(folder, "rows.txt", extra.split(";"));
            Cli result = Cli.run("predict", identity("L2R_LR"), rows);
            assertThat(result.out())
                    .isEqualTo(Cli.run("predict", identity("L2R_LR"), known).out());
            assertThat(result.err())
                    .startsWith(rows + " has " + (extra.contains(",") ? 2 : 5)
                            + " features, the model 1; the others are ignored\n");
        }
    }

    @Test
    void accuracyAndAucAreThoseCountedByHand() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:-1", "7 1:-3", "3 1:2", "3 1:-4");
        Cli result = Cli.run("predict", identity("L2R_LR"), rows, "--json");
        assertThat(result.number("accuracy")).isEqualTo(3.0 / 5);
        // Pairs (7, 3): 2 > -1, 2 = 2, 2 > -4, -3 < -1, -3 < 2, -3 > -4.
        assertThat(result.number("auc")).isCloseTo(3.5 / 6, within(1e-15));
    }

    @Test
    void probabilitiesArePrintedAfterTheLabel() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2");
        String[] lines = Cli.run("predict", identity("L2R_LR"), rows, "--probabilities")
                .out()
                .split("\n", -1);
        assertThat(lines[0]).isEqualTo("labels 3 7");
        String[] words = lines[1].split(" ", -1);
        assertThat(words[0]).isEqualTo("7");
        assertThat(Double.parseDouble(words[2])).isCloseTo(1 / (1 + Math.exp(-2)), within(1e-15));
        assertThat(Double.parseDouble(words[1])).isCloseTo(1 / (1 + Math.exp(2)), within(1e-15));
    }

    @Test
    void probabilitiesNeedALogisticModel() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2");
        Cli result = Cli.ended(2, "predict", identity("L2R_L2LOSS_SVC"), rows, "--probabilities");
        assertThat(result.err())
                .isEqualTo("starling: a model trained with the squared-hinge loss gives no probabilities; train with"
                        + " the logistic loss for them\n");
    }

    @Test
    void errorsOfNumbersAreThoseComputedByHand() {
        Path model = Cli.file(
                folder,
                "m.model",
                "solver_type L2R_L2LOSS_SVR",
                "nr_class 2",
                "nr_feature 1",
                "bias 2",
                "w",
                "1",
                "0.25");
        Path rows = Cli.file(folder, "rows.txt", "1 1:1", "2 1:1", "6 1:2");
        // Predictions 1.5, 1.5, 2.5; errors 0.5, -0.5, -3.5; the mean label is 3.
        Cli result = Cli.run("predict", model, rows, "--json");
        assertThat(result.number("rmse")).isCloseTo(Math.sqrt(12.75 / 3), within(1e-14));
        assertThat(result.number("mae")).isCloseTo(4.5 / 3, within(1e-14));
        assertThat(result.number("r2")).isCloseTo(1 - 12.75 / 14, within(1e-14));
        assertThat(Cli.run("predict", model, rows).out()).isEqualTo("1.5\n1.5\n2.5\n");
    }

    @Test
    void unknownLabelsGiveNoMetrics() {
        Path rows = Cli.file(folder, "rows.txt", "0 1:2", "0 1:-1");
        Cli result = Cli.run("predict", identity("L2R_LR"), rows);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("7\n3\n");
    }

    @Test
    void predictionsAreWrittenToAFileOnRequest() throws IOException {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:-1");
        Path output = folder.resolve("out.txt");
        Cli result = Cli.run("predict", identity("L2R_LR"), rows, "--output", output);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isEqualTo("accuracy  1.00000\nauc       1.00000\n");
        assertThat(Files.readString(output)).isEqualTo("7\n3\n");
    }
}
