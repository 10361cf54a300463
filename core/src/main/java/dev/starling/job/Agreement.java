package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Settings;
import java.util.List;
import java.util.Optional;

/**
 * What the nodes have agreed on about all their rows: the same at every node. It brings rows into the form that the
 * problems have.
 *
 * @param settings the settings, with the loss for the number of classes and in the units of problems, and with actual
 *     weights where classes are balanced
 * @param units the units that problems are in
 * @param labels the classes
 * @param features the number of raw features, without that of the intercept
 * @param names the names of the features, if they have names
 * @param standardizer how features are scaled, if they are
 * @param deviations the standard deviations of the raw features; empty if nothing needs them
 * @param shape the shape of the rows of all nodes together
 * @param points the values of λ and λ₁
 * @param order the order of all problems
 */
public record Agreement(
        Settings settings,
        Units units,
        Labels labels,
        int features,
        List<String> names,
        Optional<Standardizer> standardizer,
        List<Double> deviations,
        Shape shape,
        List<LambdaPath.Point> points,
        ProblemOrder order) {

    /** Copies the lists. */
    public Agreement {
        names = List.copyOf(names);
        deviations = List.copyOf(deviations);
        points = List.copyOf(points);
    }

    /** The order of the problems of some classes. */
    static ProblemOrder order(Settings settings, int classes, int folds) {
        return new ProblemOrder(
                classes > 2 && settings.loss().outputs() == 1 ? classes : 1,
                settings.path().isPresent() ? settings.path().size() : 1,
                folds);
    }

    Agreement withPoints(List<LambdaPath.Point> others) {
        return new Agreement(settings, units, labels, features, names, standardizer, deviations, shape, others, order);
    }

    /** The number of margins of a row in each problem. */
    int outputs() {
        return settings.loss().outputs();
    }

    /** λ and λ₁ of a problem. */
    LambdaPath.Point point(int index) {
        return points.get(order.point(index));
    }

    /** λ and λ₁ of a problem, in its units. */
    LambdaPath.Point penalties(int index) {
        return units.penalties(point(index));
    }

    /** What is minimised at a point of the path. */
    Objective objective(int point) {
        return objective(points.get(point));
    }

    /** What is minimised for a λ and λ₁. */
    Objective objective(LambdaPath.Point point) {
        return settings.objective(units.penalties(point));
    }

    /** The unit of the targets that problems have, in that of the labels, which have the unit of problems. */
    double targetUnit() {
        return standardizer.map(Standardizer::targetUnit).orElse(1.0);
    }

    /** Converts the parameters of problems to raw features. */
    RawWeights raw(List<double[]> parameters) {
        return RawWeights.of(parameters, this);
    }

    /** The value of the intercept's feature, 0 if there is none. */
    float constant() {
        return units.constant(settings);
    }

    /** Returns rows in the units of problems, in the form that all problems have, but for their labels. */
    Dataset prepared(Dataset raw) {
        Dataset rows = settings.classWeights().apply(raw.withFeatures(features));
        if (standardizer.isPresent()) {
            rows = standardizer.get().apply(rows);
        }
        if (settings.constantFeature() > 0) {
            rows = rows.withBias(constant());
        }
        return rows.laidOut(shape.dense());
    }

    /**
     * Returns prepared rows with the labels of one problem: one class against the rest if there are more than two,
     * unless the loss takes all of them at once.
     */
    Dataset targets(Dataset prepared, int label) {
        if (outputs() > 1) {
            return labels.numbered(prepared);
        }
        return labels.isRegression() || labels.isBinary()
                ? labels.binary(prepared)
                : labels.binary(prepared, labels.classes().get(label));
    }
}
