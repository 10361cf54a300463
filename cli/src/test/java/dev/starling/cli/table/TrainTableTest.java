package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainTableTest {

    @TempDir
    private Path folder;

    private Path people;

    @BeforeEach
    void makeATable() {
        people = folder.resolve("people.csv");
        Cli.ok("generate", people, "--table --rows 300");
    }

    private Cli train(Path file, String model, Object... options) {
        Object[] first = {"train", file, "--model", folder.resolve(model), "--runtime", "simulator", "--nodes", 2};
        return Cli.run(
                Stream.concat(Arrays.stream(first), Arrays.stream(options)).toArray());
    }

    private LinearModel trained(Path file, String model, Object... options) {
        Cli result = train(file, model, options);
        assertThat(result.code()).as(result.err()).isZero();
        return LinearModel.load(folder.resolve(model));
    }

    private LinearModel census(String model, Object... options) {
        Object[] usual = {"--label-column", "income", "--missing", "most-frequent"};
        return trained(
                people,
                model,
                Stream.concat(Arrays.stream(usual), Arrays.stream(options)).toArray());
    }

    @Test
    void tablesWithNamedColumnsAreTrainedWithAnIntercept() throws IOException {
        assertThat(census("with.json").hasIntercept()).isTrue();
        assertThat(census("without.json", "--no-intercept").hasIntercept()).isFalse();
        Path numbers = Files.writeString(folder.resolve("n.csv"), "y,a\n1,2\n0,5\n1,4\n");
        assertThat(trained(numbers, "n.json").hasIntercept()).isTrue();
        Path nameless = Files.writeString(folder.resolve("m.csv"), "1,2\n0,5\n1,4\n");
        assertThat(trained(nameless, "m.json").hasIntercept()).isFalse();
        Path rows = Files.writeString(folder.resolve("rows.txt"), "1 1:2\n0 1:5\n1 1:4\n");
        assertThat(trained(rows, "l.json").hasIntercept()).isFalse();
    }

    /** With kinks in the loss, with an l1 term, and on a path of them. */
    @ParameterizedTest
    @ValueSource(strings = {"--loss hinge", "--l1 0.01", "--lambda-path 1e-1,1e-2 --l1-ratios 0.5"})
    void lossesWithKinksMayHaveAnIntercept(String options) {
        LinearModel model = census("kinks.json", (Object[]) (options + " --gap 1e-3").split(" "));
        assertThat(model.hasIntercept()).isTrue();
        assertThat(model.provenance().certified()).isTrue();
    }

    @Test
    void aMethodWithoutFreeInterceptsSaysSo() {
        Cli result = train(
                people,
                "h.json",
                "--method adfs --label-column income --missing drop --loss hinge --l1 0.1 --lambda 0.1",
                "--gap 0.01");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err()).contains("the model has no intercept: ").contains("--bias 1");
        assertThat(result.err()).containsPattern("[0-9]+ rows with missing values are left out");
    }

    @Test
    void classesAreWeightedByTheirNames() {
        LinearModel plain = census("plain.json");
        LinearModel weighted = census("weighted.json", "--class-weight >50K=3");
        assertThat(weighted.intercept(0)).isNotCloseTo(plain.intercept(0), within(0.01));
        assertThat(train(people, "x.json", "--label-column income --missing drop --class-weight rich=3")
                        .err())
                .contains("unknown class 'rich'; there are: <=50K, >50K");
    }

    @Test
    void trainingLikeAModelGivesTheSameModel() {
        LinearModel first = census("first.json", "--standardize --class-weight >50K=3");
        LinearModel again = trained(people, "again.json", "--like", folder.resolve("first.json"));
        assertThat(again.hash()).isEqualTo(first.hash());
        Cli.ok("verify", folder.resolve("first.json"), people);
    }

    @Test
    void textMayFirstAppearLateInAFile() throws IOException {
        StringBuilder text = new StringBuilder("y,a\n");
        for (int i = 0; i < 500; i++) {
            text.append(i % 2).append(',').append(i % 7).append('\n');
        }
        Path late = Files.writeString(folder.resolve("late.csv"), text + "1,NA\n");
        assertThat(train(late, "late.json").err()).contains("late.csv has missing values in 'a' (1)");
        assertThat(trained(late, "late.json", "--missing mean").names()).containsExactly("a", "a=(missing)");
    }

    @Test
    void aTableMayComeFromStandardInput() throws IOException {
        Path model = folder.resolve("piped.json");
        Cli result = Cli.piped(
                Files.readString(people),
                "train",
                "-",
                "--label-column income --missing most-frequent --nodes 2 --model",
                model);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(LinearModel.load(model).hash()).isEqualTo(census("file.json").hash());
    }

    @Test
    void aRowOfWeightTwoCountsLikeTwoRows() throws IOException {
        Path weighted = Files.writeString(folder.resolve("w.csv"), "y,g,w\nno,a,2\nyes,b,1\nyes,a,1\nno,b,1\n");
        Path repeated = Files.writeString(folder.resolve("r.csv"), "y,g\nno,a\nno,a\nyes,b\nyes,a\nno,b\n");
        LinearModel one = trained(weighted, "w.json", "--weights-column w --gap 1e-12");
        LinearModel two = trained(repeated, "r.json", "--gap 1e-12");
        assertThat(one.weights(0)[0]).isCloseTo(two.weights(0)[0], within(1e-5));
        assertThat(one.intercept(0)).isCloseTo(two.intercept(0), within(1e-5));
    }
}
