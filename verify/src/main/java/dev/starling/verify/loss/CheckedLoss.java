package dev.starling.verify.loss;

import dev.starling.data.InvalidInputException;
import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.commons.numbers.core.DD;

/**
 * A loss as the checker defines it: by its conjugate ℓ*, from which the rest follows. Slopes are plain doubles, because
 * every slope in the domain of ℓ* gives a valid bound.
 */
public sealed interface CheckedLoss permits CheckedLoss.Quadratic, CheckedLoss.Entropy, Deviance {

    /** The loss of classes that are told apart all at once. */
    String JOINT = "softmax";

    /** The smallest and largest parameter that can be computed with, where it must be positive. */
    double LEAST_PARAMETER = 1e-15;

    double MOST_PARAMETER = 1e45;

    /** ℓ(u; y). */
    DD value(DD margin, double label);

    /** ℓ*(s; y), for s within its domain. */
    DD conjugate(double slope, double label);

    /** A slope of ℓ at u, rounded, in the domain of ℓ*. */
    double slope(DD margin, double label);

    /** The slope s of ℓ at point − step·s, rounded, in the domain of ℓ*; the step is positive. */
    double proximalSlope(double point, double step, double label);

    /**
     * The derivative of {@link #proximalSlope} by the point, where that slope is the given one; 0 where it is constant.
     */
    double curvature(double slope, double step, double label);

    /** The largest c for which ℓ*(s) − c s²/2 is convex: 0 for a loss with kinks. */
    double roundness();

    boolean isClassification();

    /** Whether rows of a regression may have a label. */
    default boolean allows(double label) {
        return true;
    }

    /** The size of what is added up, and may cancel, in {@link #value}; 0 if nothing does but margin and label. */
    default double termsOfValue(double margin, double label) {
        return 0;
    }

    /** The size of what is added up, and may cancel, in {@link #conjugate}. */
    default double termsOfConjugate(double slope, double label) {
        return Math.abs(slope * label);
    }

    /** Whether training with standardised features scales labels too: only where they may be any number. */
    default boolean scalesLabels() {
        return !isClassification();
    }

    /** Whether standard errors follow from the curvature alone, not from residuals. */
    default boolean isDispersionKnown() {
        return isClassification();
    }

    /** Whether there is a conjugate to prove a model by; if not, slopes and curvature do. */
    default boolean isDualised() {
        return true;
    }

    /** The largest |ℓ'''| within a radius of a margin. */
    @FunctionalInterface
    interface Third {
        double most(double margin, double label, double radius);
    }

    /**
     * The first derivatives of ℓ, and how fast the second changes.
     *
     * @param selfConcordance an M with |ℓ'''| ≤ Mℓ'' everywhere; infinite if there is none
     * @param third a bound on |ℓ'''|, for use if there is none
     * @param convex whether ℓ'' is nowhere negative
     */
    record Curved(
            BiFunction<DD, Double, DD> slope,
            BiFunction<DD, Double, DD> curvature,
            double selfConcordance,
            Third third,
            boolean convex) {

        Curved(BiFunction<DD, Double, DD> slope, BiFunction<DD, Double, DD> curvature, double selfConcordance) {
            this(slope, curvature, selfConcordance, (margin, label, radius) -> Double.POSITIVE_INFINITY, true);
        }
    }

    /** How the loss bends, if its curvature changes so slowly that it can bound the distance from the optimum. */
    default Optional<Curved> curved() {
        return Optional.empty();
    }

