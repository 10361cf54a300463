package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyCommandTest {

    @TempDir
    private Path folder;

    private Path people;
    private Path study;

    @BeforeEach
    void propose() throws IOException {
        StringBuilder text = new StringBuilder("age,town,note,y\n");
        for (int row = 0; row < 60; row++) {
            text.append(row % 7 == 0 ? "?" : String.valueOf(20 + row % 31))
                    .append(row == 5 ? ",Gap" : row % 2 == 0 ? ",Lyon" : ",Nice")
                    .append(",x")
                    .append(row % 3 == 0 ? ",yes\n" : ",no\n");
        }
        people = Files.writeString(folder.resolve("people.csv"), text.toString());
        study = folder.resolve("study.yaml");
    }

    private Cli proposed(Path out) {
        return Cli.run("study", "propose", people, "--drop note --missing age=median --lambda 0.01 -o", out);
    }

    @Test
    void proposesAStudyWithoutValuesOfFewRows() throws IOException {
        Cli result = proposed(study);
        assertThat(result.code()).isZero();
        assertThat(result.out()).startsWith(study + "  2 columns, study ");
        assertThat(result.err())
                .contains("column 'town': 1 level with fewer than 10 rows is left out; list it, or add")
                .contains("does not fit yet: column 'town' has levels that the study does not list: 1 that are not")
                .doesNotContain("Gap");
        assertThat(Files.readString(study))
                .contains("Lyon")
                .doesNotContain("Gap")
                .contains("lambda: ");
    }

    @Test
    void printsALineForEachDifferenceOfATable() throws IOException {
        proposed(study);
        Cli unfit = Cli.ended(2, "study", "check", study, people);
        assertThat(unfit.out().lines())
                .containsExactly(
                        "column 'town' has levels that the study does not list: 1 that are not named here",
                        "not used: note");
        assertThat(unfit.err()).contains("people.csv does not fit " + study + ": 1 difference");
        Files.writeString(people, Files.readString(people).replace("Gap", "Nice"));
        Cli fit = Cli.ok("study", "check", study, people);
        assertThat(fit.out()).containsPattern("people.csv fits the study [0-9a-f]{64}: 60 rows");
    }

    @Test
    void printsALineForEachDifferenceOfTwoStudies() throws IOException {
        proposed(study);
        Path other = Files.writeString(
                folder.resolve("other.yaml"),
                Files.readString(study).replace("'0.01'", "'0.02'").replace("lambda: 0.01", "lambda: 0.02"));
        Cli different = Cli.ended(2, "study", "diff", study, other);
        assertThat(different.out().lines()).containsExactly("lambda: 0.01 in " + study + ", 0.02 in " + other);
        assertThat(Cli.run("study", "diff", study, study).out()).startsWith("the same study, ");
    }

    @Test
    void writesAndReadsJson() {
        Path json = folder.resolve("study.json");
        proposed(study);
        proposed(json);
        Cli.ok("study", "diff", study, json);
    }

    @Test
    void trainsOnOneTableAsTheSitesOfAStudyWould() throws IOException {
        proposed(study);
        Files.writeString(people, Files.readString(people).replace("Gap", "Nice"));
        Path model = folder.resolve("model.json");
        Cli.ok("train", people, "--study", study, "--nodes 2 --model", model);
        LinearModel read = LinearModel.load(model);
        assertThat(read.names()).containsExactly("age", "town=Nice", "age=(missing)");
        assertThat(read.hasIntercept()).isTrue();
        assertThat(read.provenance().settings()).containsEntry("lambda", "0.01");
        Cli.ok("predict", model, people);
        Cli both = Cli.ended(2, "train", people, "--study", study, "--lambda 1");
        assertThat(both.err()).contains("--lambda and --study " + study + " are both given; change the study instead");
    }

    @Test
    void refusesFilesThatAreNotStudies() throws IOException {
        Path recipe = Files.writeString(folder.resolve("recipe.yaml"), "label: {column: y}\ncolumns: []\n");
        Cli.ended(2, "study", "check", recipe, people);
        Cli absent = Cli.ended(2, "study", "check", folder.resolve("none.yaml"), people);
        assertThat(absent.err()).contains("none.yaml does not exist; give a study that 'study propose' wrote");
        Cli.ended(2, "study");
    }

    @Test
    void splitsATableAndWritesSiteFilesThatFollowAStudy() throws IOException {
        proposed(study);
        Cli.ok("split", people, "--table --names a,b,c --dir", folder);
        assertThat(Files.readAllLines(folder.resolve("b.csv")))
                .hasSize(21)
                .startsWith("age,town,note,y", "21,Nice,x,no");
        Cli.ok("network", "new", "--sites a,b,c --study", study, "--dir", folder);
        assertThat(Files.readString(folder.resolve("a.yaml")))
                .contains("  file: a.csv\n  study: study.yaml\n")
                .doesNotContain("lambda:");
        Cli both = Cli.run("network", "new", "--sites a,b,c --study", study, "--loss logistic");
        assertThat(both.err()).contains("--loss and --study are both given; the study says it, so leave it out");
    }
}
