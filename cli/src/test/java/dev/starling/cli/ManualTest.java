package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.console.Terminal;
import dev.starling.cli.options.Section;
import dev.starling.settings.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Help and manual say all there is, and nothing else. */
class ManualTest {

    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
    private static final int OPTION_COLUMN = 6;
    private static final Map<String, CommandLine> COMMANDS = Main.commandLine(
                    new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()))
            .getSubcommands();

    static Stream<String> commands() {
        return COMMANDS.keySet().stream();
    }

    private static String manual() throws IOException {
        return Files.readString(Path.of(System.getProperty("starling.root"), "docs/cli.md"));
    }

    /** What is said before the commands, and what is said of a command. */
    private static String section(String command) throws IOException {
        String[] sections = manual().split("(?m)^## ", -1);
        return sections[0]
                + Stream.of(sections)
                        .filter(section -> section.startsWith(command + "\n"))
                        .findFirst()
                        .orElse("");
    }

    private static Set<String> options(CommandLine command) {
        Set<String> names = new HashSet<>();
        command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .forEach(names::add);
        command.getSubcommands().values().forEach(below -> names.addAll(options(below)));
        return names;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theManualHasEveryOptionOfEveryCommandInItsSection(String command) throws IOException {
        Set<String> named = new HashSet<>();
        Matcher options = OPTION.matcher(section(command));
        while (options.find()) {
            named.add(options.group());
        }
        assertThat(named).containsAll(options(COMMANDS.get(command)));
    }

    @Test
    void everyOptionInTheManualExists() throws IOException {
        Set<String> known = new HashSet<>();
        COMMANDS.values().forEach(command -> known.addAll(options(command)));
        Matcher options = OPTION.matcher(manual());
        while (options.find()) {
            assertThat(known).contains(options.group());
        }
    }

    @Test
    void theListOfCommandsHasASentenceForEach() {
        String help = Cli.run("--help").out();
        String list = help.substring(help.indexOf("\nStart here:"), help.indexOf("\nExamples:"));
        assertThat(commands())
                .allSatisfy(command -> assertThat(list.lines().filter(line -> line.startsWith("  " + command + " ")))
                        .singleElement()
                        .asString()
                        .matches("  " + command + " +[A-Z][^.]*\\.")
                        .hasSizeLessThanOrEqualTo(100));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithExamplesThatFitOnALine(String command) {
        Cli help = Cli.ok(command, "--help");
        assertThat(help.out()).contains("Usage: starling " + command);
        if (!command.equals("help")) {
            String[] parts = help.out().split("\nExamples:\n", -1);
            assertThat(parts).hasSize(2);
            assertThat(parts[1].split("\n\n")[0].lines()).allMatch(line -> line.startsWith("  "));
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpListsEveryOptionOnce(String command) {
        String help = Cli.run(command, "--help").out();
        COMMANDS.get(command).getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> assertThat(help.lines()
                                .filter(line ->
                                        line.matches(" +(-\\w, )?" + option.longestName() + "(\\[?=.*|\\[=.*| .*)?"))
                                .filter(line -> line.indexOf(option.longestName()) == OPTION_COLUMN))
                        .as(option.longestName())
                        .hasSize(1));
    }

    @Test
    void optionsOfSettingsAreUnderTheHeadingsOfTheTable() {
        CommandSpec train = COMMANDS.get("train").getCommandSpec();
        List<Setting<?>> options = Setting.all().stream()
                .filter(setting -> train.findOption("--" + setting.name()) != null)
                .toList();
        assertThat(options).hasSizeGreaterThan(14);
        for (Setting<?> setting : options) {
            OptionSpec option = train.findOption("--" + setting.name());
            assertThat(Section.of(option).heading())
                    .as(setting.name())
                    .isEqualTo(setting.heading().text());
        }
    }

    @Test
    void optionsForReadingAreUnderTheirOwnHeadings() {
        String help = Cli.run("train", "--help").out();
        assertThat(help.split("\nReading data:\n")[1].split("\n\n")[0]).contains("--format", "--label-column");
        assertThat(help.split("\nReading from a database:\n")[1].split("\n\n")[0])
                .contains("--jdbc", "--table");
    }

    @Test
    void optionsOfTheObjectiveAreUnderOneHeading() {
        assertThat(Cli.run("train", "--help").out().split("\nObjective:\n")[1].split("\n\n")[0])
                .contains("--loss", "--lambda", "--l1", "--standardize")
                .doesNotContain("--nodes", "--jdbc", "--gap");
        assertThat(Cli.run("predict", "--help").out())
                .doesNotContain("Objective:")
                .contains("\nOptions:\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"train", "keys", "completion"})
    void helpOnACommandIsTheSameAsItsHelpOption(String command) {
        Cli help = Cli.ok("help", command);
        assertThat(help.out()).isEqualTo(Cli.run(command, "--help").out());
    }

    @Test
    void helpWorksForSubcommands() {
        assertThat(Cli.run("help", "keys", "init").out())
                .isEqualTo(Cli.run("keys", "init", "--help").out());
        assertThat(Cli.run("help").out()).isEqualTo(Cli.run("--help").out());
        assertThat(Cli.run("help", "keys", "ini").err())
                .isEqualTo("starling: unknown command 'ini'; did you mean 'init'? see 'starling keys --help'\n");
        assertThat(Cli.run("help", "train", "x").err())
                .isEqualTo("starling: unknown command 'x'; see 'starling train --help'\n");
    }

    @Test
    void helpFitsANarrowTerminal() {
        int columns = new Terminal(80).helpWidth();
        CommandLine all = Main.commandLine(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()));
        List<CommandLine> each = Stream.concat(Stream.of(all), all.getSubcommands().values().stream())
                .toList();
        List<String> wide = each.stream().map(CommandLine::getUsageMessage).toList();
        all.setUsageHelpWidth(columns);
        for (int k = 0; k < wide.size(); k++) {
            String narrow = each.get(k).getUsageMessage();
            assertThat(narrow.lines()).allMatch(line -> line.length() <= columns);
            assertThat(narrow.replaceAll("\\s+", "")).isEqualTo(wide.get(k).replaceAll("\\s+", ""));
        }
    }

    @Test
    void helpIsAsWideAsTheTerminalWithinLimits() {
        assertThat(new Terminal(0).helpWidth()).isEqualTo(100);
        assertThat(new Terminal(200).helpWidth()).isEqualTo(100);
        assertThat(new Terminal(90).helpWidth()).isEqualTo(90);
        assertThat(new Terminal(20).helpWidth()).isEqualTo(72);
    }

    @Test
    void everyCommandPrintsTheVersion() {
        assertThat(Cli.run("keys", "init", "--version").out())
                .isEqualTo(Cli.run("--version").out());
    }
}
