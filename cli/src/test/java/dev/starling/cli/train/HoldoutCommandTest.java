package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.data.Labels;
import dev.starling.data.keys.RowSample;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Set;
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
        Cli.ok("generate", people, "--table --rows 400");
    }

    private Cli train(Object... more) {
        Object[] first = {"train", people, "--label-column", "income", "--missing", "drop", "--model", model, "-q"};
        Object[] all = new Object[first.length + more.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return Cli.run(all);
    }

    @Test
    void heldOutRowsEvaluateTheModelAndTrainingLikeItHoldsOutTheSame() {
        Cli text = train("--holdout 0.25");
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out())
                .containsPattern("held out +\\d+ rows\naccuracy +0\\.\\d+\nauc +0\\.\\d+ +\\(95% interval")
                .containsPattern("actual . predicted +<=50K +>50K\n");
        Cli json = train("--holdout 0.25 --json");
        assertThat(json.out()).contains("\"holdout\":{\"rows\":");
        assertThat(LinearModel.load(model).provenance().settings()).containsEntry("holdout", "0.25");
        Path again = folder.resolve("again.json");
        Cli like = Cli.run("train", people, "--like", model, "--model", again, "--json -q --runtime simulator");
        assertThat(like.value("modelHash")).isEqualTo(json.value("modelHash"));
        assertThat(like.value("accuracy")).isEqualTo(json.value("accuracy"));
        assertThat(train("--json").value("modelHash")).isNotEqualTo(json.value("modelHash"));
    }

    @Test
    void aTestFileIsEvaluatedAsByTheEvaluateCommand() {
        Cli trained = train("--test", people, "--json");
        assertThat(trained.code()).as(trained.err()).isZero();
        Cli evaluated = Cli.run("evaluate", model, people, "--json -q");
        String test = trained.out().substring(trained.out().indexOf("\"test\":{") + 8);
        assertThat(evaluated.out()).contains(test.substring(0, test.indexOf("\"classes\"")));
        assertThat(train("--test", people).out()).containsPattern("\ntest +\\d+ rows\naccuracy ");
    }

    @Test
    void fillsAreLearntFromTrainingRowsOnly() {
        StringBuilder holes = new StringBuilder("a,b,y");
        for (int row = 0; row < 60; row++) {
            holes.append('\n')
                    .append(row % 4 == 0 ? "?" : row * row)
                    .append(',')
                    .append(row)
                    .append(',')
                    .append(row % 2);
        }
        Path withHoles = Cli.file(folder, "holes.csv", holes.toString());
        Cli.ok("train", withHoles, "--kind a=numeric --missing mean --holdout 0.3 --model", model, "-q");
        LinearModel trained = LinearModel.load(model);
        RowSample sample = new RowSample(0.3, 1);
        Table table = TableReader.standard().read(withHoles);
        Encoded encoded = Recipe.of(trained).orElseThrow().encode(table);
        double sum = 0;
        int count = 0;
        for (int row = 0; row < 60; row++) {
            if (row % 4 != 0 && !sample.has(encoded.rows(), row)) {
                sum += row * row;
                count++;
            }
        }
        assertThat(Recipe.of(trained).orElseThrow().columns().get(0).fill()).hasValue(Labels.text(sum / count));
        assertThat(count).isLessThan(45);
        // No row with a hole is on another side than its key, which knows nothing of what stands in, decides.
        Recipe other = Recipe.of(trained).orElseThrow().refilled(Survey.of(table), Set.of());
        assertThat(other.columns().get(0).fill())
                .isNotEqualTo(Recipe.of(trained).orElseThrow().columns().get(0).fill());
        assertThat(other.encode(table).in(sample)).isEqualTo(encoded.in(sample));
        Cli.ok("verify", model, withHoles);
    }

    private String heldOut(String options) {
        Cli run = Cli.run("train", people, "--label-column income --holdout 0.25 --model", model, "-q", options);
        assertThat(run.code()).as(options + ": " + run.err()).isZero();
        return LinearModel.load(model).provenance().evaluations().get("holdout").fingerprint();
    }

    @Test
    void theSameRowsAreHeldOutWhateverIsMadeOfThem() {
        String rows = heldOut("--missing median");
        assertThat(rows).hasSize(16);
        assertThat(heldOut("--missing median --drop sex")).isEqualTo(rows);
        assertThat(heldOut("--missing median --reference sex=Male")).isEqualTo(rows);
        assertThat(heldOut("--missing median --rare 60")).isEqualTo(rows);
        assertThat(heldOut("--missing mean --standardize")).isEqualTo(rows);
        assertThat(heldOut("--missing median --loss smoothed-hinge --lambda 0.01"))
                .isEqualTo(rows);
        assertThat(heldOut("--missing median --weights-column age --keep sex")).isEqualTo(rows);
        assertThat(heldOut("--missing median --seed 2")).isNotEqualTo(rows);
        Cli.ok("train", people, "--missing median --holdout 0.25 -q --model", model, "--formula", "income ~ age*sex");
        assertThat(LinearModel.load(model)
                        .provenance()
                        .evaluations()
                        .get("holdout")
                        .fingerprint())
                .isEqualTo(rows);
    }

    @Test
    void dropsRowsFromTheHeldOutOnesWithoutChoosingOthers() {
        Table table = TableReader.standard().read(people);
        RowSample sample = new RowSample(0.25, 1);
        Encoded all = Recipe.builder()
                .label("income")
                .missing(Missing.MEDIAN)
                .learn(table)
                .encode(table);
        Encoded complete = Recipe.builder()
                .label("income")
                .missing(Missing.DROP)
                .learn(table)
                .encode(table);
        assertThat(complete.kept().size()).isLessThan(all.kept().size());
        BitSet expected = all.in(sample);
        BitSet kept = new BitSet();
        complete.kept().forEach(kept::set);
        expected.and(kept);
        assertThat(complete.in(sample)).isEqualTo(expected);
    }

    @Test
    void holdsOutTheRowsOfAnIdTogetherInFilesOfNumbersToo() {
        StringBuilder visits = new StringBuilder("id,a,b,y");
        for (int row = 0; row < 400; row++) {
            visits.append("\n%d,%d,%d,%d".formatted(row / 4, row * row % 71, row % 7, row * 5 % 13 / 6));
        }
        people = Cli.file(folder, "visits.csv", visits.toString());
        String rows = numbersHeldOut("--id-column id");
        assertThat(numbersHeldOut("--id-column id --drop a")).isEqualTo(rows);
        assertThat(numbersHeldOut("--id-column id --kind b=categorical")).isEqualTo(rows);
        LinearModel trained = LinearModel.load(model);
        assertThat(trained.provenance().evaluations().get("holdout").rows() % 4).isZero();
        String plain = numbersHeldOut("--nodes 2");
        assertThat(plain).isNotEqualTo(rows);
        assertThat(numbersHeldOut("--kind b=categorical")).isEqualTo(plain);
        assertThat(numbersHeldOut("--drop id,a")).isEqualTo(plain);
    }

    private String numbersHeldOut(String options) {
        Cli run = Cli.run("train", people, "--holdout 0.25 -q --model", model, options);
        assertThat(run.code()).as(options + ": " + run.err()).isZero();
        return LinearModel.load(model).provenance().evaluations().get("holdout").fingerprint();
    }

    @Test
    void theModelFileHoldsItsEvaluation() {
        Cli trained = train("--holdout 0.25 --test", people, "--json");
        assertThat(trained.code()).as(trained.err()).isZero();
        LinearModel written = LinearModel.load(model);
        assertThat(written.hash()).isEqualTo(trained.value("modelHash"));
        assertThat(written.provenance().evaluations()).containsOnlyKeys("holdout", "test");
        Cli kept = Cli.run("evaluate", model, "--json");
        String test = trained.out().substring(trained.out().indexOf("\"test\":{"));
        assertThat(kept.out()).contains(test.substring(0, test.indexOf(",\"aucLower\"")));
        assertThat(Cli.run("evaluate", model).out())
                .containsPattern("held out +\\d+ rows\naccuracy +0\\.\\d+\nauc +0")
                .containsPattern("\ntest +\\d+ rows\naccuracy ");
        train();
        Cli nothing = Cli.ended(2, "evaluate", model);
        assertThat(nothing.err()).contains("holds no evaluation of the model; give a file with labels");
    }

    @Test
    void aTestFileIsNotOverwritten() {
        Path rows = Cli.file(folder, "rows.csv", "a,y", "1,0", "2,1");
        assertThat(Cli.run("train", people, "--label-column income --test", rows, "--model", rows)
                        .err())
                .contains("is read by this command and would be overwritten");
    }
}
