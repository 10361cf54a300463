package dev.starling.cli.options;

import dev.starling.cli.console.Json;
import dev.starling.settings.Setting;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Options that are settings: what help says of them, and their defaults, come from the table of settings. */
public final class SettingOptions {

    private SettingOptions() {}

    /** Completes the options of a command that have no description of their own, and keeps the order of all. */
    public static void complete(CommandSpec command) {
        List<OptionSpec> options = List.copyOf(command.options());
        if (options.stream().anyMatch(SettingOptions::isBare)) {
            options.forEach(command::remove);
            options.forEach(option -> command.addOption(isBare(option) ? completed(option) : option));
        }
    }

    private static boolean isBare(OptionSpec option) {
        return option.description().length == 0;
    }

    private static OptionSpec completed(OptionSpec option) {
        Setting<?> setting = Setting.named(option.longestName().substring(2));
        OptionSpec.Builder completed = option.toBuilder().description(description(setting));
        if (option.arity().max() > 0) {
            completed.paramLabel(setting.label());
        }
        if (!setting.choices().isEmpty()) {
            completed.completionCandidates(setting.choices());
        }
        if (option.type().isPrimitive() || option.type() == String.class) {
            completed.defaultValue(setting.usualText());
        }
        return completed.build();
    }

    /** The help, with the default before its last full stop unless it says the default itself. */
    private static String description(Setting<?> setting) {
        String usual = setting.usual() instanceof Double number ? Json.text(number) : setting.usualText();
        boolean said = setting.help().contains("default") || usual.isEmpty() || setting.type() == Boolean.class;
        String help = setting.help();
        return said ? help : help.substring(0, help.length() - 1) + " (default: " + usual + ").";
    }
}
