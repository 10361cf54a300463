package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.InvalidInputException;
import dev.starling.method.SeparationException;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Term;
import dev.starling.problem.Rounding;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Newton's method for problems whose solution only curvature can prove ({@link CurvatureProof}), because there is no
 * regulariser, or so little of it that the duality gap is lost in rounding errors. It computes a Hessian for every
 * step, and makes separate passes for proofs at points where a Hessian is known.
 *
 * <p>Without a regulariser, features that are combinations of earlier ones are left out. If the objective keeps falling
 * for ever along some direction, there is no optimum; evaluating the objective far along that direction reveals this.
 *
 * <p>It is a little longer than most: steps, proofs and what they tell about a missing optimum share one state.
 */
final class ExactNewton extends Newton {

    /** The purpose of a pass. */
    private enum Stage {
        /** A full step, with the Hessian for the next one. */
        STEP,
        /** A shorter step, after one that did not lower the objective. */
        SHORTER,
        /** The Hessian at the point that a shorter step has reached. */
        HESSIAN,
        /** The proof at a point whose Hessian is known. */
        PROOF,
        /** A look far along the direction. */
        LOOK
    }

    /** A point this close to the optimum, in units of the coefficients' standard errors, is worth proving. */
    private static final double NEAR = 1e-10;

    /** The same where a further step takes no time: then ten digits of all that follows from the point are proven. */
    private static final double NEARER = 1e-13;

    /** After a step that leaves more than this part of ν, only rounding errors are left to gain. */
    private static final double STALE = 0.5;

    /**
     * After this many steps that do not lower the objective, as happens with a perfect fit, the next point is proven
     * whether it is close to the optimum or not.
     */
    private static final int MOST_STALE = 10;

    /** A point this close is as good as it gets. */
    private static final double POLISHED = Rounding.UNIT;

    /** A pass over so many values takes no time. */
    private static final long FEW_VALUES = 1L << 22;

    /** A rejected step shorter than this is not shortened further: only rounding errors are left to gain. */
    private static final double SHORTEST = 0x1p-20;

    /**
     * Without a proof after this many steps the method looks far ahead, and again every half as many steps and after
     * each failed proof.
     */
    private static final int FIRST_LOOK = 12;

    /** How far it looks: until the feature that matters most has changed margins by this much on average. */
    private static final double FAR = 100;

    /** By how much the intercept is lowered until the loss is convex at all rows. */
    private static final double LOWER = 2;

    /** Features are named if they change margins by at least this part of what the most important one does. */
    private static final double TAKES_PART = 0.1;

    private final Family family;
    private final long samples;
    private final double target;
    private final FullHessian hessian;

    private Stage stage = Stage.HESSIAN;
    private double weight;
    private double step;
    private double slope;
    private double nu = Double.POSITIVE_INFINITY;
    private double nuBefore = Double.POSITIVE_INFINITY;
    private int steps;
    private int stale;
    private double lowestObjective = Double.POSITIVE_INFINITY;

    /** Whether to prove the next point with a Hessian, however far it is from the optimum. */
    private boolean hurried;

    /** Whether a proof is made again at the same point, now that rounding is bounded tightly. */
    private boolean repeated;

    private boolean proven;

    /** Whether a step from the gradient of a proof, which has twice the digits, is yet to be proven. */
    private boolean polishing;

    private boolean polished;
    private double standardErrors = Double.POSITIVE_INFINITY;

    /**
     * Creates the method at its start.
     *
     * @param target the requested relative gap
     */
    ExactNewton(PassLayout layout, Family family, long samples, double lambda, double target) {
        super(layout, lambda);
        this.family = family;
        this.samples = samples;
        this.target = target;
        this.hessian = new FullHessian(layout, lambda, family.smoothness());
    }

    @Override
    PassSums passSums() {
        return switch (stage) {
            case STEP, HESSIAN -> PassSums.HESSIAN;
            case SHORTER, LOOK -> PassSums.GRADIENT;
            case PROOF -> PassSums.PROOF;
        };
    }

    @Override
    boolean certifies() {
        return proven && !polishing;
    }

    /** A certificate needs a Hessian and a proof, so the next point with a Hessian is proven. */
    @Override
    void useAllSamples() {
        hurried = true;
        if (stage == Stage.SHORTER || stage == Stage.LOOK) {
            goBack();
            stage = Stage.HESSIAN;
        }
    }

