package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathCommandTest {

    @TempDir
    private Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void generateRows() {
        data = folder.resolve("data.txt");
        model = folder.resolve("path.json");
        Cli.ok("generate", data, "--rows 300 --features 6");
    }

    @Test
    void aPathIsPrintedAsATableAndSavedForAChoiceOfModels() {
        Cli trained = Cli.ok("train", data, "--lambda-path 1e-3,1e-1,1e-2 --l1-ratios 0.5 --model", model, "-q");
        assertThat(trained.out().lines().skip(2).limit(4).map(line -> line.split(" ")[0]))
                .containsExactly("lambda", "0.100000", "0.0100000", "0.00100000");
        LinearModel path = LinearModel.load(model);
        assertThat(path.path()).hasSize(3);
        assertThat(path.weights(0)).isEqualTo(path.path().get(2).weights(0));

        Cli middle = Cli.run("predict", model, data, "--lambda 1e-2 --json -q");
        assertThat(middle.out())
                .contains(path.at(1e-2, OptionalDouble.empty()).hash())
                .doesNotContain(path.hash());
        assertThat(Cli.run("predict", model, data, "--json -q").out()).contains(path.hash());
    }

    @Test
    void trainingLikeAPathGivesTheSameHash() {
        Path again = folder.resolve("again.json");
        Cli.run("train", data, "--lambda-path 4 --l1-ratios 0.9 --model", model, "-q");
        Cli.run("train", data, "--like", model, "--model", again, "-q");
        assertThat(LinearModel.load(again).hash())
                .isEqualTo(LinearModel.load(model).hash());
    }

    @Test
    void modelsOfALassoPathAreChosenByL1() {
        Cli trained = Cli.ok("train", data, "--lambda-path 1e-3,1e-1,1e-2 --l1-ratios 1 --model", model, "-q");
        assertThat(trained.out().lines().skip(3).limit(3).map(line -> line.split(" +")[0] + " " + line.split(" +")[1]))
                .containsExactly("0.00000 0.100000", "0.00000 0.0100000", "0.00000 0.00100000");
        LinearModel path = LinearModel.load(model);
        String middle = path.at(0, OptionalDouble.of(1e-2)).hash();
        assertThat(Cli.run("predict", model, data, "--l1 1e-2 --json -q").out()).contains(middle);
        assertThat(Cli.run("predict", model, data, "--lambda 0 --l1 1e-2 --json -q")
                        .out())
                .contains(middle);
        Cli open = Cli.ended(2, "predict", model, data, "--lambda 0");
        assertThat(open.err()).endsWith("the path has several models for lambda 0.0; there are l1 0.001, 0.01, 0.1\n");
        assertThat(Cli.run("verify", model, data).out()).endsWith("path: the certificates of all 3 values hold\n");
        Path again = folder.resolve("again.json");
        Cli.run("train", data, "--like", model, "--model", again, "-q");
        assertThat(LinearModel.load(again).hash()).isEqualTo(path.hash());
    }

    @Test
    void aLassoIsChosenByCrossValidation() {
        Cli trained = Cli.ok("train", data, "--cv 3 --l1-ratios 1 --model", model, "-q");
        LinearModel chosen = LinearModel.load(model);
        assertThat(trained.out()).contains("lambda     0.00000, l1 ");
        assertThat(chosen.provenance().settings()).containsEntry("lambda", "0.0");
        assertThat(Cli.run("verify", model, data).out()).endsWith("path: the certificates of all 50 values hold\n");
    }

    @Test
    void aLambdaThatIsNotOnThePathIsRefusedWithThoseThatAre() {
        Cli.run("train", data, "--lambda-path 1e-1,1e-2 --model", model, "-q");
        Cli refused = Cli.ended(2, "predict", model, data, "--lambda 0.5");
        assertThat(refused.err()).endsWith("the path has no model for lambda 0.5; there are lambda 0.01, 0.1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--lambda-path 5 --lambda 1 | --lambda-path 5 and --lambda both say how much to regularise; give one of them",
                "--lambda-path 0 | --lambda-path 0 must be between 2 and 1000 values, or a list of them such as 1e-2,1e-3,1e-4",
                "--lambda-path 1001 | --lambda-path 1001 must be between 2 and 1000 values, or a list of them such as 1e-2,1e-3,1e-4",
                "--lambda-path 1e-2,-1 | --lambda-path has -1.0; every lambda must be from 1e-60 to 1e45, for example 1e-4",
                "--l1-ratios 0.5 | --l1-ratios 0.5 are for a path of lambdas; give --lambda-path too, or for one problem --l1 instead",
            })
    void invalidPathsAreRefused(String options, String message) {
        Object[] arguments = ("train " + data + " --model " + model + " " + options).split(" ");
        Cli refused = Cli.ended(2, arguments);
        assertThat(refused.err()).isEqualTo("starling: " + message + "\n");
        assertThat(model).doesNotExist();
    }
}