    /** Returns the loss with a name, including its parameter, as model files write it. */
    static CheckedLoss named(String text) {
        int open = text.indexOf('(');
        String name = open < 0 ? text : text.substring(0, open);
        double infinity = Double.POSITIVE_INFINITY;
        return switch (name) {
            // Of two classes, the difference of the scores is one of log-odds.
            case "logistic", JOINT -> only(text, name, new Entropy());
            case "poisson", "quasi-poisson" -> only(text, name, new Counts());
            case "binomial" ->
                switch (text) {
                    case "binomial(probit)" -> new Thresholds(true);
                    case "binomial(cloglog)" -> new Thresholds(false);
                    default -> only(text, name, new Shares(0, true));
                };
            case "tweedie" -> new Powers(parameter(text, open, 1.5, 1 + LEAST_PARAMETER, 2 - LEAST_PARAMETER));
            case "inverse-gaussian" -> only(text, name, new Powers(3));
            case Whole.ORDER -> only(text, name, new Whole.Named(name));
            case Whole.TIMES -> only(text, text.equals(Whole.BRESLOW) ? text : name, new Whole.Named(text));
            case "quasi-binomial" -> only(text, name, new Shares(0, false));
            case "negative-binomial" ->
                new Shares(parameter(text, open, Double.NaN, LEAST_PARAMETER, MOST_PARAMETER), true);
            case "gamma" -> only(text, name, new Lifetimes());
            case "squared" -> only(text, name, Quadratic.regression(1, 0, -infinity, infinity));
            case "huber" -> {
                double threshold = parameter(text, open, 1, DoubleDoubles.SMALLEST, MOST_PARAMETER);
                yield Quadratic.regression(1, 0, -threshold, threshold);
            }
            case "squared-epsilon-insensitive" ->
                Quadratic.regression(1, parameter(text, open, 0.1, 0, MOST_PARAMETER), -infinity, infinity);
            case "absolute" -> only(text, name, Quadratic.regression(0, 0, -1, 1));
            case "epsilon-insensitive" -> Quadratic.regression(0, parameter(text, open, 0.1, 0, MOST_PARAMETER), -1, 1);
            case "quantile" -> {
                double level = parameter(text, open, 0.5, LEAST_PARAMETER, 1 - LEAST_PARAMETER);
                yield Quadratic.regression(0, 0, -level, 1 - level);
            }
            case "hinge" -> only(text, name, Quadratic.classification(0, 1));
            case "squared-hinge" -> only(text, name, Quadratic.classification(1, infinity));
            case "smoothed-hinge" ->
                Quadratic.classification(parameter(text, open, 1, LEAST_PARAMETER, MOST_PARAMETER), 1);
            default ->
                throw new InvalidInputException(
                        "the loss '" + name + "' has no definition here to check it by; those that"
                                + " have are logistic, " + JOINT
                                + ", ordinal, cox, binomial, poisson, quasi-poisson, quasi-binomial,"
                                + " negative-binomial, gamma, inverse-gaussian, tweedie, squared, squared-hinge, smoothed-hinge,"
                                + " huber, squared-epsilon-insensitive, hinge, absolute, epsilon-insensitive and quantile");
        };
    }

    private static CheckedLoss only(String text, String name, CheckedLoss loss) {
        if (!text.equals(name)) {
            throw new InvalidInputException("the loss '" + text + "' takes no parameter; it is " + name);
        }
        return loss;
    }

    private static double parameter(String text, int open, double usual, double least, double most) {
        if (open < 0) {
            return usual;
        }
        double value = Double.NaN;
        try {
            value = text.endsWith(")") ? Double.parseDouble(text.substring(open + 1, text.length() - 1)) : value;
        } catch (NumberFormatException e) {
            throw new InvalidInputException("the loss '" + text + "' has no number in its parentheses", e);
        }
        if (!(value >= least && value <= most)) {
            throw new InvalidInputException(
                    "the loss '" + text + "' needs a number from " + least + " to " + most + " in its parentheses");
        }
        return value;
    }