    /** Goes back to the point that the step started from: it has a Hessian, so it can still be proven. */
    @Override
    void doWithoutHessians() {
        if (stage == Stage.STEP) {
            goBack();
            stage = Stage.PROOF;
        }
    }

    @Override
    boolean needsHessians() {
        return true;
    }

    @Override
    double[] exactHessian() {
        return (stage == Stage.PROOF || stage == Stage.HESSIAN) && !hessian.isUnusable()
                ? hessian.matrix().clone()
                : new double[0];
    }

    @Override
    ProofBasis basis() {
        return hessian.basis(family.smoothness().selfConcordance() > 0);
    }

    @Override
    void take(double[] sums) {
        proven = stage == Stage.PROOF;
        if (proven && HiddenSum.isTooLarge(sums)) {
            // Unbounded leverages prove nothing; the objective is known from the pass that computed the Hessian.
            prove(sums);
            return;
        }
        takeValues(sums, lambda, false);
        hessian.clearAliased(gradient);
        if (HiddenSum.isTooLarge(sums)) {
            return;
        }
        weight = sums[PassLayout.WEIGHT];
        if (stage == Stage.PROOF) {
            prove(sums);
        } else if (passSums() == PassSums.HESSIAN) {
            hessian.take(sums, weight);
            if (hessian.isUnusable()) {
                return;
            }
            hessian.clearAliased(gradient);
            nuBefore = nu;
            nu = hessian.length(gradient);
        }
    }

    private void prove(double[] sums) {
        boolean last = hurried;
        CurvatureProof proof = CurvatureProof.of(
                layout, family.smoothness(), basis(), hessian.matrix(), sums, gradient, shrinkage(), samples);
        hurried = false;
        boundGap(sums, objective(), proof);
        standardErrors = proof.distance() * Math.sqrt(weight) / deviation();
        polishing = !last && !polished && isWorthPolishing();
    }

    private boolean isSmall() {
        return samples <= FEW_VALUES / parameters;
    }

    /**
     * Whether one more step makes the estimate a better one: the Hessian of a square is the same everywhere, so that
     * takes no more than a pass.
     */
    private boolean isWorthPolishing() {
        double away = hessian.length(gradient) * Math.sqrt(weight) / deviation();
        return lambda == 0 && family.smoothness().selfConcordance() == 0 && isSmall() && away > POLISHED;
    }

    /**
     * Bounds what rounding may have added to the regulariser's part of the gradient, in units of the features' scales.
     */
    private double shrinkage() {
        double squares = 0;
        for (int c = 0; c < parameters; c++) {
            double part = layout.isFree(c) ? 0 : theta[c] * basis().scales()[c];
            squares += part * part;
        }
        return Term.SLOPE_OPERATIONS * Rounding.UNIT * lambda * Math.sqrt(squares);
    }

    /** Returns the standard deviation of residuals, as standard errors use it; 1 if the dispersion is known. */
    private double deviation() {
        if (family.isDispersionKnown()) {
            return 1;
        }
        int kept = hessian.kept();
        return samples > kept ? Math.sqrt(2 * objective() * weight / (samples - kept)) : 0;
    }

    @Override
    Exactness exactness() {
        return new Exactness(standardErrors, hessian.leftOut());
    }

    @Override
    void advance() {
        switch (stage) {
            case PROOF -> {
                if (polishing) {
                    polishing = false;
                    polished = true;
                    settle();
                    chooseDirection();
                    move(1);
                } else if (isPerfect()) {
                    repeated = true;
                } else {
                    stepOn();
                }
            }
            case LOOK -> {
                if (objective() <= originObjective()) {
                    throw new SeparationException(separatingFeatures());
                }
                stepFromOrigin();
            }
            default -> {
                if (hessian.isUnusable()) {
                    lowerIntercept();
                } else if (stage != Stage.HESSIAN && !isAccepted() && (step < SHORTEST || isMet(originObjective()))) {
                    goBack();
                    stale++;
                    stage = Stage.HESSIAN;
                } else if (stage != Stage.HESSIAN && !isAccepted()) {
                    step *= lowest(step, originObjective(), slope, objective(), slope());
                    move(step);
                    stage = Stage.SHORTER;
                } else if (stage == Stage.SHORTER || hessian.clearAliased(theta)) {
                    // A given starting point may have weights for features that are left out.
                    stage = Stage.HESSIAN;
                } else if (hurried || isNear()) {
                    stage = Stage.PROOF;
                } else {
                    stepOn();
                }
            }
        }
    }

