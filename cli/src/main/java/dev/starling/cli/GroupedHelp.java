package dev.starling.cli;

import dev.starling.cli.options.Section;
import java.util.ArrayList;
import java.util.EnumMap;
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
        Map<Section, List<OptionSpec>> sections = new EnumMap<>(Section.class);
        shown.forEach(option -> sections.computeIfAbsent(Section.of(option), section -> new ArrayList<>())
                .add(option));
        StringBuilder text = new StringBuilder();
        sections.forEach((section, options) -> {
            Layout layout = createDefaultLayout(shown, List.of(), colorScheme());
            layout.addOptions(options, parameterLabelRenderer());
            text.append(String.format("%n%s:%n%s", section.heading(), layout));
        });
        return text.toString();
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
