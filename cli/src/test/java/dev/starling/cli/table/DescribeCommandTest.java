package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescribeCommandTest {

    private static final String PEOPLE = """
            age,town,smoker,since,y
            31,Lyon,yes,2020-01-05,1
            ?,Nice,no,2020-03-01,0
            40,Lyon,no,2021-01-05,1
            28,Lyon,yes,2019-06-30,0
            """;

    @TempDir
    private Path folder;

    private Path people() throws IOException {
        return Files.writeString(folder.resolve("people.csv"), PEOPLE);
    }

    @Test
    void describesEachColumn() throws IOException {
        Cli result = Cli.ok("describe", people());
        assertThat(result.out())
                .contains("4 rows, 5 columns")
                .containsPattern("age +numeric +1 +28 to 40, mean 33.00, median 31.00")
                .containsPattern("town +categorical +0 +2 levels: Lyon 3, Nice 1")
                .containsPattern("smoker +boolean +0")
                .containsPattern("since +date +0 +2019-06-30 to 2021-01-05");
    }

    @Test
    void writesJsonOnRequest() throws IOException {
        Cli result = Cli.run("describe", people(), "--json");
        assertThat(result.number("median")).isEqualTo(31);
        assertThat(result.out()).contains("{\"level\":\"Lyon\",\"rows\":3}");
    }

    @Test
    void theLabelIsMarked() throws IOException {
        Cli guessed = Cli.run("describe", people());
        assertThat(guessed.out()).containsPattern("\ny +numeric, label +0");
        Cli named = Cli.run("describe", people(), "--label-column smoker");
        assertThat(named.out()).containsPattern("\nsmoker +boolean, label +0").doesNotContain("numeric, label");
        assertThat(Cli.run("describe", people(), "--label-column smoker --json").out())
                .containsPattern("\"name\":\"smoker\"[^}]*\"label\":true")
                .containsPattern("\"name\":\"y\"[^}]*\"label\":false");
        Cli.ended(2, "describe", people(), "--label-column nosuch");
        Path none = Cli.file(folder, "none.csv", "a,b", "1,2", "2,z");
        assertThat(Cli.run("describe", none).out()).doesNotContain("label");
    }

    @Test
    void datesAreRangesHoweverManyThereAre() {
        String[] lines = new String[1501];
        lines[0] = "day,when,y";
        for (int i = 1; i < lines.length; i++) {
            LocalDate day = LocalDate.of(1990, 5, 17).plusDays(i * 7919L % 1500);
            lines[i] = day.getDayOfMonth() + "/" + day.getMonthValue() + "/" + day.getYear() + "," + day + "," + i % 2;
        }
        Path dates = Cli.file(folder, "dates.csv", lines);
        assertThat(Cli.run("describe", dates).out())
                .containsPattern("day +date-dmy +0 +17/5/1990 to 24/6/1994\n")
                .containsPattern("when +date +0 +1990-05-17 to 1994-06-24\n");
        Path fewer = Cli.file(folder, "fewer.csv", Arrays.copyOf(lines, 401));
        Cli json = Cli.run("describe", fewer, "--json");
        Matcher counts = Pattern.compile("\"name\":\"day\".*?\"histogram\":\\[([\\d,]+)]")
                .matcher(json.out());
        assertThat(counts.find()).as(json.out()).isTrue();
        assertThat(Arrays.stream(counts.group(1).split(","))
                        .mapToInt(Integer::parseInt)
                        .sum())
                .isEqualTo(400);
    }

    @Test
    void idsConstantsAndNumbersWithWordsAreRemarkedOn() {
        String[] lines = new String[41];
        lines[0] = "id,name,country,age,size,y";
        for (int i = 1; i < lines.length; i++) {
            lines[i] =
                    (500 + i) + ",person" + i + ",FR," + (i == 7 ? "unknown" : "" + i % 9) + "," + 2 * i + "," + i % 2;
        }
        Cli described = Cli.run("describe", Cli.file(folder, "odd.csv", lines));
        assertThat(described.out())
                .contains("column 'id' has another value in every row", "column 'name' has another value in every row")
                .contains("column 'country' has the same value in all rows")
                .contains("column 'age' holds numbers except for 'unknown' in line 8")
                .containsPattern("country +categorical +0 +1 level: FR 40\n")
                .doesNotContain("column 'size'", "column 'y'");
    }

    /** As R and pandas write them: training leaves them out without being told. */
    @Test
    void namesOfRowsAreCalledThatAndNothingIsAskedForThem() {
        Path cars = Cli.file(folder, "cars.csv", ",weight,y", "Mazda,2.62,1", "Datsun,-3.2656884762469502,0");
        Cli described = Cli.run("describe", cars);
        assertThat(described.out())
                .containsPattern("row.names +names of rows +0")
                .contains("column 'row.names' is not learnt from; --id-column makes it the id of the rows")
                .doesNotContain("another value in every row")
                .contains("-3.26569 to 2.62,");
        assertThat(Cli.run("describe", cars, "--json").out())
                .containsOnlyOnce("\"namesRows\":true")
                .containsPattern("\"name\":\"row.names\",[^}]*\"namesRows\":true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"recipe.json", "recipe.yaml"})
    void writesARecipeThatTrainsTheSameModel(String name) throws IOException {
        Path recipe = folder.resolve(name);
        Cli.ok("describe", people(), "--missing median --recipe", recipe);
        Path direct = folder.resolve("direct.json");
        Path through = folder.resolve("through.json");
        Cli first = Cli.run("train", people(), "--missing median --nodes 1 --model", direct);
        Cli second = Cli.run("train", people(), "--recipe", recipe, "--nodes 1 --model", through);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(LinearModel.load(through).hash())
                .isEqualTo(LinearModel.load(direct).hash());
    }

    @Test
    void theModelsHashCoversItsRecipe() throws IOException {
        Path model = folder.resolve("m.json");
        Cli.run("train", people(), "--missing median --nodes 1 --model", model);
        String text = Files.readString(model);
        Files.writeString(model, text.replace("\"fill\":\"31\"", "\"fill\":\"32\""));
        Cli result = Cli.ended(2, "predict", model, people());
        assertThat(result.err()).contains("the model does not match its hash");
    }

    @Test
    void thePageIsSelfContained() throws IOException {
        Path page = folder.resolve("people.html");
        Cli.ok("describe", people(), "--page", page);
        assertThat(Files.readString(page))
                .contains("\"name\":\"town\"")
                .doesNotContain("<script src", "<link rel=\"stylesheet");
    }

    @Test
    void recipesWithMistakesAreRefusedByName() throws IOException {
        Path recipe = folder.resolve("r.json");
        Files.writeString(
                recipe, "{\"label\":{\"column\":\"y\"},\"columns\":[{\"name\":\"age\",\"sort\":\"numeric\"}]}");
        assertThat(Cli.run("train", people(), "--recipe", recipe).err())
                .contains("r.json: unknown member of column 1 of the recipe 'sort'; there are: ", "kind");
        Files.writeString(recipe, "{\"label\":{\"column\":\"y\"},\"columns\":[{\"name\":\"age\"}]}");
        assertThat(Cli.run("train", people(), "--recipe", recipe).err())
                .contains("r.json: column 1 of the recipe has no \"kind\"");
        Files.writeString(recipe, "{\"label\":{\"column\":\"y\"},\"columns\":[");
        assertThat(Cli.run("train", people(), "--recipe", recipe).err()).contains("this is not JSON");
    }
}
