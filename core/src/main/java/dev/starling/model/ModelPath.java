package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Finds the model of a path for given λ and λ₁. */
final class ModelPath {

    /** The relative error allowed in a number that is given to a few digits only. */
    private static final double TOLERANCE = 1e-2;

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
