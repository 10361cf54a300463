package dev.starling.cli.options;

import dev.starling.settings.Setting;

/** Rewrites the library's messages about settings so that they name the options of the command line. */
public final class OptionWords {

    private OptionWords() {}

    public static String of(String message) {
        boolean named = Setting.all().stream().anyMatch(setting -> message.startsWith(setting.name() + " "));
        return (named ? "--" + message : message)
                .replace("and intercept both", "and --intercept both")
                .replace("give a bias", "give --bias 1")
                .replace(
                        "give lambda-path too, or for one problem l1",
                        "give --lambda-path too, or for one problem --l1");
    }
}
