package dev.starling.method.multipliers;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.PiecewiseLinearLoss;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.sums.RowSamples;
import dev.starling.method.sums.SumsMethod;
import dev.starling.network.Network;
import java.util.List;
import java.util.Optional;

/**
 * The method of multipliers for losses with kinks: a sequence of smoothed problems, solved by Newton steps on sums over
 * a tree.
 */
public final class MultipliersMethod implements SumsMethod {

    /** The largest number of features for which a Hessian is small compared with most data sets. */
    private static final int MOST_FEATURES = 500;

    @Override
    public String name() {
        return "multipliers";
    }

    @Override
    public String description() {
        return "semismooth Newton steps on sums over a spanning tree, for losses with kinks";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        if (!objective.isRegularised()) {
            return Optional.of("method multipliers cannot do without regularisation; give lambda a positive value");
        }
        if (!(objective.loss() instanceof PiecewiseLinearLoss)) {
            return Optional.of("method multipliers cannot take the loss "
                    + objective.loss().name() + ", which is not piecewise linear; "
                    + (objective.isSmooth()
                            ? "newton"
                            : objective.loss().hasBoundedCurvature() ? "adfs" : "proximal-newton")
                    + " can");
        }
        return Optional.empty();
    }

    @Override
    public Optional<String> objectionTo(Objective objective, Shape shape) {
        boolean room = objective.regulariser().isSmooth() || shape.features() <= MOST_FEATURES;
        return room
                ? objectionTo(objective)
                : Optional.of("method multipliers takes at most " + MOST_FEATURES
                        + " features with an l1 term, and there are " + shape.features() + "; adfs takes any number"
                        + (objective.intercept() ? ", with a bias instead of the intercept" : ""));
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return shape.features() <= MOST_FEATURES;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        GradientLayout layout = new GradientLayout(shape.features(), objective.intercept());
        return GradientLayout.kinds(shape.features() <= MOST_FEATURES)
                .map(kind -> new TrainingSum(kind, kind.text(), layout.numbers(kind)))
                .toList();
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        objectionTo(objective, shape).ifPresent(objection -> {
            throw new InvalidInputException(objection);
        });
        GradientLayout layout = new GradientLayout(shape.features(), objective.intercept());
        Facts totals = Facts.total(facts);
        double lambda = totals.sigma() / totals.weight();
        return new TunedMultipliers(
                network.spanningTree(),
                layout,
                new Penalty(lambda, objective.regulariser().l1(lambda), layout.regularised()),
                shape.features() <= MOST_FEATURES,
                firstStride(shape),
                network.size(),
                totals,
                delay);
    }

    /**
     * Returns the stride of the first row sample. It is 1, which means no samples, if factorising the Hessian is most
     * of the work, since a step on few rows is then no cheaper than one on all.
     */
    private static int firstStride(Shape shape) {
        double factorisation = (double) shape.features() * shape.features() * shape.features() / 3;
        boolean pays = shape.features() <= MOST_FEATURES && shape.stored() >= factorisation;
        return pays ? RowSamples.first(shape.features(), shape.rows()) : 1;
    }
}
