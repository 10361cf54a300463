package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.CrossValidation;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CvCommandTest {

    @TempDir
    private Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void generateRows() {
        data = folder.resolve("data.txt");
        model = folder.resolve("model.json");
        Cli.ok("generate", data, "--rows 300 --features 6 --noise 0.3");
    }

    private static CrossValidation validation(Path file) {
        return LinearModel.load(file).provenance().validation().orElseThrow();
    }

    @Test
    void choosingLambdaWritesATableAPictureAndAModel() throws IOException {
        Path picture = folder.resolve("cv.svg");
        Cli trained = Cli.run("train", data, "--cv 5 --lambda-path 1,1e-2,1e-4 --svg", picture, "--model", model, "-q");

        assertThat(trained.err()).isEmpty();
        assertThat(trained.code()).isZero();
        CrossValidation found = validation(model);
        assertThat(found.folds()).isEqualTo(5);
        assertThat(trained.out().lines().skip(2).limit(4).map(line -> line.split(" ")[0]))
                .containsExactly("lambda", "1.00000", "0.0100000", "0.000100000");
        assertThat(trained.out().lines().toList().get(3 + found.chosen())).endsWith("  chosen");
        assertThat(trained.out())
                .contains(String.format(
                        Locale.ROOT,
                        "lambda     %.6g  (the smallest mean of 5 folds by content)",
                        found.chosenLine().lambda()));
        assertThat(Files.readString(picture))
                .startsWith("<svg")
                .contains("5-fold cross-validation", "loss of held-out rows", "chosen: ");
        LinearModel chosen = LinearModel.load(model);
        assertThat(chosen.weights(0))
                .isEqualTo(chosen.path().get(found.chosen()).weights(0));
        assertThat(Cli.run("predict", model, data, "--json -q").out()).contains(chosen.hash());
        Cli.ok("verify", model, data);
    }

    @Test
    void thePictureShowsOneStandardErrorAndHowManyWeightsThereAre() throws IOException {
        Path picture = folder.resolve("cv.svg");
        Cli.ok("train", data, "--cv 5 --l1-ratios 0.9 --svg", picture, "--model", model);
        String svg = Files.readString(picture);
        assertThat(svg).contains("smallest + 1 s.e.", "logistic loss of held-out rows", ">weights</text>");
        LinearModel chosen = LinearModel.load(model);
        // From the largest lambda shown, on the right, to the left.
        int first = FlatEnds.between(validation(model)).nextSetBit(0);
        assertThat(svg).contains(">" + chosen.path().get(first).nonZeros() + "</text>");
    }

    @Test
    void flatEndsOfAPathAreNotListed() {
        Cli trained = Cli.run("train", data, "--cv 5 --model", model, "-q");
        CrossValidation found = validation(model);
        BitSet shown = FlatEnds.between(found);
        long listed = trained.out()
                        .lines()
                        .dropWhile(line -> !line.startsWith("lambda "))
                        .takeWhile(line -> !line.startsWith("and "))
                        .count()
                - 1;
        assertThat(listed).isEqualTo(shown.cardinality()).isLessThan(50);
        assertThat(trained.out())
                .contains("and " + (50 - listed) + " values at the ends")
                .contains("  chosen\n");
        assertThat(shown.get(found.best())).isTrue();
        double low = found.lines().get(found.best()).loss().mean();
        double high = found.lines().stream()
                .mapToDouble(line -> line.loss().mean())
                .max()
                .orElseThrow();
        int last = shown.length() - 1;
        for (int k = 0; k < 50; k++) {
            int end = k < shown.nextSetBit(0) ? 0 : 49;
            double change = found.lines().get(k).loss().mean()
                    - found.lines().get(end).loss().mean();
            assertThat(shown.get(k) || Math.abs(change) <= 0.05 * (high - low))
                    .as("line %d", k)
                    .isTrue();
        }
        assertThat(last).isGreaterThan(found.best());
    }

    @Test
    void aRemarkSaysIfTheBestLambdaIsAnEndOfThePath() {
        String strong = Cli.run("train", data, "--cv 5 --lambda-path 1e-3,1e-5 --model", model)
                .err();
        assertThat(strong).contains("the largest lambda of the path has the smallest loss");
        String weak = Cli.run("train", data, "--cv 5 --lambda-path 10,1 --model", model)
                .err();
        assertThat(weak)
                .contains("the smallest lambda of the path has the smallest loss")
                .doesNotContain("the largest");
        String inside = Cli.run("train", data, "--cv 5 --lambda-path 10,1e-2,1e-9 --model", model)
                .err();
        assertThat(inside).doesNotContain("of the path has the smallest loss");
    }

    @Test
    void jsonHasAllFiftyValuesThatWereTried() {
        Cli trained = Cli.ok("train", data, "--cv 3 --cv-rule 1se --json --model", model, "-q");
        CrossValidation found = validation(model);
        assertThat(found.lines()).hasSize(50);
        assertThat(found.chosen()).isLessThan(found.best());
        assertThat(trained.out()).contains("\"crossValidation\"", "\"rule\":\"1se\"", "\"chosen\":" + found.chosen());
    }

    @Test
    void trainingLikeAChosenModelChoosesTheSameLambda() {
        Path again = folder.resolve("again.json");
        Cli.run("train", data, "--cv 4 --lambda-path 6 --cv-rule 1se --model", model, "-q");
        Cli.run("train", data, "--like", model, "--model", again, "-q");

        assertThat(LinearModel.load(again).hash())
                .isEqualTo(LinearModel.load(model).hash());
        assertThat(validation(again)).isEqualTo(validation(model));
        Cli.run("train", data, "--like", model, "--lambda 0.1 --model", again, "-q");
        assertThat(LinearModel.load(again).provenance().validation()).isEmpty();
    }

    /** Visits of patients, whose outcome is the patient's own: other patients tell nothing about it. */
    private Path visits() throws IOException {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder("patient,visit,age,dose,outcome\n");
        for (int patient = 0; patient < 60; patient++) {
            int age = 20 + random.nextInt(60);
            String outcome = random.nextBoolean() ? "well" : "ill";
            for (int visit = 0; visit < 5; visit++) {
                text.append(String.format(
                        Locale.ROOT,
                        "p%d,%d-%d,%d,%.2f,%s%n",
                        patient,
                        patient,
                        visit,
                        age,
                        random.nextDouble(),
                        outcome));
            }
        }
        return Files.writeString(folder.resolve("visits.csv"), text);
    }

    @Test
    void groupsStayTogetherAndAreNotLearntFrom() throws IOException {
        Path file = visits();
        Cli trained = Cli.run(
                "train",
                file,
                "--label-column outcome --drop visit --cv 5 --cv-groups patient --lambda-path 1e-1,1e-2",
                "--model",
                model,
                "-q");

        assertThat(trained.err()).isEmpty();
        assertThat(trained.out()).contains("of 5 folds by patient)");
        LinearModel found = LinearModel.load(model);
        assertThat(found.names()).containsExactly("age", "dose");
        assertThat(found.provenance().settings()).containsEntry("cv-columns", "patient");
        Path again = folder.resolve("again.json");
        Cli.run("train", file, "--like", model, "--model", again, "-q");
        assertThat(validation(again)).isEqualTo(validation(model));
    }

    @Test
    void foldsMayFollowFromAnIdColumnAlone() throws IOException {
        Path file = visits();
        Cli.run(
                "train",
                file,
                "--label-column outcome --id-column visit --drop patient --cv 5 --lambda-path 1e-1,1e-2",
                "--model",
                model,
                "-q");

        assertThat(validation(model).by()).isEqualTo("visit");
        assertThat(LinearModel.load(model).names()).containsExactly("age", "dose");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--cv 1 | --cv 1 must be between 2 and 1000 folds",
                "--cv ten | --cv is 'ten'; it must be a number of folds such as 10, or sites",
                "--cv 301 | data.txt: 301 folds for 300 rows; use at most as many folds as rows",
                "--cv 5 --lambda 1 | --cv and --lambda both say how much to regularise; give one of them",
                "--cv 5 --c 1 | --cv and --c both say how much to regularise; give one of them",
                "--cv-rule 1se | --cv-rule 1se is for cross-validation; give cv too, for example 10",
                "--cv-groups town | --cv-groups town is for cross-validation; give --cv too",
                "--svg cv.svg | --svg cv.svg is a picture of cross-validation; give --cv too",
                "--cv 3 --method adfs | data.txt: cross-validation leaves out rows of nodes, which method adfs cannot"
                        + " do; use a method based on sums: newton, proximal-newton, multipliers"
            })
    void invalidSettingsAreRefused(String options, String message) {
        Object[] arguments = ("train " + data + " --model " + model + " -q " + options).split(" ");
        Cli refused = Cli.ended(2, arguments);
        assertThat(refused.err().strip()).endsWith(message.replace("data.txt", data.toString()));
        assertThat(model).doesNotExist();
    }

    @Test
    void aGroupColumnThatIsNotThereIsRefusedByName() throws IOException {
        Path file = visits();
        Cli refused =
                Cli.ended(2, "train", file, "--label-column outcome --cv 5 --cv-groups pateint --model", model, "-q");
        assertThat(refused.err()).contains("'pateint'").contains("patient");
    }
}
