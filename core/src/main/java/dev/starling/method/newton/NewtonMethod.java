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
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** A few passes over all samples, after each of which nodes sum up gradients and curvatures over a spanning tree. */
public final class NewtonMethod implements SumsMethod {

    /** The largest number of features whose Hessian is small beside most data. */
    static final int MOST_FEATURES = 500;

    /** The largest number of values in a row, on average, whose squares are worth summing up from the start. */
    private static final int MOST_VALUES = 100;

    /** The largest number of features whose Hessian has room, where there is no better way. */
    private static final int MOST_WITH_HESSIANS = 1000;

    /** Numbers that finding the span of the rows may take at all nodes together. */
    private static final int MOST_NUMBERS_IN_SPAN = 1 << 23;

    /** Hessians that are summed up where gradients alone have turned out slow. */
    private static final double HESSIANS = 6;

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
            return objective.isRegularised() || objective.loss().selfConcordance() < Double.POSITIVE_INFINITY
                    ? Optional.empty()
                    : Optional.of("lambda 0 needs the loss logistic or squared, whose curvature proves what is found,"
                            + " not " + objective.loss().name() + "; give lambda a positive value");
        }
        if (!objective.isRegularised() && objective.loss().smoothness() == Double.POSITIVE_INFINITY) {
            return Optional.of("lambda 0 needs a loss without kinks, not "
                    + objective.loss().name() + "; give lambda a positive value");
        }
        return Optional.of("method newton cannot take " + objective.kinks() + ", which has kinks; "
                + (objective.intercept() ? remedy(objective) : "adfs can"));
    }

    private static String remedy(Objective objective) {
        boolean smoothLoss = objective.loss().smoothness() < Double.POSITIVE_INFINITY;
        return smoothLoss ? "proximal-newton can" : "multipliers can";
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return true;
    }

    @Override
    public boolean takesShifts() {
        return true;
    }

    /**
     * How many values the rows of other sites have is not known, so a run that may do without Hessians is counted in.
     */
    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        boolean mayHaveHessians = shape.features() <= MOST_WITH_HESSIANS;
        boolean surelyHasHessians = shape.features() <= MOST_VALUES || !objective.isRegularised();
        boolean mayProveByCurvature = mayHaveHessians && objective.loss().selfConcordance() < Double.POSITIVE_INFINITY;
        EnumSet<PassSums> sums = EnumSet.of(PassSums.GRADIENT);
        if (mayHaveHessians) {
            sums.add(PassSums.HESSIAN);
        }
        if (!surelyHasHessians) {
            sums.add(PassSums.DIAGONAL);
        }
        if (mayProveByCurvature) {
            sums.add(PassSums.PROOF);
        }
        return PassSums.listed(sums, new PassLayout(shape.features(), objective.intercept()));
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        boolean few = shape.features() <= MOST_FEATURES && shape.nonZerosPerRow() <= MOST_VALUES;
        boolean exact = !objective.isRegularised();
        if (exact && shape.features() > MOST_WITH_HESSIANS) {
            throw new InvalidInputException("lambda 0 with " + shape.features() + " features; the sums of second"
                    + " derivatives that it needs are made for at most " + MOST_WITH_HESSIANS
                    + ", so give lambda a positive value");
        }
        boolean direct = few || exact;
        boolean inSpan = !direct && bendsWhereSteep(objective.loss()) && isSpannedByFew(shape, network.size());
        PassLayout layout = inSpan
                ? PassLayout.inSpan(shape.features(), objective.intercept(), (int) shape.rows())
                : new PassLayout(shape.features(), objective.intercept());
        return TunedNewton.of(name(), network, layout, objective, direct, facts, delay)
                .withHessiansFor(inSpan ? workInSpan(shape) : workWithHessians(shape));
    }

    /** A loss with pieces that are straight and steep bends at so few of a few rows that a Hessian says little. */
    private static boolean bendsWhereSteep(Loss loss) {
        return loss.selfConcordance() < Double.POSITIVE_INFINITY
                || Double.isInfinite(loss.smallestSlope(1))
                || Double.isInfinite(loss.largestSlope(1));
    }

    /** Whether rows are few beside features, and their span has room at every node. */
    private static boolean isSpannedByFew(Shape shape, int nodes) {
        return shape.rows() + 1 < shape.features()
                && shape.rows() <= MOST_WITH_HESSIANS
                && (double) nodes * shape.rows() * shape.features() <= MOST_NUMBERS_IN_SPAN;
    }

    /** In gradients: a row with v values takes v² operations for a Hessian where it takes 4v for a gradient. */
    private static double workWithHessians(Shape shape) {
        return shape.features() > MOST_WITH_HESSIANS
                ? Double.POSITIVE_INFINITY
                : HESSIANS * (1 + shape.nonZerosPerRow() / 4);
    }

    /**
     * In gradients, of which N rows take 4Nv operations: twice N combinations of N rows and N products with each, and
     * 4dN² to make an orthonormal basis of the combinations.
     */
    private static double workInSpan(Shape shape) {
        double rows = shape.rows();
        double hessian = rows * rows / (4 * shape.nonZerosPerRow());
        return rows * (1.5 + shape.features() / shape.nonZerosPerRow()) + HESSIANS * (1 + hessian);
    }
}
