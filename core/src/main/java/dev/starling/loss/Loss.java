package dev.starling.loss;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A convex function ℓ(u; y) of the margin u = xᵀθ and the label y.
 *
 * <p>It is nowhere negative, on which certificates rest; for a family of distributions, half the deviance is.
 *
 * <p>A loss of your own needs {@link #name}, {@link #value}, {@link #derivative}, {@link #isClassification} and, unless
 * it has kinks, {@link #smoothness}, or {@link #isDifferentiable} and {@link #selfConcordance} if its curvature is not
 * bounded; the rest has correct defaults, which the losses of this package replace by closed forms. If ℓ' is bounded,
 * override {@link #smallestSlope} and {@link #largestSlope}. Implementations must be immutable.
 *
 * <p>A sample of weight w has the loss w·ℓ: its value is w times {@link #value}, its proximal point is {@link #prox}
 * with w times the step, its conjugate at s is w times {@link #conjugate} at s/w.
 */
public interface Loss {

    /** The largest number of samples in one call of {@link #evaluate}. */
    int BLOCK = 256;

    /** The name of the loss in settings and model files, including parameters: {@code huber(1.0)}. */
    String name();

    /** ℓ(u; y). */
    double value(double margin, double label);

    /** ℓ'(u; y); any subgradient where ℓ has a kink. */
    double derivative(double margin, double label);

    /**
     * ℓ''(u; y), or any of its generalised values where ℓ' has a kink; Newton steps use it. The default is a symmetric
     * difference of {@link #derivative}, accurate to about ten digits.
     */
    default double curvature(double margin, double label) {
        double step = 0x1p-17 * Math.max(1, Math.abs(margin));
        return (derivative(margin + step, label) - derivative(margin - step, label)) / (2 * step);
    }

    /**
     * Evaluates the loss of many samples at once: writes w·ℓ' and w·ℓ'' of each sample and returns the sum of all w·ℓ.
     * A single call can share work between the three, and a processor can work on several samples at the same time.
     *
     * @param count the number of samples, at most {@value #BLOCK}
     * @param weights w of each sample; null if all are 1
     */
    default double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double weight = weights == null ? 1 : weights[k];
            sum += weight * value(margins[k], labels[k]);
            slopes[k] = weight * derivative(margins[k], labels[k]);
            curvatures[k] = weight * curvature(margins[k], labels[k]);
        }
        return sum;
    }

    /**
     * The number of margins of a row: one by default. A loss of several tells all classes apart at once; its labels are
     * the numbers of classes, from 0.
     */
    default int outputs() {
        return 1;
    }

    /**
     * The number of parameters for rows of this many features, that of an intercept included: as many for each margin
     * by default.
     */
    default int parameters(int features) {
        return outputs() * features;
    }

    /**
     * The vectors of weights, that of the intercept last, whose products with a row are the scores of a model. By
     * default they are the blocks of the parameter, one for each margin.
     */
    default double[][] scores(double[] parameter, int features) {
        double[][] blocks = new double[parameter.length / features][];
        Arrays.setAll(blocks, k -> Arrays.copyOfRange(parameter, k * features, (k + 1) * features));
        return blocks;
    }

    /**
     * The feature that a parameter is the weight of; −1 if it is that of none, or one that is always left out.
     *
     * @param features the number of features, including that of an intercept
     */
    default int feature(int parameter, int features) {
        return parameter;
    }

    /**
     * The coefficients of a table, in the order of the parameter, from the weights and intercepts of scores.
     *
     * @param intercept whether there is one
     */
    default double[] coefficients(double[][] weights, double[] intercepts, boolean intercept) {
        return IntStream.range(0, weights.length)
                .boxed()
                .flatMapToDouble(k -> intercept
                        ? DoubleStream.concat(Arrays.stream(weights[k]), DoubleStream.of(intercepts[k]))
                        : Arrays.stream(weights[k]))
                .toArray();
    }

    /** Whether rows are compared with each other, so that those of a stratum have to be at one node. */
    default boolean comparesRows() {
        return false;
    }

    /**
     * The loss that tells several classes apart at once where this one can only tell each of them from the rest; empty
     * if there is none.
     */
    default Optional<Loss> together() {
        return Optional.empty();
    }

    /** This loss for rows of so many classes, which are known only when all rows are. */
    default Loss forClasses(int classes) {
        return this;
    }

    /** ℓ as a function of all margins of a row. */
    default double value(double[] margins, double label) {
        return value(margins[0], label);
    }

    /**
     * Computes the derivatives of ℓ in all margins of a row.
     *
     * @param slopes receives the derivative in each margin
     * @param curvatures receives the second derivatives for the pairs (k, l) of margins with l ≤ k, in the order (0,0),
     *     (1,0), (1,1), (2,0), …
     */
    default void bend(double[] margins, double label, double[] slopes, double[] curvatures) {
        slopes[0] = derivative(margins[0], label);
        curvatures[0] = curvature(margins[0], label);
    }

    /**
     * β, the Lipschitz constant of ℓ'. Infinite by default, as for a loss with kinks (points where its slope jumps), or
     * one without kinks whose curvature grows without bound.
     */
    default double smoothness() {
        return Double.POSITIVE_INFINITY;
    }

    /** β for rows with this label; the same for all by default. */
    default double smoothness(double label) {
        return smoothness();
    }

    /** A lower bound on ℓ'' between two margins; 0 by default unless there is a {@link #selfConcordance}. */
    default double leastCurvature(double from, double to, double label) {
        return curvature((from + to) / 2, label) * Elementary.exp(-selfConcordance() * (to - from) / 2);
    }

    /** An upper bound on ℓ'' between two margins; at most β by default. */
    default double mostCurvature(double from, double to, double label) {
        double most = curvature((from + to) / 2, label) * Elementary.exp(selfConcordance() * (to - from) / 2);
        return Double.isNaN(most) ? smoothness(label) : Math.min(smoothness(label), most);
    }

    /** Whether β is finite. */
    default boolean hasBoundedCurvature() {
        return smoothness() < Double.POSITIVE_INFINITY;
    }

    /**
     * Whether ℓ has no kinks. A loss with a finite β has none. A loss whose curvature is finite but not bounded must
     * say so here, and have a finite {@link #selfConcordance}, which bounds its curvature near a margin.
     */
    default boolean isDifferentiable() {
        return hasBoundedCurvature();
    }

    /**
     * The smallest M with |ℓ'''| ≤ M ℓ''. It limits how fast the curvature changes, which makes it possible to bound
     * the distance from the optimum without a regulariser. Infinite by default.
     */
    default double selfConcordance() {
        return Double.POSITIVE_INFINITY;
    }

    /**
     * A bound on |ℓ'''| within a radius of a margin. The default follows from {@link #selfConcordance}; a loss without
     * that, whose bound is finite near every margin, overrides this and can then do without a regulariser too.
     */
    default double thirdWithin(double margin, double label, double radius) {
        double most = selfConcordance();
        return most == 0 ? 0 : most * Elementary.exp(most * radius) * curvature(margin, label);
    }

    /** Whether {@link #thirdWithin} is finite near every margin, so that curvature can prove a result. */
    default boolean isThirdBounded() {
        return selfConcordance() < Double.POSITIVE_INFINITY;
    }

    /** Whether ℓ is convex, so that a stationary point is an optimum; only a family may say that it is not. */
    default boolean isConvex() {
        return true;
    }

    /** Whether labels are two classes, passed to the loss as −1 and +1, rather than real numbers. */
    boolean isClassification();

    /** The labels it is defined for: classes or any number by default. */
    default LabelDomain domain() {
        return isClassification() ? LabelDomain.CLASSES : LabelDomain.REAL;
    }

    /**
     * The power k with which the loss grows with the unit of margins and labels: ℓ(cu; cy) of {@link #inUnits} is c^k
     * times ℓ(u; y). 0 if there is none, which is the default.
     */
    default int degree() {
        return 0;
    }

    /** This loss for margins and labels that are multiplied by a number; only if {@link #degree} is not 0. */
    default Loss inUnits(double multiplied) {
        return this;
    }

    /** How a margin becomes a prediction: it is one by default. */
    default Link link() {
        return Link.IDENTITY;
    }

    /**
     * Whether ℓ is a negative log-likelihood as it stands, up to a constant, so that standard errors follow from its
     * curvature. If not, residuals say how much labels vary. By default classes have such a loss and numbers do not.
     */
    default boolean isDispersionKnown() {
        return isClassification();
    }

    /** The size of what a margin is compared with, on which the rounding of that comparison depends: |y| by default. */
    default double labelSize(double label) {
        return Math.abs(label);
    }

    /** The infimum of ℓ'(·; y), where the domain of ℓ* begins. Minus infinity by default. */
    default double smallestSlope(double label) {
        return Double.NEGATIVE_INFINITY;
    }

    /** The supremum of ℓ'(·; y), where the domain of ℓ* ends. Infinity by default. */
    default double largestSlope(double label) {
        return Double.POSITIVE_INFINITY;
    }

    /**
     * The proximal point argmin over m of step · ℓ(m; y) + (m − point)²/2.
     *
     * @param step zero or more
     * @param start an initial guess; it affects the time taken, but the result only up to rounding
     */
    default double prox(double point, double step, double label, double start) {
        return MonotoneRoot.prox(this, point, step, label, start);
    }

    /**
     * The subgradient s ∈ ∂ℓ(m; y) at the proximal point m = point − step · s, as needed for a dual coordinate step. It
     * lies in the domain of the conjugate in spite of rounding.
     *
     * @param step zero or more
     * @param start an initial guess of m; it affects the time taken, but the result only up to rounding
     */
    default double proxSlope(double point, double step, double label, double start) {
        double margin = prox(point, step, label, start);
        // Rounding m causes an error of β ulp(m) in the derivative and of ulp(m)/step in the quotient. With step 0 the
        // product is zero or NaN, and only the derivative is possible.
        if (!(step * smoothness() > 1)) {
            return clamp(derivative(margin, label), label);
        }
        double quotient = (point - margin) / step;
        if (Double.isInfinite(smoothness())) {
            // The quotient picks a subgradient at a kink; elsewhere, the slopes on both sides agree and determine it.
            double below = derivative(Math.nextDown(margin), label);
            double above = derivative(Math.nextUp(margin), label);
            quotient = Math.min(Math.max(quotient, below), above);
        }
        return clamp(quotient, label);
    }

    /**
     * Like {@link #proxSlope(double, double, double, double)}, for callers that also know the slope at the start.
     *
     * @param startSlope approximately ℓ'(start; y); like the start, it affects the result only up to rounding
     */
    default double proxSlope(double point, double step, double label, double start, double startSlope) {
        return proxSlope(point, step, label, start);
    }

    /**
     * ℓ*(s; y) = sup over u of s·u − ℓ(u; y); infinite outside its domain.
     *
     * <p>The default finds where ℓ' crosses s and returns an upper bound that is tight up to rounding, so that a
     * duality gap computed with it is never too small. At an end of the domain that ℓ' only approaches, it is the limit
     * of s·u − ℓ(u; y), which may be infinite.
     */
    default double conjugate(double slope, double label) {
        return MonotoneRoot.conjugate(this, slope, label);
    }

    /** The point of the domain of ℓ* nearest to a slope, which rounding may have pushed out of it. */
    default double clamp(double slope, double label) {
        return Math.min(Math.max(slope, smallestSlope(label)), largestSlope(label));
    }
}
