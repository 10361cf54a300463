package dev.starling.method.newton;

import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/** A few passes over all samples, after each of which nodes sum up gradients and curvatures over a spanning tree. */
public final class NewtonMethod implements Method {

    /** The largest number of features whose Hessian is small beside most data. */
    static final int MOST_FEATURES = 500;

    /** The largest number of values in a row, on average, whose squares are worth summing up. */
    private static final int MOST_VALUES = 100;

    @Override
    public String name() {
        return "newton";
    }

    @Override
    public String description() {
        return "Newton steps on sums over a spanning tree, for smooth losses";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        if (objective.isSmooth()) {
            return Optional.empty();
        }
        return Optional.of("method newton cannot take " + objective.kinks() + ", which has kinks; "
                + (objective.intercept()
                        ? "no method can while the intercept is not regularised, so give a bias instead"
                        : "adfs can"));
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return true;
    }

    @Override
    public boolean tellsMoreThanSums() {
        return false;
    }

    @Override
    public int factCount() {
        return 0;
    }

    @Override
    public double[] facts(LocalProblem problem) {
        return new double[0];
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        boolean direct = shape.features() <= MOST_FEATURES && shape.nonZerosPerRow() <= MOST_VALUES;
        PassLayout layout = new PassLayout(shape.features(), objective.intercept());
        return TunedNewton.of(name(), network, layout, 0, direct, facts, delay);
    }
}
