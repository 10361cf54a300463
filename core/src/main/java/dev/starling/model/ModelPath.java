package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Finds the model of a path for given λ and λ₁. */
final class ModelPath {

    /** The relative error allowed in a number that is given to a few digits only. */
    private static final double TOLERANCE = 1e-2;

    /** With more values than these, a message names the nearest. */
    private static final int MOST_LISTED = 3;

    private static final String LAMBDA = "lambda";
    private static final String L1 = "l1";

    private ModelPath() {}

    /** The number that a setting had when a model was trained; NaN if it is not known. */
    static double number(LinearModel model, String setting) {
        return Double.parseDouble(model.provenance().settings().getOrDefault(setting, "NaN"));
    }

    static LinearModel at(List<LinearModel> path, double lambda, OptionalDouble l1) {
        if (path.isEmpty()) {
            throw new InvalidInputException(
                    "the model is for one lambda only, not for a path of them; leave lambda out");
        }
        List<LinearModel> near = path.stream()
                .filter(model -> isNear(number(model, LAMBDA), lambda))
                .toList();
        List<LinearModel> both = near.stream()
                .filter(model -> l1.isEmpty() || isNear(number(model, L1), l1.getAsDouble()))
                .toList();
        List<LinearModel> nearest = nearest(both, LAMBDA, lambda);
        List<LinearModel> found = l1.isPresent() ? nearest(nearest, L1, l1.getAsDouble()) : nearest;
        if (found.size() != 1) {
            throw new InvalidInputException("the path has " + (found.isEmpty() ? "no model" : "several models")
                    + " for lambda " + lambda + (l1.isPresent() ? ", l1 " + l1.getAsDouble() : "") + "; "
                    + (near.isEmpty()
                            ? values(path, LAMBDA, OptionalDouble.of(lambda))
                            : values(found.isEmpty() ? near : found, L1, l1)));
        }
        return found.get(0);
    }

    /** What values a setting has in some models: all if they are few, or else their range and the nearest ones. */
    private static String values(List<LinearModel> models, String setting, OptionalDouble wanted) {
        List<Double> all = models.stream()
                .map(model -> number(model, setting))
                .distinct()
                .sorted()
                .toList();
        if (all.size() <= MOST_LISTED) {
            return "there " + (all.size() == 1 ? "is " : "are ") + setting + " " + text(all);
        }
        String range = all.size() + " values of " + setting + ", from " + all.get(0) + " to " + all.get(all.size() - 1);
        return wanted.isEmpty()
                ? "take one of its " + range
                : "of its " + range + ", the nearest are "
                        + text(all.stream()
                                .sorted(Comparator.comparingDouble(value -> Math.abs(value - wanted.getAsDouble())))
                                .limit(MOST_LISTED)
                                .sorted()
                                .toList());
    }

    private static String text(List<Double> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static List<LinearModel> nearest(List<LinearModel> models, String setting, double wanted) {
        double distance = models.stream()
                .mapToDouble(model -> Math.abs(number(model, setting) - wanted))
                .min()
                .orElse(0);
        return models.stream()
                .filter(model -> Math.abs(number(model, setting) - wanted) == distance)
                .toList();
    }

    private static boolean isNear(double value, double wanted) {
        return Math.abs(value - wanted) <= TOLERANCE * Math.abs(wanted);
    }
}
