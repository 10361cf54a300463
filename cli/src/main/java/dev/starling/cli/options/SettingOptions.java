package dev.starling.cli.options;

import dev.starling.cli.console.Json;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options that are settings: what help says of them, their defaults, and what they take from an earlier run, come from
 * the table of settings.
 */
public final class SettingOptions {

    private static final List<String> ONE_LAMBDA = List.of("--lambda", "--c", "--l1");

    /** Options that decide a setting as well as the one with its name. */
    private static final Map<Setting<?>, List<String>> OTHERS = Map.of(
            Setting.LAMBDA, List.of("--c"),
            Setting.LAMBDA_PATH, ONE_LAMBDA,
            Setting.L1_RATIOS, ONE_LAMBDA,
            Setting.CV, ONE_LAMBDA,
            Setting.CV_RULE, List.of("--lambda", "--c", "--l1", "--cv"),
            Setting.CV_COLUMNS, List.of("--lambda", "--c", "--l1", "--cv", "--cv-groups"),
            Setting.BIAS, List.of("--intercept", "--no-intercept"),
            Setting.INTERCEPT, List.of("--bias", "--no-intercept"),
            Setting.SCALING, List.of("--standardize"),
            Setting.CLASS_WEIGHTS, List.of("--class-weight"));

    private SettingOptions() {}

    /** Completes the options of a command that have no description of their own, and keeps the order of all. */
    public static void complete(CommandSpec command) {
        List<OptionSpec> options = List.copyOf(command.options());
        if (options.stream().anyMatch(SettingOptions::isBare)) {
            for (OptionSpec option : options) {
                command.remove(option);
            }
            for (OptionSpec option : options) {
                command.addOption(isBare(option) ? completed(option) : option);
            }
        }
    }

    /** The options that decide a setting. */
    static Stream<String> deciding(Setting<?> setting) {
        return Stream.concat(Stream.of("--" + setting.name()), OTHERS.getOrDefault(setting, List.of()).stream());
    }

    /** Whether no option decides a setting. */
    public static boolean isOpen(Setting<?> setting, Predicate<String> isGiven) {
        return deciding(setting).noneMatch(isGiven);
    }

    /**
     * Gives the options of a command the values that settings have.
     *
     * @param which which settings
     */
    public static void take(CommandSpec command, Settings settings, Predicate<Setting<?>> which) {
        Map<String, String> texts = settings.toMap();
        Setting.all().stream().filter(which).map(Setting::name).forEach(name -> {
            OptionSpec option = command.findOption("--" + name);
            if (option != null) {
                option.setValue(value(option.type(), texts.get(name)));
            }
        });
    }

    private static Object value(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        }
        if (type == Boolean.class) {
            return Boolean.valueOf(text);
        }
        return type == long.class ? (Object) Long.valueOf(text) : Double.valueOf(text);
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
        if (setting.hasChoices()) {
            completed.completionCandidates(() -> setting.choices().iterator());
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
