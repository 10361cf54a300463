package dev.starling.cli.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluateCommandTest {

    @TempDir
    private Path folder;

    private Path identity;

    /** Scores are the first feature itself, positive for label 7. */
    @BeforeEach
    void writeModel() {
        identity = Cli.file(
                folder,
                "m.model",
                "solver_type L2R_LR",
                "nr_class 2",
                "label 7 3",
                "nr_feature 1",
                "bias -1",
                "w",
                "1");
    }

    private Path people() {
        String[] lines = new String[41];
        lines[0] = "age,town,weight,income";
        for (int i = 1; i < lines.length; i++) {
            boolean rich = i * 7 % 11 + (i % 2) * 3 > 6;
            lines[i] = (20 + i * 7 % 11) + "," + (i % 2 == 0 ? "Lyon" : "Nice") + "," + (1 + i % 3) + ","
                    + (rich ? ">50K" : "<=50K");
        }
        return Cli.file(folder, "people.csv", lines);
    }

    @Test
    void printsTheMeasuresCountedByHand() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:-1", "7 1:-3", "3 1:2", "3 1:-4");
        Cli result = Cli.ok("evaluate", identity, rows, "--json");
        assertThat(result.number("accuracy")).isEqualTo(3.0 / 5);
        assertThat(result.number("auc")).isCloseTo(3.5 / 6, within(1e-15));
        assertThat(result.out()).contains("\"confusion\":[[2.0,1.0],[1.0,1.0]]");
        Cli text = Cli.run("evaluate", identity, rows);
        assertThat(text.out())
                .containsPattern("rows +5\n")
                .containsPattern("auc +0.583333 +\\(95% interval 0.* to 1.00000\\)\n")
                .containsPattern("class +rows +precision +recall +f1\n3 +3 +0.666667 +0.666667 +0.666667\n7 +2")
                .containsPattern("actual . predicted +3 +7\n3 +2 +1\n7 +1 +1\n");
    }

    @Test
    void tablesAreReadByTheModelsRecipe() throws IOException {
        Path model = folder.resolve("m.json");
        Cli.ok("train", people(), "--label-column income --weights-column weight --model", model);
        String[] swapped = Files.readString(people()).split("\n");
        for (int i = 0; i < swapped.length; i++) {
            String[] cells = swapped[i].split(",");
            swapped[i] = String.join(",", cells[3], cells[2], cells[0], cells[1]);
        }
        Cli first = Cli.run("evaluate", model, people(), "--json");
        Cli second = Cli.run("evaluate", model, Cli.file(folder, "swapped.csv", swapped), "--json");
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.number("weight")).isEqualTo(80);
        assertThat(first.number("rows")).isEqualTo(40);
        assertThat(second.out().replace("swapped.csv", "people.csv")).isEqualTo(first.out());
        assertThat(Cli.run("evaluate", model, people()).out()).containsPattern("\n<=50K +\\d+ .*\n>50K +\\d+ ");
    }

    @Test
    void aLabelThatTheModelDoesNotKnowIsRefusedByName() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "5 1:-1");
        Cli result = Cli.ended(2, "evaluate", identity, rows);
        assertThat(result.err())
                .isEqualTo("starling: " + rows + ": row 2: label 5 is not one of the model's classes 3, 7\n");
        Path model = folder.resolve("m.json");
        Cli.run("train", people(), "--label-column income --model", model);
        Path other = Cli.file(folder, "other.csv", "age,town,weight,income", "30,Lyon,1,rich");
        Cli table = Cli.ended(2, "evaluate", model, other);
        assertThat(table.err()).contains("'rich', which is not one of the classes <=50K, >50K");
    }

    @Test
    void rowsWithoutLabelsAreRefusedWithARemedy() {
        Path model = folder.resolve("m.json");
        Cli.run("train", people(), "--label-column income --model", model);
        Path bare = Cli.file(folder, "bare.csv", "age,town,weight", "30,Lyon,1");
        Cli result = Cli.ended(2, "evaluate", model, bare);
        assertThat(result.err())
                .isEqualTo("starling: " + bare + " has no labels, which the model was trained to find in column"
                        + " 'income'; add them, or use 'starling predict', which needs none\n");
    }

    @Test
    void aSingleClassHasNoAreaUnderTheCurve() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "7 1:-1");
        Cli result = Cli.ok("evaluate", identity, rows);
        assertThat(result.out()).containsPattern("auc +undefined: all rows are of class 7\n");
        assertThat(Cli.run("evaluate", identity, rows, "--json").value("auc")).isEqualTo("null");
    }

    @Test
    void severalFilesAreEvaluatedEachAndTogether() {
        Path a = Cli.file(folder, "a.txt", "7 1:2", "3 1:-1");
        Path b = Cli.file(folder, "b.txt", "7 1:-3", "3 1:2", "3 1:-4");
        Path all = Cli.file(folder, "all.txt", "7 1:2", "3 1:-1", "7 1:-3", "3 1:2", "3 1:-4");
        Cli both = Cli.run("evaluate", identity, a, b, "--json");
        assertThat(both.number("auc"))
                .isEqualTo(Cli.run("evaluate", identity, all, "--json").number("auc"));
        assertThat(both.out()).contains("{\"data\":\"" + a + "\",\"rows\":2,\"weight\":2.0,\"accuracy\":1.0");
        assertThat(Cli.run("evaluate", identity, a, b).out())
                .containsPattern("\nfile +rows +accuracy .*\n.*a.txt +2 +1.000 .*\n.*b.txt +3 +0.3333 ");
    }

    @Test
    void regressionsHaveTheirOwnMeasures() {
        Path model = folder.resolve("m.json");
        Path rows = Cli.file(folder, "rows.csv", "x,y", "1,1.5", "2,3", "3,4", "4,6.5", "5,7");
        Cli.ok("train", rows, "--loss quantile(0.8) --lambda 1e-3 --model", model);
        Cli result = Cli.run("evaluate", model, rows);
        assertThat(result.out())
                .containsPattern("rmse +\\d")
                .containsPattern("loss +\\d.*\\(quantile\\(0.8\\)\\)")
                .doesNotContain("deviance")
                .doesNotContain("confusion");
        Cli same = Cli.run("evaluate", model, Cli.file(folder, "same.csv", "x,y", "1,2", "3,2"));
        assertThat(same.out()).containsPattern("R2 +undefined: all labels are the same\n");
    }

    @Test
    void weightsFromAFileAreUsed() {
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:1");
        Path weights = Cli.file(folder, "weights.txt", "3", "1");
        Cli result = Cli.run("evaluate", identity, rows, "--weights", weights, "--json");
        assertThat(result.number("accuracy")).isEqualTo(0.75);
        assertThat(Cli.run("evaluate", identity, rows, rows, "--weights", weights)
                        .err())
                .contains("--weights " + weights + " belongs to one file, but there are 2");
    }

    /** The slider starts at the last of its points above the threshold. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--threshold 0.3"})
    void thePageBeginsAtTheThresholdOfTheMeasures(String threshold) throws IOException {
        Path rows = folder.resolve("many.txt");
        Path model = folder.resolve("many.json");
        Path page = folder.resolve("page.html");
        Cli.run("generate", rows, "--rows 3000");
        Cli.ok("train", rows, "--model", model);
        Cli judged = Cli.run("evaluate", model, rows, ("--json " + threshold).strip(), "--page", page);
        Matcher points = Pattern.compile("\\[([\\d.E-]+),([\\d.E-]+),[\\d.E-]+,([\\d.E-]+)]")
                .matcher(Files.readString(page));
        double limit = threshold.isEmpty() ? 0.5 : 0.3;
        double share = 0;
        while (points.find() && Double.parseDouble(points.group(3)) > limit) {
            share = Double.parseDouble(points.group(2));
        }
        Matcher recall =
                Pattern.compile("\"label\":\"1\",.*?\"recall\":([\\d.E-]+)").matcher(judged.out());
        assertThat(recall.find()).as(judged.out()).isTrue();
        assertThat(share).isCloseTo(Double.parseDouble(recall.group(1)), within(1e-6));
    }

    @Test
    void thePageIsSelfContained() throws IOException {
        Path page = folder.resolve("page.html");
        Path rows = Cli.file(folder, "rows.txt", "7 1:2", "3 1:-1", "7 1:-3", "3 1:2", "3 1:-4");
        Cli.ok("evaluate", identity, rows, "--page", page);
        assertThat(Files.readString(page))
                .contains(
                        "\"points\":[[0",
                        "\"histogram\":{\"low\"",
                        "\"about\":{\"question\":\"logistic regression: 7 against 3\"")
                .doesNotContain("src=", "@DATA@");
        Cli.ended(2, "evaluate", identity, rows, "--page", rows);
    }
}