    /**
     * Every loss but those of probabilities and counts: ℓ*(s) = c s²/2 + sy + ε|s| for s from a to b, so that ℓ(u) =
     * max over s of s(u − y) − ε|s| − c s²/2. With c = 0 it has kinks; with y = ±1 and slopes of one sign it is a
     * hinge.
     *
     * @param roundness c
     * @param tolerance ε
     * @param least a; in classification a for y = −1, while for y = 1 it is −b
     * @param largest b; in classification b for y = −1, while for y = 1 it is −a
     */
    record Quadratic(double roundness, double tolerance, double least, double largest, boolean isClassification)
            implements CheckedLoss {

        static Quadratic regression(double roundness, double tolerance, double least, double largest) {
            return new Quadratic(roundness, tolerance, least, largest, false);
        }

        static Quadratic classification(double roundness, double largest) {
            return new Quadratic(roundness, 0, 0, largest, true);
        }

        @Override
        public DD value(DD margin, double label) {
            DD excess = excess(margin, label);
            double end = end(excess.hi(), label);
            if (roundness == 0) {
                return excess.hi() == 0 ? DD.ZERO : excess.multiply(end);
            }
            DD slope = excess.divide(roundness);
            // Beyond the end of the domain the loss is linear.
            DD nearest = Math.abs(slope.hi()) > Math.abs(end) ? DD.of(end) : slope;
            return nearest.multiply(excess.subtract(nearest.multiply(roundness).scalb(-1)));
        }

        @Override
        public DD conjugate(double slope, double label) {
            DD linear = DD.ofProduct(slope, label).add(DD.ofProduct(Math.abs(slope), tolerance));
            return linear.add(DD.ofProduct(slope, slope).multiply(roundness).scalb(-1));
        }

        @Override
        public double slope(DD margin, double label) {
            return nearest(excess(margin, label).hi(), roundness, label);
        }

        @Override
        public double proximalSlope(double point, double step, double label) {
            double residual = point - label;
            double excess = Math.copySign(Math.max(0, Math.abs(residual) - tolerance), residual);
            return nearest(excess, roundness + step, label);
        }

        @Override
        public Optional<Curved> curved() {
            boolean squared =
                    !isClassification && tolerance == 0 && roundness == 1 && largest == Double.POSITIVE_INFINITY;
            return squared
                    ? Optional.of(new Curved((margin, y) -> margin.add(-y), (margin, y) -> DD.ONE, 0))
                    : Optional.empty();
        }

        @Override
        public double curvature(double slope, double step, double label) {
            boolean atZero = slope == 0 && (tolerance > 0 || isClassification);
            return !atZero && Math.abs(slope) < Math.abs(end(slope, label)) ? 1 / (roundness + step) : 0;
        }

        /** u − y, moved towards zero by ε. */
        private DD excess(DD margin, double label) {
            DD residual = margin.add(-label);
            DD size = residual.abs().add(-tolerance);
            if (DoubleDoubles.isNegative(size)) {
                return DD.ZERO;
            }
            return DoubleDoubles.isNegative(residual) ? size.negate() : size;
        }

        private double nearest(double excess, double curve, double label) {
            double end = end(excess, label);
            double slope = excess == 0 ? 0 : excess / curve;
            return Math.abs(slope) < Math.abs(end) ? slope : excess == 0 ? 0 : end;
        }

        /** The end of the domain on the side of an excess. */
        private double end(double excess, double label) {
            if (isClassification && label > 0) {
                return excess < 0 ? -largest : -least;
            }
            return excess < 0 ? least : largest;
        }
    }

    /** The logistic loss: with p = −ys, ℓ*(s) = p log p + (1 − p) log(1 − p) for p from 0 to 1. */
    record Entropy() implements CheckedLoss {

        @Override
        public DD value(DD margin, double label) {
            DD score = label > 0 ? margin : margin.negate();
            DD small = DoubleDoubles.log1p(DoubleDoubles.exp(score.abs().negate()));
            return DoubleDoubles.isNegative(score) ? small.subtract(score) : small;
        }

        @Override
        public DD conjugate(double slope, double label) {
            double fraction = -label * slope;
            if (fraction <= 0 || fraction >= 1) {
                return DD.ZERO;
            }
            DD rest = DD.ofSum(1, -fraction);
            DD own = DD.of(fraction);
            return own.multiply(DoubleDoubles.log(own)).add(rest.multiply(DoubleDoubles.log1p(own.negate())));
        }

        @Override
        public double slope(DD margin, double label) {
            return -label * fraction(label * margin.hi());
        }

        /** 1/(1 + e^score). */
        private static double fraction(double score) {
            double small = StrictMath.exp(-Math.abs(score));
            return score > 0 ? small / (1 + small) : 1 / (1 + small);
        }

        @Override
        public double proximalSlope(double point, double step, double label) {
            double score = label * point;
            return -label * Deviance.between(0, 1, step, p -> fraction(score + step * p), p -> p * (1 - p));
        }

        @Override
        public double curvature(double slope, double step, double label) {
            double own = Math.abs(slope) * (1 - Math.abs(slope));
            return own / (1 + step * own);
        }

        @Override
        public double roundness() {
            return 4;
        }

        @Override
        public boolean isClassification() {
            return true;
        }

        @Override
        public Optional<Curved> curved() {
            return Optional.of(new Curved(
                    (margin, y) -> DoubleDoubles.sigmoid(margin.multiply(-y)).multiply(-y),
                    (margin, y) -> DoubleDoubles.sigmoid(margin.multiply(-y))
                            .multiply(DoubleDoubles.sigmoid(margin.multiply(y))),
                    1));
        }
    }
}
