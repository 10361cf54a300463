package dev.starling.cli.train;

/** Rewrites the library's messages about settings so that they name the options of the command line. */
final class OptionWords {

    private OptionWords() {}

    static String of(String message) {
        return message.replaceFirst("^(gap|max-|bias|tau|l1|lambda-path|cv|method|holdout)", "--$1")
                .replace("and intercept both", "and --intercept both")
                .replace("give a bias", "give --bias 1");
    }
}
