package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Which model of a path is for which λ and λ₁. */
final class ModelPath {

    /** How far off a number in a few digits may be. */
    private static final double TOLERANCE = 1e-2;

    private ModelPath() {}

    /** A number among the settings that a model was trained with. */
    static double number(LinearModel model, String setting) {
        return Double.parseDouble(model.provenance().settings().getOrDefault(setting, "NaN"));
    }

    static LinearModel at(List<LinearModel> path, double lambda, OptionalDouble l1) {
        if (path.isEmpty()) {
            throw new InvalidInputException("a model for one lambda only, not for a path of them; leave lambda out");
        }
        List<LinearModel> near = path.stream()
                .filter(model -> isNear(number(model, "lambda"), lambda)
                        && (l1.isEmpty() || isNear(number(model, "l1"), l1.getAsDouble())))
                .toList();
        List<LinearModel> nearest = nearest(near, "lambda", lambda);
        List<LinearModel> found = l1.isPresent() ? nearest(nearest, "l1", l1.getAsDouble()) : nearest;
        if (found.size() != 1) {
            throw new InvalidInputException("the path has " + (found.isEmpty() ? "no model" : "several models")
                    + " for lambda " + lambda + (l1.isPresent() ? ", l1 " + l1.getAsDouble() : "")
                    + "; there are lambda, l1: "
                    + path.stream()
                            .map(model -> number(model, "lambda") + ", " + number(model, "l1"))
                            .collect(Collectors.joining("; ")));
        }
        return found.get(0);
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
