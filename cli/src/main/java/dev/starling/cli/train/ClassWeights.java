package dev.starling.cli.train;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code --class-weight} says. */
final class ClassWeights {

    private ClassWeights() {}

    /** Weights by label from words such as {@code 1=5}. */
    static Map<Double, Double> of(List<String> words) {
        Map<Double, Double> result = new TreeMap<>();
        for (String text : words) {
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
        return "--class-weight '" + text + "' must be a label and a positive weight, each label once, such as 1=5";
    }
}