    /** Where all means are small enough, the only loss that is not convex is. */
    private void lowerIntercept() {
        if (!layout.intercept()) {
            throw new InvalidInputException("the loss is not convex where all coefficients are 0, and without an"
                    + " intercept there is no better place to start; add one");
        }
        theta[parameters - 1] -= LOWER;
        stage = Stage.HESSIAN;
    }

    private boolean isAccepted() {
        return objective() <= originObjective() + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective();
    }

    /**
     * Returns whether the requested gap is within reach, and coefficients are as close to the optimum as they can get.
     */
    private boolean isNear() {
        boolean close = nu * nu <= Math.max(target / 2, ROUNDING) * objective();
        double near = isSmall() ? NEARER : NEAR;
        return (close && (nu * Math.sqrt(weight) <= near || nu > STALE * nuBefore)) || isPerfect();
    }

    /** Returns whether the last step gained nothing where nothing is left to gain. */
    private boolean isPerfect() {
        return isMet(objective()) && (stale > 0 || nu >= STALE * nuBefore);
    }

    /**
     * Returns whether an objective is what rounding leaves of targets that are met: no gap is relative to so little, so
     * a smaller one would prove nothing more ({@link Certificate#above0}).
     */
    private boolean isMet(double reached) {
        boolean quadratic = family.smoothness().selfConcordance() == 0;
        return quadratic && reached <= Certificate.DIGITS * Certificate.DIGITS * firstObjective();
    }

    @Override
    boolean isSpent() {
        return repeated && isPerfect();
    }

    private void stepOn() {
        if (steps > 0 && isAtInfimum()) {
            throw new SeparationException(separatingFeatures());
        }
        settle();
        slope = chooseDirection();
        steps++;
        stale = objective() < lowestObjective * (1 - ROUNDING) ? 0 : stale + 1;
        lowestObjective = Math.min(lowestObjective, objective());
        hurried |= stale >= MOST_STALE;
        boolean late = steps >= FIRST_LOOK && steps % (FIRST_LOOK / 2) == 0;
        boolean known = standardErrors < Double.POSITIVE_INFINITY;
        if ((late || stage == Stage.PROOF) && lambda == 0 && family.smoothness().selfConcordance() > 0 && !known) {
            move(FAR / largestChange());
            stage = Stage.LOOK;
        } else {
            stepFromOrigin();
        }
    }

    /**
     * Returns whether the objective is the 0 that likelihoods fall to far along a direction that separates the rows.
     */
    private boolean isAtInfimum() {
        return objective() == 0
                && firstObjective() > 0
                && lambda == 0
                && family.smoothness().selfConcordance() > 0;
    }

    private void stepFromOrigin() {
        step = 1;
        move(step);
        stage = Stage.STEP;
    }

    /** Returns by how much a full step changes margins on average, through the feature that matters most. */
    private double largestChange() {
        return IntStream.range(0, parameters).mapToDouble(this::change).reduce(Double.MIN_NORMAL, Math::max);
    }

    /**
     * Uses that the first Hessian's diagonal consists of the features' mean squares, up to the curvature of the loss.
     */
    private double change(int column) {
        return Math.abs(direction[column])
                * hessian.scale(column)
                / Math.sqrt(family.smoothness().typical());
    }

    private List<Integer> separatingFeatures() {
        double largest = largestChange();
        return IntStream.range(0, parameters)
                .filter(c -> !layout.isFree(c) && change(c) >= TAKES_PART * largest)
                .boxed()
                .toList();
    }

    @Override
    void precondition(double[] vector) {
        hessian.solve(vector);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        hessian.state(s);
        stage = s.choice(stage);
        hurried = s.flag(hurried);
        repeated = s.flag(repeated);
        proven = s.flag(proven);
        polishing = s.flag(polishing);
        polished = s.flag(polished);
        steps = s.number(steps);
        stale = s.number(stale);
        weight = s.number(weight);
        step = s.number(step);
        slope = s.number(slope);
        nu = s.number(nu);
        nuBefore = s.number(nuBefore);
        standardErrors = s.number(standardErrors);
        lowestObjective = s.number(lowestObjective);
    }
}
