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
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Newton's method: a few passes over all samples, after each of which gradients and curvatures are summed up over a
 * spanning tree.
 */
public final class NewtonMethod implements SumsMethod {

    /** The largest number of features for which a Hessian is small compared with most data sets. */
    static final int MOST_FEATURES = 500;

    /** The largest average number of values per row for which Hessians are worth computing from the start. */
    private static final int MOST_VALUES = 100;

    /** The largest number of features for which a Hessian is used at all, where there is no better way. */
    private static final int MOST_WITH_HESSIANS = 1000;

    /** The span of the rows may take up at most this many numbers on all nodes together. */
    private static final int MOST_NUMBERS_IN_SPAN = 1 << 23;

    /** The expected number of Hessians in a run that switches to them because gradients alone are slow. */
    static final double HESSIANS = 6;

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
        Loss loss = objective.loss();
        if (loss.comparesRows() || (loss.outputs() > 1 && loss.isThirdBounded())) {
            return objectionToLikelihood(objective);
        }
        if (loss.outputs() > 1
                && (objective.isSmooth() || objectionToOutputs(objective).isPresent())) {
            return objectionToOutputs(objective);
        }
        if (loss.outputs() == 1 && loss.isDifferentiable() && !loss.hasBoundedCurvature() && !loss.isThirdBounded()) {
            return Optional.of("method " + name() + " needs a bound on the curvature of the loss " + loss.name()
                    + ", or on how fast it changes; let the loss give its smoothness or its self-concordance");
        }
        if (!loss.isConvex() && (objective.isRegularised() || !objective.isSmooth())) {
            return Optional.of("the loss " + loss.name() + " is not convex, so nothing can be proven of it with a"
                    + " regulariser; give lambda 0, and no l1");
        }
        if (objective.isSmooth()) {
            return objective.isRegularised() || loss.isThirdBounded()
                    ? Optional.empty()
                    : Optional.of(
                            "lambda 0 needs a loss whose curvature can prove the result, such as logistic, poisson or"
                                    + " squared, not " + objective.loss().name() + "; give lambda a positive value");
        }
        if (!objective.isRegularised() && !objective.loss().isDifferentiable()) {
            return Optional.of("lambda 0 needs a loss without kinks, not "
                    + objective.loss().name() + "; give lambda a positive value");
        }
        return Optional.of(
                "method newton cannot take " + objective.kinks() + ", which has kinks; " + remedy(objective));
    }

    /**
     * With several outputs, the proof of the gap needs to know of classes, a ridge of every weight, or no regulariser.
     */
    static Optional<String> objectionToOutputs(Objective objective) {
        String name = objective.loss().name();
        if (family(objective).sumsClasses()) {
            return Optional.empty();
        }
        if (!objective.regulariser().isSmooth()) {
            return Optional.of("the loss " + name + " cannot take an l1 term; leave it out, or use the loss logistic,"
                    + " which tells one class from the rest at a time");
        }
        return objective.intercept() && objective.isRegularised()
                ? Optional.of("the loss " + name
                        + " cannot leave an intercept alone unregularised; give a bias instead," + " or lambda 0")
                : Optional.empty();
    }

    /** Of these, only the estimate is proven. */
    private static Optional<String> objectionToLikelihood(Objective objective) {
        String name = objective.loss().name();
        boolean compared = objective.loss().comparesRows();
        if (!objective.regulariser().isSmooth() || (objective.isRegularised() && !compared)) {
            return Optional.of("the loss " + name
                    + (compared
                            ? " goes without an l1 term; leave it out"
                            : " goes without regularisation; give lambda 0, and no l1"));
        }
        return compared && objective.intercept()
                ? Optional.of("the loss " + name + " has no intercept, which would be the same for all rows compared;"
                        + " leave it out")
                : Optional.empty();
    }

    /** {@inheritDoc} Whether there is an intercept is known only now. */
    @Override
    public Optional<String> objectionTo(Objective objective, Shape shape) {
        boolean ordered = objective.loss().outputs() > 1 && objective.loss().isThirdBounded();
        return ordered && !objective.intercept()
                ? Optional.of("the loss " + objective.loss().name()
                        + " has thresholds between classes, which take an intercept; add it")
                : objectionTo(objective);
    }

    private static String remedy(Objective objective) {
        Loss loss = objective.loss();
        if (!objective.intercept() && (loss.hasBoundedCurvature() || !loss.isDifferentiable())) {
            return "adfs can";
        }
        return loss.isDifferentiable() ? "proximal-newton can" : "multipliers can";
    }

    @Override
    public boolean takesSeveralOutputs() {
        return true;
    }

    @Override
    public boolean takesOffsets() {
        return true;
    }

    /**
     * How many values the rows of other sites have is not known, so a run that may do without Hessians is counted in.
     */
    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        PassLayout layout = layout(objective, shape);
        boolean mayHaveHessians = layout.parameters() <= MOST_WITH_HESSIANS;
        boolean surelyHasHessians = layout.parameters() <= MOST_VALUES || !objective.isRegularised();
        boolean mayProveByCurvature =
                mayHaveHessians && family(objective).smoothness().isThirdBounded();
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
        return listed(sums, layout);
    }

    /** The family of the objective's sums; only without any regulariser does it compare classes with the first. */
    static Family family(Objective objective) {
        return Family.of(
                objective.loss(),
                objective.isRegularised() || !objective.regulariser().isSmooth());
    }

    static PassLayout layout(Objective objective, Shape shape) {
        return family(objective).layout(shape.features(), objective.intercept());
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        PassLayout whole = layout(objective, shape);
        boolean few = whole.parameters() <= MOST_FEATURES && shape.nonZerosPerRow() <= MOST_VALUES;
        boolean exact = !objective.isRegularised() || objective.loss().comparesRows();
        if (exact && whole.parameters() > MOST_WITH_HESSIANS) {
            String asked =
                    objective.isRegularised() ? "the loss " + objective.loss().name() : "lambda 0";
            throw new InvalidInputException(asked + " with " + whole.parameters() + " coefficients; the sums of second"
                    + " derivatives that it needs are computed for at most " + MOST_WITH_HESSIANS + ", so "
                    + (objective.loss().comparesRows() ? "leave features out" : "give lambda a positive value")
                    + (whole.outputs() > 1 ? ", or one-versus-rest" : ""));
        }
        boolean direct = few || exact;
        boolean inSpan = !direct
                && whole.outputs() == 1
                && bendsWhereSteep(objective.loss())
                && isSpannedByFew(shape, network.size());
        PassLayout layout =
                inSpan ? PassLayout.inSpan(shape.features(), objective.intercept(), (int) shape.rows()) : whole;
        return TunedNewton.of(name(), network, layout, objective, direct, facts, delay)
                .withHessiansFor(inSpan ? workInSpan(shape) : workWithHessians(whole, shape));
    }

    /**
     * Returns whether the loss has curvature wherever it is steep. If it has steep linear pieces, so few of a small
     * number of rows have any curvature that a Hessian says little.
     */
    private static boolean bendsWhereSteep(Loss loss) {
        return loss.isThirdBounded()
                || Double.isInfinite(loss.smallestSlope(1))
                || Double.isInfinite(loss.largestSlope(1));
    }

    /** Returns whether there are few rows compared with features, and every node has room for their span. */
    private static boolean isSpannedByFew(Shape shape, int nodes) {
        return shape.rows() + 1 < shape.features()
                && shape.rows() <= MOST_WITH_HESSIANS
                && (double) nodes * shape.rows() * shape.features() <= MOST_NUMBERS_IN_SPAN;
    }

    /**
     * Returns the work in units of one pass for a gradient: a row with v values takes v² operations for a Hessian and
     * 4v for a gradient; with K outputs, K (K + 1)/2 and K times that.
     */
    private static double workWithHessians(PassLayout layout, Shape shape) {
        return layout.parameters() > MOST_WITH_HESSIANS
                ? Double.POSITIVE_INFINITY
                : HESSIANS * (1 + shape.nonZerosPerRow() * (layout.outputs() + 1) / 8);
    }

    /**
     * Returns the work in units of one pass for a gradient, which takes 4Nv operations for N rows: N combinations of N
     * rows, which take a product and a sum per row, N further products with each row, and 4dN² operations to make the
     * combinations orthonormal.
     */
    private static double workInSpan(Shape shape) {
        double rows = shape.rows();
        double hessian = rows * rows / (4 * shape.nonZerosPerRow());
        return rows * (1.5 + shape.features() / shape.nonZerosPerRow()) + HESSIANS * (1 + hessian);
    }

    /** Returns such sums as a site is told of them before it takes part. */
    static List<TrainingSum> listed(Collection<PassSums> all, PassLayout layout) {
        return all.stream()
                .map(sums -> new TrainingSum(sums.kind(), sums.text(), layout.numbers(sums)))
                .toList();
    }
}
