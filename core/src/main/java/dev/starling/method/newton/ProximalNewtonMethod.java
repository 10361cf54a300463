package dev.starling.method.newton;

import dev.starling.data.InvalidInputException;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.method.sums.SumsMethod;
import dev.starling.network.Network;
import dev.starling.problem.Regulariser;
import java.util.List;
import java.util.Optional;

/**
 * Newton's method for elastic nets: the sums are the same, and a step minimises a model with the l1 term. Without that
 * term it is Newton's method itself.
 */
public final class ProximalNewtonMethod implements SumsMethod {

    private static final String NAME = "proximal-newton";

    /** Beyond {@link NewtonMethod#MOST_FEATURES} a matrix is read off gradients; beyond this it has no room. */
    private static final int MOST_FEATURES = 2000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Newton steps for smooth losses with an l1 term and few features";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        if (objective.isSmooth()) {
            return new NewtonMethod().objectionTo(objective);
        }
        if (objective.intercept()) {
            return Optional.of(
                    "method " + NAME + " cannot take an intercept that is not regularised; give a bias instead");
        }
        return objective.loss().smoothness() < Double.POSITIVE_INFINITY
                ? Optional.empty()
                : Optional.of("method " + NAME + " cannot take the loss "
                        + objective.loss().name() + ", which has kinks; adfs can");
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return shape.features() <= NewtonMethod.MOST_FEATURES;
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        if (objective.isSmooth()) {
            return new NewtonMethod().tune(network, objective, shape, facts, delay);
        }
        if (shape.features() > MOST_FEATURES) {
            throw new InvalidInputException("method " + NAME + " takes at most " + MOST_FEATURES
                    + " features, and there are " + shape.features() + "; adfs takes any number");
        }
        double ratio = ((Regulariser.ElasticNet) objective.regulariser()).ratio();
        boolean direct = shape.features() <= NewtonMethod.MOST_FEATURES;
        return TunedNewton.of(
                NAME, network, new PassLayout(shape.features(), false), objective, ratio, direct, facts, delay);
    }
}
