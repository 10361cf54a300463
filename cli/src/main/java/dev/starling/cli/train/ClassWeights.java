package dev.starling.cli.train;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.settings.ClassWeighting;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Class weights as given by options.
 *
 * @param bySpelling the weight of each class, by its name in the data
 * @param balanced whether all classes have the same total weight instead
 */
record ClassWeights(Map<String, Double> bySpelling, boolean balanced) {

    private static final String BALANCED = ClassWeighting.BALANCED_TEXT;

    /** Completion candidates for a weight. */
    static final class Balanced implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(BALANCED).iterator();
        }
    }

    static ClassWeights parse(List<String> options, Loss loss) {
        if (options.contains(BALANCED)) {
            if (options.size() > 1) {
                throw new InvalidInputException("--class-weight " + BALANCED
                        + " sets the weights of all classes; leave out either it or the other weights");
            }
            if (!loss.isClassification()) {
                throw new InvalidInputException("--class-weight " + BALANCED
                        + " goes with losses for classes, not with --loss " + loss.name() + "; leave it out");
            }
            return new ClassWeights(Map.of(), true);
        }
        Map<String, Double> result = new LinkedHashMap<>();
        for (String text : options) {
            int equals = text.lastIndexOf('=');
            try {
                double weight = Double.parseDouble(text.substring(equals + 1));
                if (equals > 0
                        && weight > 0
                        && weight < Double.POSITIVE_INFINITY
                        && result.put(text.substring(0, equals), weight) == null) {
                    continue;
                }
            } catch (NumberFormatException e) {
                throw malformed(text, e);
            }
            throw malformed(text, null);
        }
        return new ClassWeights(result, false);
    }

    /** Returns the options that give a model's classes these weights. */
    static List<String> options(ClassWeighting weighting, LinearModel model) {
        return weighting.balanced()
                ? List.of(BALANCED)
                : weighting.byLabel().entrySet().stream()
                        .map(entry -> model.spelling(entry.getKey()) + "=" + entry.getValue())
                        .toList();
    }

    /** Returns the weights by the numbers that represent classes internally. */
    ClassWeighting byLabel(Optional<Recipe> recipe) {
        if (balanced) {
            return ClassWeighting.BALANCED;
        }
        Map<Double, Double> result = new TreeMap<>();
        bySpelling.forEach((spelling, weight) -> {
            double label = recipe.map(made -> made.target().label(spelling)).orElseGet(() -> number(spelling, weight));
            if (Double.isNaN(label)) {
                throw InvalidInputException.unknownName(
                        "class", spelling, recipe.orElseThrow().target().classes());
            }
            if (result.put(label + 0.0, weight) != null) {
                throw malformed(spelling + "=" + weight, null);
            }
        });
        return ClassWeighting.of(result);
    }

    private static double number(String spelling, double weight) {
        try {
            return Double.parseDouble(spelling);
        } catch (NumberFormatException e) {
            throw malformed(spelling + "=" + weight, e);
        }
    }

    private static InvalidInputException malformed(String text, Throwable cause) {
        return new InvalidInputException(
                "--class-weight '" + text
                        + "' must be a label and a positive weight, each label once, such as 1=5; or balanced",
                cause);
    }
}
