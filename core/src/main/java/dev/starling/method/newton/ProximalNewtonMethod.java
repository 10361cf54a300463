package dev.starling.method.newton;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.method.sums.SumsMethod;
import dev.starling.network.Network;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Newton's method for elastic nets, and for an l1 term alone: the sums are those of Newton's method, and a step
 * minimises a model that includes the l1 term; with many features, of a working set of the columns. Without an l1 term
 * this is Newton's method itself.
 */
public final class ProximalNewtonMethod implements SumsMethod {

    private static final String NAME = "proximal-newton";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "Newton steps for smooth losses with an l1 term";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        Loss loss = objective.loss();
        if (objective.isSmooth() || loss.comparesRows() || (loss.outputs() > 1 && loss.isThirdBounded())) {
            return new NewtonMethod().objectionTo(objective);
        }
        if (loss.outputs() > 1) {
            return NewtonMethod.objectionToOutputs(objective);
        }
        return objective.loss().isDifferentiable()
                ? Optional.empty()
                : Optional.of("method " + NAME + " cannot take the loss "
                        + objective.loss().name() + ", which has kinks; "
                        + (objective.intercept() ? "multipliers can" : "multipliers or adfs can"));
    }

    @Override
    public boolean takesSeveralOutputs() {
        return true;
    }

    @Override
    public boolean takesOffsets() {
        return true;
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        if (objective.isSmooth()) {
            return new NewtonMethod().trainingSums(objective, shape);
        }
        PassLayout layout = NewtonMethod.layout(objective, shape);
        PassSums curvature = layout.parameters() <= NewtonMethod.MOST_FEATURES ? PassSums.HESSIAN : PassSums.COLUMNS;
        return NewtonMethod.listed(EnumSet.of(PassSums.GRADIENT, curvature), layout);
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        if (objective.isSmooth()) {
            return new NewtonMethod().tune(network, objective, shape, facts, delay);
        }
        objectionTo(objective, shape).ifPresent(objection -> {
            throw new InvalidInputException(objection);
        });
        PassLayout layout = NewtonMethod.layout(objective, shape);
        boolean direct = layout.parameters() <= NewtonMethod.MOST_FEATURES;
        return TunedNewton.of(NAME, network, layout, objective, direct, facts, delay);
    }
}
