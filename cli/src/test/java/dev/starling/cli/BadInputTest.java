package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Whatever is wrong with the input: one line that names it, exit code 2, and no file left behind. */
class BadInputTest {

    @TempDir
    private Path folder;

    private Path good;

    @BeforeEach
    void writeGoodRows() {
        good = Cli.file(folder, "good.txt", "1 1:0.5", "-1 1:1", "1 2:0.3", "-1 2:-1");
    }

    private void refuses(String line, Object... arguments) throws IOException {
        Object[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--model";
        all[arguments.length + 1] = folder.resolve("model.json");
        refusesAsIs(line, all);
    }

    private void refusesAsIs(String line, Object... arguments) throws IOException {
        String before = listing();
        Cli result = Cli.run(arguments);
        assertThat(result.err()).isEqualTo("starling: " + line.replace("%", folder.toString() + "/") + "\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.code()).isEqualTo(2);
        assertThat(listing()).isEqualTo(before);
    }

    private String listing() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().toString();
        }
    }

    @Test
    void aMissingFileIsRefused() throws IOException {
        refuses(
                "%missing.txt does not exist; give the path of a LIBSVM or CSV file",
                "train", folder.resolve("missing.txt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"train good.txt --weights", "train good.txt --recipe", "train good.txt --study", "peer"})
    void aFileThatIsNotTextIsReportedAsSuch(String arguments) throws IOException {
        Path file = Files.write(folder.resolve("a.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        String words = arguments.replace("good.txt", good.toString()) + " " + file;
        refusesAsIs("%a.yaml is not text in UTF-8; convert it, or give another file", (Object[]) words.split(" "));
    }

    @Test
    void adviceNamesTheOptionToUse() throws IOException {
        Path table = Cli.file(folder, "t.csv", "a,b,c", "1,x,0", ",y,1", "3,x,1");
        refuses(
                "%t.csv: no column is called label, target, y, class; say with --label-column which one is the label,"
                        + " by name, by number from 1, or as 'last'; there are: a, b, c",
                "train", table);
        refuses(
                "%t.csv has missing values in 'a' (1); drop such rows (--missing drop), impute the values (--missing"
                        + " most-frequent), or leave the columns out (--drop)",
                "train", table, "--label-column c");
        refuses(
                "%t.csv: label column 'b' holds 'x', but the loss predicts numbers; use one for classes, such as --loss"
                        + " logistic",
                "train", table, "--label-column b --loss squared");
    }

    @Test
    void wordsAfterADoubleDashAreNotOptions() throws IOException {
        refusesAsIs(
                "unexpected argument '--no-model' after '--'; give options before it;" + " see 'starling train --help'",
                "train",
                "--",
                good,
                "--no-model");
    }

    @Test
    void runningOutOfMemoryInAThreadIsReportedAsSuch() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(err, true));
        Exception failure = new IllegalStateException("a node failed", new OutOfMemoryError("Java heap space"));
        assertThat(new Failures(() -> false).handleExecutionException(failure, command, null))
                .isEqualTo(1);
        long allowed = Runtime.getRuntime().maxMemory() >> 20;
        assertThat(err)
                .hasToString("starling: not enough memory: " + allowed
                        + " MB were allowed; allow more with STARLING_JAVA_OPTS=-Xmx" + 2 * allowed
                        + "m, or use smaller data\n");
    }

    @Test
    void aFileInPlaceOfAFolderIsRefused() throws IOException {
        refusesAsIs(
                "%good.txt/m.json cannot be written: %good.txt is a file, not a folder; choose a folder",
                "train", good, "--model", good.resolve("m.json"));
        refusesAsIs(
                "%good.txt cannot be created; choose another folder with --dir",
                "split", good, "--nodes 2 --dir", good);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a", "a/b", " "})
    void partNamesThatLeaveTheFolderAreRefused(String name) throws IOException {
        refusesAsIs(
                "--names '" + name + "' cannot be the name of a part; use letters and digits, and --dir for another"
                        + " folder",
                "split",
                good,
                "--names",
                "x," + name,
                "--dir",
                folder);
    }

    @Test
    void aFolderInPlaceOfAFileIsRefused() throws IOException {
        refuses("graph file " + folder + " cannot be read: Is a directory", "train", good, "--graph", folder);
        refuses(folder + " cannot be read: Is a directory", "train", good, "--weights", folder);
    }

    @Test
    void aSingleClassOfATableIsNamedAsItIsWritten() throws IOException {
        Path file = Cli.file(folder, "one.csv", "kind,a", "ham,2", "ham,3");
        refuses(
                "%one.csv: label column 'kind' holds only one class, 'ham', in 2 rows; two are needed, so add rows of"
                        + " another or name another column (--label-column)",
                "train", file, "--label-column kind");
        Path left = Cli.file(folder, "left.csv", "kind,a,b", "ham,2,u", "spam,,v", "ham,3,v");
        assertThat(Cli.run("train", left, "--label-column kind --missing drop").err())
                .contains("holds only one class, 'ham', in 2 rows");
        String[] words = new String[101];
        Arrays.setAll(words, k -> k == 0 ? "kind,a" : (k == 50 ? "spam," : "ham,") + k);
        assertThat(Cli.run("train", Cli.file(folder, "held.csv", words), "--label-column kind --holdout 0.9 --no-model")
                        .err())
                .containsPattern("holds only one class, 'ham', in \\d+ rows?; .*--holdout 0.9 keeps the others");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--lambda 1e-3", "--lambda 0", "--standardize"})
    void aColumnInAnImpossibleUnitIsNamed(String options) throws IOException {
        Path file = Cli.file(folder, "tiny.csv", "y,mass", "1,1e-300", "0,3e-300", "1,2e-300", "0,1e-300");
        refuses(
                "%tiny.csv: the largest number of column 'mass' is about 1e-300, too small for anything to be proven;"
                        + " give it in another unit",
                "train", file, options);
    }

    @Test
    void aStrictPredictionRefusesUnknownFeatures() throws IOException {
        Path model = folder.resolve("two.json");
        Cli.ok("train", good, "--nodes 2 --model", model);
        Path wide = Cli.file(folder, "wide.txt", "1 1:1 9:2");
        refusesAsIs(
                "%wide.txt has 9 features, the model 2; use data with at most that many",
                "predict", model, wide, "--strict");
    }

    @Test
    void aModelIsNotWrittenIntoAFolderThatDoesNotExist() throws IOException {
        refusesAsIs(
                "%no/model.json cannot be written: the folder %no does not exist; create it first",
                "train", good, "--model", folder.resolve("no/model.json"));
    }

    @Test
    void aModelDoesNotReplaceAFolder() throws IOException {
        refusesAsIs(folder + " is a directory; give the name of a file to write", "train", good, "--model", folder);
    }

    @Test
    void aFileThatIsNotAModelIsRefused() throws IOException {
        refusesAsIs("%good.txt is not a model; give a model file of Starling or LIBLINEAR", "predict", good, good);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bad.txt     | 1 1:0.5;-1 1:1;1 0:0.5 |           | %bad.txt, line 3: feature index 0; indices start at 1 and ascend
            prices.txt  | 3.5 1:1;7 1:2;1 1:3    |           | %prices.txt: label 3.5 is not a whole number, as classes are; to predict numbers, use --loss squared
            graph.txt   | a b;c d                | --graph   | graph graph.txt is not connected: node 'c' cannot be reached from 'a'
            weights.txt | 1;2                    | --weights | %weights.txt has 2 weights for 4 rows; there must be one per row
            weights.txt | 1;-2                   | --weights | %weights.txt, line 2: weight '-2' must be a number, 0 or more
            """, quoteCharacter = '"')
    void aBadFileIsRefusedByName(String name, String lines, String option, String problem) throws IOException {
        Path file = Cli.file(folder, name, lines.split(";"));
        refuses(problem, option == null ? new Object[] {"train", file} : new Object[] {"train", good, option, file});
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --gap 0              | --gap 0.0 must be positive, for example 1e-6
            --max-epochs 0       | --max-epochs 0.0 must be positive
            --max-seconds 0      | --max-seconds 0.0 must be positive
            --tau -1             | --tau -1.0 must be 0 or more, and finite
            --bias -1            | --bias -1.0 must be positive, for example 1, or 0 for none
            --bias --intercept   | --bias 1.0 and --intercept both add an intercept, regularised by the first and not by the second; leave one out
            --intercept --method adfs | --method adfs cannot leave an intercept unregularised; newton can, or give --bias 1 instead
            --intercept --loss hinge --method adfs | --method adfs cannot leave an intercept unregularised; multipliers can, or give --bias 1 instead
            --c 0                | --c 0 must be positive and finite, for example 1
            --lambda 1 --c 2     | --lambda 1 and --c 2 both say how much to regularise; give one of them
            --threads 0          | --threads 0; there must be at least one
            --nodes 0            | --nodes 0; there must be at least one
            --delta 2            | --delta 2 is a parameter of --loss huber, not of --loss logistic
            --runtime thread     | unknown runtime 'thread'; did you mean 'threads'? there are: threads, simulator
            --method newtn       | unknown method 'newtn'; did you mean 'newton'? there are: auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs, adfs-local, adfs-matchings, adfs-localised, adfs-varying
            --method newton --loss hinge | --method newton cannot take the loss hinge, which has kinks; adfs can
            --method newton --l1 0.1     | --method newton cannot take an l1 term, which has kinks; adfs can
            --format svm         | unknown format 'svm'; there are: auto, libsvm, csv
            --model-format x     | unknown model format 'x'; there are: json, liblinear
            --class-weight balanced --loss squared | --class-weight balanced goes with losses for classes, not with --loss squared; leave it out
            --class-weight balanced --class-weight 1=2 | --class-weight balanced sets the weights of all classes; leave out either it or the other weights
            --holdout 1.5        | --holdout 1.5 must be a fraction of the rows below 1, for example 0.2, or 0 for none
            --test nowhere.csv   | --test nowhere.csv does not exist, or may not be read
            --class-weight a     | --class-weight 'a' must be a label and a positive weight, each label once, such as 1=5; or balanced
            --nodes two          | invalid value for option '--nodes': 'two' is not a whole number; see 'starling train --help'
            --gap                | expected parameter for option '--gap' but found '--model'; see 'starling train --help'
            --nodes 5            | %good.txt: 5 nodes for 4 samples; every node needs at least one, so use at most 4 nodes
            --nodes 1000000000   | a complete graph of 1000000000 nodes cannot be built; use 1 to 10000000 nodes, and no more than there are rows
            --topology grid --nodes 7 | a grid of 7 nodes is not a rectangle; use 6 or 8 nodes, or topology grid:1x7 for a line
            --lambda -1          | --lambda -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4
            --lambda NaN         | --lambda NaN must be 0 or from 1e-60 to 1e45, for example 1e-4
            --lambda 1e999       | --lambda Infinity must be 0 or from 1e-60 to 1e45, for example 1e-4
            --lambda 1e-61       | --lambda 1.0E-61 must be 0 or from 1e-60 to 1e45, for example 1e-4
            --lambda 1e46        | --lambda 1.0E46 must be 0 or from 1e-60 to 1e45, for example 1e-4
            --lamda 1            | unknown option '--lamda'; did you mean '--lambda'? see 'starling train --help'
            """, quoteCharacter = '"')
    void aBadOptionIsRefusedByName(String options, String problem) throws IOException {
        Object[] arguments = Stream.concat(Stream.of("train", good), Arrays.stream(options.split(" ")))
                .toArray();
        refuses(problem, arguments);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --method newtn               | unknown method 'newtn'; did you mean 'newton'? there are: auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs, adfs-local, adfs-matchings, adfs-localised, adfs-varying
            --method newton --loss hinge | --method newton cannot take the loss hinge, which has kinks; adfs can
            """)
    void anImpossibleMethodIsNotWrittenIntoSiteFiles(String options, String problem) throws IOException {
        Object[] arguments = Stream.concat(
                        Stream.of("network", "new", "--sites", "a,b", "--dir", folder),
                        Arrays.stream(options.split(" ")))
                .toArray();
        refusesAsIs(problem, arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trian", "help trian"})
    void anUnknownCommandIsRefusedWithTheNearestOne(String line) throws IOException {
        refusesAsIs("unknown command 'trian'; did you mean 'train'? see 'starling --help'", (Object[]) line.split(" "));
    }

    @Test
    void aMissingCommandIsRefusedWithTheListOfCommands() throws IOException {
        Cli result = Cli.ended(2);
        assertThat(result.err())
                .startsWith("starling: a command is missing; there are: demo, describe, train,")
                .hasLineCount(1);
    }

    @Test
    void sitesWithOneNameAreRefusedInOneLine() {
        Cli refused = Cli.ended(2, "network", "new", "--sites a,a --dir", folder);
        assertThat(refused.err()).hasLineCount(1).contains("contain a name twice");
    }

    @Test
    void whatIsNotARecipeIsSaidToBeNone() throws IOException {
        Path table = Cli.file(folder, "t.csv", "x,y", "1,0", "2,1");
        refuses("%t.csv is not a recipe; give a .yaml or .json file", "train", table, "--recipe", table);
        Path broken = Cli.file(folder, "r.yaml", "label: {column: y}", "columns: [{name: x, kind: numeric");
        assertThat(Cli.run("train", table, "--recipe", broken).err()).contains("r.yaml, line 3: this is not YAML");
        Path misspelt = Cli.file(folder, "m.yaml", "label: {column: y}", "colums: [{name: x, kind: numeric}]");
        refuses(
                "%m.yaml: unknown member of the recipe 'colums'; did you mean 'columns'? there are: columns, formula, ids, label, missingTokens, offset, standardize, weights",
                "train", table, "--recipe", misspelt);
    }

    @Test
    void theNumberOfALossIsWrittenInParentheses() throws IOException {
        refuses(
                "unexpected argument '0.5'; write a number of a loss in parentheses, as in 'huber(0.5)'; see"
                        + " 'starling train --help'",
                "train",
                good,
                "--loss",
                "huber",
                "0.5");
    }

    @Test
    void wordsAreRefusedForAModelWithoutNames() throws IOException {
        Path model = folder.resolve("nameless.json");
        Cli.ok("train", good, "--model", model);
        Path words = Cli.file(folder, "words.csv", "a,y", "red,1", "blue,-1");
        for (String command : List.of("predict", "evaluate")) {
            refusesAsIs("%words.csv, line 2: column 'a' holds 'red', which is not a number", command, model, words);
        }
    }
}
