package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Cli result = Cli.run("describe", people());
        assertThat(result.code()).isZero();
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

    @ParameterizedTest
    @ValueSource(strings = {"recipe.json", "recipe.yaml"})
    void writesARecipeThatTrainsTheSameModel(String name) throws IOException {
        Path recipe = folder.resolve(name);
        assertThat(Cli.run("describe", people(), "--missing median --recipe", recipe)
                        .code())
                .isZero();
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
        Cli result = Cli.run("predict", model, people());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).contains("the model does not match its hash");
    }

    @Test
    void thePageIsSelfContained() throws IOException {
        Path page = folder.resolve("people.html");
        assertThat(Cli.run("describe", people(), "--page", page).code()).isZero();
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
                .contains("r.json: recipe, column 1 has no 'kind'");
        Files.writeString(recipe, "{\"label\":{\"column\":\"y\"},\"columns\":[");
        assertThat(Cli.run("train", people(), "--recipe", recipe).err()).contains("this is not JSON");
    }
}
