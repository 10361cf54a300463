package dev.starling.cli.train;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Options for weights of classes. */
final class ClassWeightOptions {

    private static final String NAME = "--class-weight";

    @Option(names = NAME, paramLabel = "LABEL=W", description = "Weight of the rows with a label; may be repeated.")
    private List<String> weights = List.of();

    /** Takes them from the settings of an earlier run unless they are given. */
    void like(Settings settings, Predicate<String> isGiven) {
        weights = isGiven.test(NAME)
                ? weights
                : settings.classWeights().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList();
    }

    /** The weights by label. */
    Map<Double, Double> byLabel() {
        Map<Double, Double> result = new TreeMap<>();
        for (String text : weights) {
            int equals = text.indexOf('=');
            try {
                double label = Double.parseDouble(text.substring(0, Math.max(0, equals)));
                double weight = Double.parseDouble(text.substring(equals + 1));
                if (weight > 0 && weight < Double.POSITIVE_INFINITY && result.put(label + 0.0, weight) == null) {
                    continue;
                }
            } catch (NumberFormatException e) {
                throw new InvalidInputException(malformed(text), e);
            }
            throw new InvalidInputException(malformed(text));
        }
        return result;
    }

    private static String malformed(String text) {
        return NAME + " '" + text + "' must be a label and a positive weight, each label once, such as 1=5";
    }
}
