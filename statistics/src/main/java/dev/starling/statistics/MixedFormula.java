package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A formula with a random intercept, such as {@code y ~ age + (1 | patient)}.
 *
 * @param formula the rest of the formula
 * @param cluster the column whose cells name a row's cluster
 */
public record MixedFormula(String formula, String cluster) {

    private static final Pattern INTERCEPT =
            Pattern.compile("\\+?\\s*\\(\\s*1\\s*\\|\\s*(?:`([^`]+)`|([^`()|+*:/\\s]+))\\s*\\)");

    /** Reads a formula; empty if nothing in it is random. */
    public static Optional<MixedFormula> of(String text) {
        String bare = text.replaceAll("`[^`]*`", "");
        if (bare.indexOf('|') < 0) {
            return Optional.empty();
        }
        Matcher found = INTERCEPT.matcher(text);
        if (bare.indexOf('|') != bare.lastIndexOf('|') || !found.find()) {
            throw new InvalidInputException("the formula '" + text + "' has random effects other than one intercept;"
                    + " write it as in y ~ age + (1 | patient)");
        }
        String rest = (text.substring(0, found.start()) + text.substring(found.end())).strip();
        String fixed = rest.replaceFirst("~\\s*\\+", "~");
        return Optional.of(new MixedFormula(
                fixed.endsWith("~") ? fixed + " 1" : fixed, found.group(1) == null ? found.group(2) : found.group(1)));
    }
}
