package dev.starling.cli.options;

import dev.starling.settings.Setting;
import java.lang.reflect.Field;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** The sections of help for commands with many options, in the order in which it shows them. */
public enum Section {
    OWN("Options"),
    OBJECTIVE(Setting.Heading.OBJECTIVE.text()),
    CHOOSING_LAMBDA(Setting.Heading.CHOOSING_LAMBDA.text()),
    STOPPING(Setting.Heading.STOPPING.text()),
    EVALUATION(Setting.Heading.EVALUATION.text()),
    NODES(Setting.Heading.NODES.text()),
    FAILURES("What goes wrong in the network"),
    READING("Reading data"),
    COLUMNS("What the columns of a table mean"),
    DATABASE("Reading from a database"),
    OUTPUT("Output"),
    HELP("Help");

    private final String heading;

    Section(String heading) {
        this.heading = heading;
    }

    /** The heading above the section. */
    public String heading() {
        return heading;
    }

    /** The section of an option: that of its field, or else of the class it is declared in. */
    public static Section of(OptionSpec option) {
        if (option.usageHelp() || option.versionHelp()) {
            return HELP;
        }
        return option.userObject() instanceof Field field
                ? Stream.of(
                                field.getAnnotation(Under.class),
                                field.getDeclaringClass().getAnnotation(Under.class))
                        .filter(under -> under != null)
                        .findFirst()
                        .map(Under::value)
                        .orElse(OWN)
                : OWN;
    }
}
