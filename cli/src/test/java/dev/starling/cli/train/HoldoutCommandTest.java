package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldoutCommandTest {

    @TempDir
    private Path folder;

    private Path people;
    private Path model;

    @BeforeEach
    void makePeople() {
        people = folder.resolve("people.csv");
        model = folder.resolve("m.json");
        assertThat(Cli.run("generate", people, "--table", "--rows", 400).code()).isZero();
    }

    private Cli train(Object... more) {
        Object[] first = {"train", people, "--label-column", "income", "--missing", "drop", "--model", model, "-q"};
        Object[] all = new Object[first.length + more.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return Cli.run(all);
    }

    @Test
    void rowsKeptFromTrainingJudgeTheModelAndTrainingLikeItKeepsTheSame() {
        Cli text = train("--holdout", 0.25);
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out())
                .containsPattern("held out +\\d+ rows\naccuracy +0\\.\\d+\nauc +0\\.\\d+ +\\(95% interval")
                .containsPattern("actual . predicted +<=50K +>50K\n");
        Cli json = train("--holdout", 0.25, "--json");
        assertThat(json.out()).contains("\"holdout\":{\"rows\":");
        assertThat(LinearModel.load(model).provenance().settings()).containsEntry("holdout", "0.25");
        Path again = folder.resolve("again.json");
        Cli like =
                Cli.run("train", people, "--like", model, "--model", again, "--json", "-q", "--runtime", "simulator");
        assertThat(like.value("modelHash")).isEqualTo(json.value("modelHash"));
        assertThat(like.value("accuracy")).isEqualTo(json.value("accuracy"));
        assertThat(train("--json").value("modelHash")).isNotEqualTo(json.value("modelHash"));
    }

    @Test
    void aFileToTestByIsJudgedAsEvaluateJudgesIt() {
        Cli trained = train("--test", people, "--json");
        assertThat(trained.code()).as(trained.err()).isZero();
        Cli evaluated = Cli.run("evaluate", model, people, "--json", "-q");
        String test = trained.out().substring(trained.out().indexOf("\"test\":{") + 8);
        assertThat(evaluated.out()).contains(test.substring(0, test.indexOf("\"classes\"")));
        assertThat(train("--test", people).out()).containsPattern("\ntest +\\d+ rows\naccuracy ");
    }

    @Test
    void aTestFileIsNotOverwritten() {
        Path rows = Cli.file(folder, "rows.csv", "a,y", "1,0", "2,1");
        assertThat(Cli.run("train", people, "--label-column", "income", "--test", rows, "--model", rows)
                        .err())
                .contains("is read by this command and would be overwritten");
    }
}
