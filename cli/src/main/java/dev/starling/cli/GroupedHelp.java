package dev.starling.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Help that can be skimmed: commands are grouped under headings, and so are options if a command has many. */
final class GroupedHelp extends Help {

    /** A command with fewer options lists them without headings. */
    private static final int FEWEST_OPTIONS = 16;

    private static final int COMMAND_INDENT = 2;
    private static final int COMMAND_WIDTH = 12;

    /** The first command under each heading of the list of commands. */
    private static final Map<String, String> FIRST_COMMANDS = Map.of(
            "demo", "Start here",
            "describe", "Models",
            "study", "Between sites",
            "compare", "Methods, for research",
            "completion", "The shell");

    /** The heading of options that have no other: those of the command itself. */
    private static final String OWN = "Options";

    /** In a command without {@code --loss}, these options choose among trained models, so they count as its own. */
    private static final String OBJECTIVE = "Objective";

    /** Headings in the order in which help shows them, each with its options in any order. */
    static final Map<String, List<String>> HEADINGS = headings();

    private GroupedHelp(CommandSpec spec, ColorScheme colors) {
        super(spec, colors);
    }

    /** Declared to return what picocli wants, so that {@link Factory} can be linked without loading either class. */
    private static Help of(CommandSpec spec, ColorScheme colors) {
        return new GroupedHelp(spec, colors);
    }

    /**
     * Makes help when it is asked for: loading picocli's help takes longer than most of what else a command starts
     * with.
     */
    static final class Factory implements IHelpFactory {
        @Override
        public Help create(CommandSpec spec, ColorScheme colors) {
            return of(spec, colors);
        }
    }

    private static Map<String, List<String>> headings() {
        Map<String, List<String>> headings = new LinkedHashMap<>();
        headings.put(OWN, List.of());
        headings.put(
                OBJECTIVE,
                List.of(
                        "--loss",
                        "--delta",
                        "--epsilon",
                        "--quantile",
                        "--smoothing",
                        "--lambda",
                        "--c",
                        "--l1",
                        "--bias",
                        "--intercept",
                        "--no-intercept",
                        "--standardize",
                        "--class-weight",
                        "--weights"));
        headings.put("Choosing lambda", List.of("--lambda-path", "--l1-ratios", "--cv", "--cv-groups", "--cv-rule"));
        headings.put("When to stop", List.of("--gap", "--gradient", "--time", "--max-epochs", "--max-seconds"));
        headings.put("Judging the model", List.of("--test", "--holdout"));
        headings.put(
                "Nodes and method",
                List.of("--nodes", "--topology", "--graph", "--method", "--tau", "--runtime", "--threads", "--seed"));
        headings.put(
                "What goes wrong in the network",
                List.of(
                        "--slow",
                        "--edge-delay",
                        "--even-tuning",
                        "--jitter",
                        "--message-loss",
                        "--outages",
                        "--stragglers",
                        "--varying"));
        headings.put(
                "Reading data",
                List.of(
                        "--format",
                        "--label-column",
                        "--column-names",
                        "--weights-column",
                        "--offset-column",
                        "--id-column"));
        headings.put(
                "What the columns of a table mean",
                List.of(
                        "--recipe",
                        "--study",
                        "--formula",
                        "--keep",
                        "--drop",
                        "--missing",
                        "--missing-token",
                        "--kind",
                        "--levels",
                        "--reference",
                        "--rare",
                        "--unknown",
                        "--hash"));
        headings.put(
                "Reading from a database",
                List.of("--jdbc", "--query", "--table", "--user", "--password-file", "--driver-jar", "--fetch-size"));
        headings.put(
                "Output",
                List.of(
                        "--model",
                        "--model-format",
                        "--no-model",
                        "--output",
                        "--report",
                        "--page",
                        "--svg",
                        "--csv",
                        "--points",
                        "--watch",
                        "--explain",
                        "--dry-run",
                        "--json",
                        "--quiet"));
        headings.put("Help", List.of("--help", "--version", "--debug"));
        return headings;
    }

    @Override
    public String synopsis(int headingLength) {
        return hasMany() ? abbreviatedSynopsis() : super.synopsis(headingLength);
    }

    @Override
    public String optionList() {
        return hasMany() ? groupedOptions() : super.optionList();
    }

    private boolean hasMany() {
        return commandSpec().options().size() >= FEWEST_OPTIONS;
    }

    private String groupedOptions() {
        List<OptionSpec> shown = commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        HEADINGS.keySet().forEach(heading -> groups.put(heading, new ArrayList<>()));
        boolean minimises = commandSpec().findOption("--loss") != null;
        shown.forEach(option -> {
            String heading = heading(option);
            groups.get(heading.equals(OBJECTIVE) && !minimises ? OWN : heading).add(option);
        });
        StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) -> {
            if (!options.isEmpty()) {
                Layout layout = createDefaultLayout(shown, List.of(), colorScheme());
                layout.addOptions(options, parameterLabelRenderer());
                text.append(String.format("%n%s:%n%s", heading, layout));
            }
        });
        return text.toString();
    }

    private static String heading(OptionSpec option) {
        return HEADINGS.entrySet().stream()
                .filter(entry -> entry.getValue().contains(option.longestName()))
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(OWN);
    }

    @Override
    public String commandListHeading(Object... parameters) {
        return isOfAll() ? "" : super.commandListHeading(parameters);
    }

    /** Lists the commands, with each heading above the first command of its group. */
    @Override
    public String commandList() {
        if (!isOfAll()) {
            return super.commandList();
        }
        StringBuilder text = new StringBuilder();
        subcommands().forEach((name, command) -> {
            if (FIRST_COMMANDS.containsKey(name)) {
                text.append(String.format("%n%s:%n", FIRST_COMMANDS.get(name)));
            }
            text.append(line(name, sentence(command)));
        });
        return text.toString();
    }

    /** A command and its sentence, which is wrapped where it is wider than help. */
    private String line(String name, String sentence) {
        TextTable table = TextTable.forColumns(
                colorScheme(),
                new Column(COMMAND_INDENT + COMMAND_WIDTH, COMMAND_INDENT, Column.Overflow.SPAN),
                new Column(
                        commandSpec().usageMessage().width() - COMMAND_INDENT - COMMAND_WIDTH,
                        0,
                        Column.Overflow.WRAP));
        table.addRowValues(name, sentence);
        return table.toString();
    }

    private boolean isOfAll() {
        return commandSpec().parent() == null;
    }

    private static String sentence(Help command) {
        UsageMessageSpec usage = command.commandSpec().usageMessage();
        return usage.header().length > 0 ? usage.header()[0] : usage.description()[0];
    }
}
