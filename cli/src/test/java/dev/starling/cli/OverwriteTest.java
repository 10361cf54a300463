package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No command writes over what it reads, whatever name it goes by. */
class OverwriteTest {

    private static final String[] ROWS = {"1 1:0.5", "-1 1:1", "1 2:0.3", "-1 2:-1"};

    @TempDir
    private Path folder;

    @BeforeEach
    void writeInputs() throws IOException {
        Path rows = Cli.file(folder, "rows.txt", ROWS);
        Files.createLink(folder.resolve("hard"), rows);
        Files.createSymbolicLink(folder.resolve("soft"), rows);
        Cli.file(folder, "node-0.libsvm", ROWS);
        Cli.file(folder, "weights", "1", "1", "1", "1");
        Cli.file(folder, "graph", "a b");
        Cli.file(folder, "people.csv", "a,y", "1,0", "2,1", "3,0", "4,1");
        Cli.file(folder, "recipe.yaml", "version: 1");
        Cli.file(
                folder,
                "model",
                "solver_type L2R_LR",
                "nr_class 2",
                "label 1 -1",
                "nr_feature 2",
                "bias -1",
                "w",
                "1",
                "1");
        Cli.run("train", rows, "--model", folder.resolve("made.json"), "--quiet");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "train @rows.txt --model @rows.txt",
                "train @rows.txt --model @hard",
                "train @rows.txt --model @soft",
                "train @rows.txt --weights @weights --model @weights",
                "train @rows.txt --graph @graph --model @graph",
                "train @rows.txt --like @made.json --model @made.json",
                "train @people.csv --recipe @recipe.yaml --model @recipe.yaml",
                "train @people.csv --label-column y --cv 2 --svg @people.csv",
                "describe @people.csv --page @people.csv",
                "evaluate @model @rows.txt --weights @weights --page @weights",
                "export @model --pmml @model",
                "watch @recipe.yaml --save @recipe.yaml",
                "predict @model @rows.txt --output @model",
                "predict @model @rows.txt --output @rows.txt",
                "compare @rows.txt --report @hard",
                "compare @rows.txt --svg @soft",
                "reproduce figure-c --covtype @rows.txt --svg @rows.txt",
                "plan @rows.txt --svg @hard",
                "split @node-0.libsvm --nodes 2 --dir @"
            })
    void anInputIsNotOverwritten(String arguments) throws IOException {
        String target = arguments.startsWith("split")
                ? folder.resolve("node-0.libsvm").toString()
                : arguments.substring(arguments.lastIndexOf(' ') + 1).replace("@", folder + "/");
        Cli result = Cli.run((Object[]) arguments.replace("@", folder + "/").split(" "));
        assertThat(result.err())
                .isEqualTo("starling: " + target
                        + " is read by this command and would be overwritten; write to another file\n");
        assertThat(result.code()).isEqualTo(2);
        assertThat(folder.resolve("recipe.yaml")).hasContent("version: 1");
        assertThat(folder.resolve("rows.txt")).hasContent(String.join("\n", ROWS));
    }

    @Test
    void onePartOfAFileDoesNotReplaceAnother() {
        assertThat(Cli.run("split", folder.resolve("rows.txt"), "--names a,b,a --dir", folder)
                        .err())
                .isEqualTo("starling: --names a,b,a has a name twice; every part needs its own\n");
    }

    @Test
    void aPictureDoesNotReplaceTheModel() {
        Path out = folder.resolve("out");
        Path same = folder.resolve("./out");
        assertThat(Cli.run("train", folder.resolve("rows.txt"), "--cv 2 --model", out, "--svg", same)
                        .err())
                .isEqualTo("starling: --model and --svg both name " + same + "; give them different names\n");
        assertThat(Cli.run("describe", folder.resolve("people.csv"), "--recipe", out, "--page", out)
                        .err())
                .isEqualTo("starling: --recipe and --page both name " + out + "; give them different names\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"train @rows.txt --model -", "predict @model @rows.txt --output -", "export @model --pmml -"})
    void aDashIsNotTheNameOfAFile(String arguments) {
        Cli result = Cli.run((Object[]) arguments.replace("@", folder + "/").split(" "));
        assertThat(result.err())
                .isEqualTo("starling: '-' is standard output, where this cannot be written; give the name of a file"
                        + " (./- if that is its name)\n");
        assertThat(result.code()).isEqualTo(2);
    }

    @Test
    void onePictureDoesNotReplaceAnother() {
        Path out = folder.resolve("out");
        assertThat(Cli.run("compare", folder.resolve("rows.txt"), "--report", out, "--svg", out)
                        .err())
                .isEqualTo("starling: --report and --svg both name " + out + "; give them different names\n");
    }
}
