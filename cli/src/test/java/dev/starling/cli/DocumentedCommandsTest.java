package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands that pages show run, on the files that the documentation makes. Sites as processes are tested elsewhere.
 */
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));

    /** A word of a command line: in quotes, or up to the next blank. */
    private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

    private static final Pattern FILE =
            Pattern.compile("[\\w-]+(\\.t)?\\.(csv|json|gz|html|svg|yaml|onnx|pmml|txt|model)");

    /** Options whose file is written rather than read. */
    private static final List<String> WRITTEN = List.of("--model", "--page", "--svg", "--onnx", "--pmml", "--recipe");

    /** Commands that need other processes, other machines, a browser or data that is not made here. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(demo|peer|keys|network|cohort|split|reproduce|playground|completion|serve)\\b.*|.*(--jdbc| FILE ).*");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeTheFilesOfTheDocumentation() throws IOException {
        List<String> commands = commands("docs/README.md");
        assertThat(commands).hasSize(6);
        for (String command : commands) {
            run(command);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/coming-from.md",
                "docs/cross-validation.md",
                "docs/data-formats.md",
                "docs/elastic-net.md",
                "docs/evaluation.md",
                "docs/how-it-works.md",
                "docs/kinked-losses.md",
                "docs/losses.md",
                "docs/model-format.md",
                "docs/newton.md",
                "docs/paths.md",
                "docs/reading-models.md",
                "docs/tables.md"
            })
    void theCommandsOfAPageRun(String page) throws IOException {
        List<String> later = new ArrayList<>();
        int done = 0;
        for (String command : commands(page)) {
            // An overview may use a file that a command further down makes.
            if (reads(command).allMatch(Files::exists)) {
                run(command);
                done++;
            } else {
                later.add(command);
            }
        }
        for (String command : later) {
            run(command);
            done++;
        }
        assertThat(done).as(page).isPositive();
    }

    /** The command lines of a page, and those that make small files, without prompts and remarks. */
    private static List<String> commands(String page) throws IOException {
        return Files.readString(ROOT.resolve(page))
                .replace("\\\n", " ")
                .lines()
                .filter(line -> line.matches("    (\\./)?starling .*|    printf .*"))
                .map(line -> line.strip().replaceFirst("^(\\./)?starling ", "").replace("starling-demo/", ""))
                .map(line -> line.startsWith("printf") ? line : line.replaceFirst("(\\s{2,}| [#>|&] ).*", ""))
                .filter(line -> !ELSEWHERE.matcher(line).matches())
                .toList();
    }

    private Stream<Path> reads(String command) {
        List<String> words = words(command);
        boolean makes = words.get(0).equals("generate") || words.get(0).equals("printf");
        return Stream.iterate(1, k -> k < words.size(), k -> k + 1)
                .filter(k -> !makes && !WRITTEN.contains(words.get(k - 1)))
                .map(words::get)
                .filter(word -> FILE.matcher(word).matches())
                .map(folder::resolve);
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            words.add(matcher.group().replace("'", ""));
        }
        return words;
    }

    private void run(String command) throws IOException {
        List<String> words = words(command);
        if (words.get(0).equals("printf")) {
            Files.writeString(folder.resolve(words.get(3)), words.get(1).replace("\\n", "\n"));
            return;
        }
        List<Object> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(FILE.matcher(word).matches() ? folder.resolve(word) : word);
        }
        boolean trains = words.get(0).equals("train");
        if (trains && !words.contains("--model") && !words.contains("--no-model")) {
            arguments.add("--model");
            arguments.add(folder.resolve("model.json"));
        }
        Cli result = Cli.run(arguments.toArray());
        assertThat(result.code()).as(command + ": " + result.err()).isZero();
    }
}
