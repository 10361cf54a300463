package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands that pages show run, on the files that the documentation makes. Sites as processes are tested elsewhere.
 */
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));

    /** A word of a command line: in quotes, or up to the next blank. */
    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|\\S+");

    /** What follows a command: a remark, or what is done with its output. Signs in quotes belong to the command. */
    private static final Pattern REMARK = Pattern.compile("^((?:[^']|'[^']*')*?)(\\s{2,}| [#>|&] ).*");

    private static final Pattern FILE =
            Pattern.compile("[\\w-]+(\\.t)?\\.(csv|json|gz|html|svg|yaml|onnx|pmml|txt|model)");

    /** Options whose file is written rather than read. */
    private static final List<String> WRITTEN =
            List.of("--model", "--page", "--svg", "--onnx", "--pmml", "--recipe", "--report");

    /** Commands that need other processes, other machines, a browser or data that is not made here. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(demo|peer|keys|network|cohort|split|study|watch|reproduce|playground|completion|serve)\\b.*"
                    + "|.*(--jdbc|--grid|\\bmodel-a\\.json).*");

    /** Synopses have brackets and words or letters in capitals for what is to be filled in, or leave it out. */
    private static final Pattern SYNOPSIS =
            Pattern.compile("COMMAND .*|.* --algorithms|.*( \\[| [A-Z]{3,}(\\.YAML)?\\b(?!=)| --\\w+ [A-Z]\\b).*");

    /** Pages whose commands need the files of several sites, or hours. Tests of their own start such sites. */
    private static final Set<String> OF_SITES = Set.of(
            "docs/benchmarks.md",
            "docs/operations.md",
            "docs/peers.md",
            "docs/reliability.md",
            "docs/security.md",
            "docs/studies.md");

    @TempDir
    private static Path made;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeTheFilesOfTheDocumentation() throws IOException {
        List<String> commands = commands("docs/README.md");
        assertThat(commands).hasSize(6);
        for (String command : commands) {
            run(command, made);
        }
    }

    /** A page's own copies of the files of the documentation. */
    @BeforeEach
    void copyTheFiles() throws IOException {
        try (Stream<Path> files = Files.list(made)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
    }

    /** README and the pages beside this documentation's own, but those about sites. */
    static List<String> pages() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md"),
                            files.map(file -> "docs/" + file.getFileName()).sorted())
                    .filter(page -> page.endsWith(".md") && !OF_SITES.contains(page))
                    .filter(page -> !commands(page).isEmpty())
                    .toList();
        }
    }

    @Test
    void pagesWithCommandsAreFound() throws IOException {
        assertThat(pages()).contains("README.md", "docs/statistics.md", "docs/tables.md");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void theCommandsOfAPageRun(String page) throws IOException {
        List<String> later = new ArrayList<>();
        int done = 0;
        for (String command : commands(page)) {
            // An overview may use a file that a command further down makes.
            if (reads(command).allMatch(Files::exists)) {
                run(command, folder);
                done++;
            } else {
                later.add(command);
            }
        }
        for (String command : later) {
            run(command, folder);
            done++;
        }
        assertThat(done).as(page).isPositive();
    }

    /** Commands for several sites, other machines or hours cannot run here, but their options have to exist. */
    @Test
    void commandsThatCannotRunHereAreUnderstood() throws IOException {
        CommandLine all = Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        List<String> wrong = new ArrayList<>();
        int understood = 0;
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".md")).toList()) {
                String page = ROOT.relativize(file).toString();
                for (String line : lines(page)) {
                    String command = line.replaceFirst(" &$| && .*", "");
                    if (!SYNOPSIS.matcher(command).matches() && !command.startsWith("printf")) {
                        try {
                            all.parseArgs(words(command).toArray(String[]::new));
                            understood++;
                        } catch (CommandLine.ParameterException e) {
                            wrong.add(page + ": " + command + ": " + e.getMessage());
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(understood).isGreaterThan(150);
    }

    /** The command lines of a page that can run here. */
    private static List<String> commands(String page) {
        return lines(page).stream()
                .filter(line -> !ELSEWHERE.matcher(line).matches())
                .filter(line -> !SYNOPSIS.matcher(line).matches())
                .toList();
    }

    /** The command lines of a page, and those that make small files, without prompts and remarks. */
    private static List<String> lines(String page) {
        return read(page)
                .replace("\\\n", " ")
                .lines()
                .filter(line -> line.matches("    (\\./)?starling .*|    printf .*"))
                .map(line -> line.strip().replaceFirst("^(\\./)?starling ", "").replace("starling-demo/", ""))
                .map(line ->
                        line.startsWith("printf") ? line : REMARK.matcher(line).replaceFirst("$1"))
                .toList();
    }

    private static String read(String page) {
        try {
            return Files.readString(ROOT.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            words.add(matcher.group().replaceAll("['\"]", ""));
        }
        return words;
    }

    private static void run(String command, Path folder) throws IOException {
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
