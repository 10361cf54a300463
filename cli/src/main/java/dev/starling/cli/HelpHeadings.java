package dev.starling.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Puts the options of commands that have many of them under headings, so that help can be skimmed. */
final class HelpHeadings {

    /** A command with fewer options lists them as they are. */
    private static final int FEWEST_OPTIONS = 16;

    private static final int COMMAND_WIDTH = 12;

    /** The first command under each heading of the list of commands. */
    private static final Map<String, String> FIRST_COMMANDS = Map.of(
            "demo", "Start here",
            "describe", "Models",
            "study", "Between sites",
            "compare", "Methods, for research",
            "completion", "The shell");

    /** What is found under no heading is the command's own. */
    private static final String OWN = "Options";

    /** Where a command has no loss, these options are about models that were trained before, and so its own. */
    private static final String OBJECTIVE = "Objective";

    /** Headings in the order of help, with the options under each in any order. */
    static final Map<String, List<String>> HEADINGS = headings();

    private HelpHeadings() {}

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

    /** Gives headings to the list of all commands, and to every command, at any depth, that has many options. */
    static void give(CommandLine main) {
        main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        main.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpHeadings::renderCommands);
        main.getSubcommands().values().forEach(HelpHeadings::giveToOptions);
    }

    /** Each command under the heading of the last one that has one. */
    private static String renderCommands(Help help) {
        StringBuilder text = new StringBuilder();
        help.subcommands().forEach((name, command) -> {
            if (FIRST_COMMANDS.containsKey(name)) {
                text.append(String.format("%n%s:%n", FIRST_COMMANDS.get(name)));
            }
            text.append(String.format("  %-" + COMMAND_WIDTH + "s%s%n", name, sentence(command)));
        });
        return text.toString();
    }

    private static String sentence(Help command) {
        UsageMessageSpec usage = command.commandSpec().usageMessage();
        return usage.header().length > 0 ? usage.header()[0] : usage.description()[0];
    }

    private static void giveToOptions(CommandLine command) {
        if (command.getCommandSpec().options().size() >= FEWEST_OPTIONS) {
            command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
            command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpHeadings::render);
        }
        command.getSubcommands().values().forEach(HelpHeadings::giveToOptions);
    }

    private static String render(Help help) {
        List<OptionSpec> shown = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        HEADINGS.keySet().forEach(heading -> groups.put(heading, new ArrayList<>()));
        boolean minimises = help.commandSpec().findOption("--loss") != null;
        shown.forEach(option -> {
            String heading = heading(option);
            groups.get(heading.equals(OBJECTIVE) && !minimises ? OWN : heading).add(option);
        });
        StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) -> {
            if (!options.isEmpty()) {
                Help.Layout layout = help.createDefaultLayout(shown, List.of(), help.colorScheme());
                layout.addOptions(options, help.parameterLabelRenderer());
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
}
