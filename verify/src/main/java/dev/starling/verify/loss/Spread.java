package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.commons.numbers.core.DD;

/**
 * How labels of a family of distributions spread around their means: what standard errors, X² and likelihoods follow
 * from.
 *
 * @param name the name of the family
 * @param parameter the number in its parentheses; NaN if there is none
 * @param mean the mean at a margin
 * @param slope its derivative
 * @param rest 1 − mean, for shares
 */
public record Spread(
        String name, double parameter, UnaryOperator<DD> mean, UnaryOperator<DD> slope, UnaryOperator<DD> rest) {

    private static final double[][] BERNOULLI = {
        {1, 6}, {-1, 30}, {1, 42}, {-1, 30}, {5, 66}, {-691, 2730}, {7, 6}, {-3617, 510}, {43_867, 798}, {-174_611, 330}
    };

    /** From here on, so many terms of Stirling's series are exact. */
    private static final double SERIES = 40;

    private static final DD HALF_LOG_2PI =
            DoubleDoubles.log(Thresholds.PI.multiply(2)).scalb(-1);

    /** The spread of the loss with a name; none unless it is a family's. */
    public static Optional<Spread> named(String loss) {
        int open = loss.indexOf('(');
        String name = open < 0 ? loss : loss.substring(0, open);
        UnaryOperator<DD> none = margin -> DD.ONE;
        return switch (name) {
            case "squared" -> Optional.of(new Spread(name, Double.NaN, margin -> margin, none, none));
            case "poisson", "quasi-poisson", "gamma", "inverse-gaussian", "tweedie", "negative-binomial" ->
                Optional.of(new Spread(
                        name,
                        open < 0 ? name.equals("tweedie") ? 1.5 : Double.NaN : number(loss, open),
                        DoubleDoubles::exp,
                        DoubleDoubles::exp,
                        none));
            case "binomial", "quasi-binomial" -> Optional.of(ofShares(name, loss));
            default -> Optional.empty();
        };
    }

    private static double number(String loss, int open) {
        return Double.parseDouble(loss.substring(open + 1, loss.length() - 1));
    }

    private static Spread ofShares(String name, String loss) {
        double none = Double.NaN;
        return switch (loss) {
            case "binomial(probit)" ->
                new Spread(
                        name,
                        none,
                        Thresholds::chance,
                        Thresholds::density,
                        margin -> Thresholds.chance(margin.negate()));
            case "binomial(cloglog)" ->
                new Spread(
                        name,
                        none,
                        margin -> Thresholds.expm1(DoubleDoubles.exp(margin).negate())
                                .negate(),
                        margin -> DoubleDoubles.exp(margin.subtract(DoubleDoubles.exp(margin))),
                        margin -> DoubleDoubles.exp(DoubleDoubles.exp(margin).negate()));
            default ->
                new Spread(
                        name,
                        none,
                        DoubleDoubles::sigmoid,
                        margin -> DoubleDoubles.sigmoid(margin).multiply(DoubleDoubles.sigmoid(margin.negate())),
                        margin -> DoubleDoubles.sigmoid(margin.negate()));
        };
    }

    /** The variance at a margin, with the dispersion 1. */
    public DD variance(DD margin) {
        DD mu = mean.apply(margin);
        return switch (name) {
            case "squared" -> DD.ONE;
            case "poisson", "quasi-poisson" -> mu;
            case "gamma" -> mu.square();
            case "inverse-gaussian" -> mu.square().multiply(mu);
            case "tweedie" -> DoubleDoubles.exp(margin.multiply(parameter));
            case "negative-binomial" -> mu.add(mu.square().divide(parameter));
            default -> mu.multiply(rest.apply(margin));
        };
    }

    /** Whether the dispersion is 1 rather than estimated. */
    public boolean isDispersionKnown() {
        return name.equals("poisson") || name.equals("binomial") || name.equals("negative-binomial");
    }

    /** What no coefficient changes of the logarithm of a row's likelihood, as files state it. */
    public DD constant(double label, double weight) {
        DD y = DD.of(label);
        return switch (name) {
            case "squared" -> DoubleDoubles.log(DD.of(weight)).scalb(-1);
            case "gamma", "inverse-gaussian" -> DoubleDoubles.log(y).multiply(-weight);
            case "poisson" ->
                product(y, y).subtract(y).subtract(logGamma(y.add(1))).multiply(weight);
            case "negative-binomial" -> {
                DD both = y.add(parameter);
                DD size = DD.of(parameter);
                yield logGamma(both)
                        .subtract(logGamma(size))
                        .subtract(logGamma(y.add(1)))
                        .add(product(y, y.divide(both)))
                        .add(product(size, size.divide(both)))
                        .multiply(weight);
            }
            case "binomial" -> {
                double successes = Math.rint(weight * label);
                DD hits = DD.of(successes);
                DD misses = DD.ofSum(weight, -successes);
                DD both = DD.of(weight);
                yield label == 0 || label == 1
                        ? DD.ZERO
                        : logGamma(both.add(1))
                                .subtract(logGamma(hits.add(1)))
                                .subtract(logGamma(misses.add(1)))
                                .add(product(hits, hits.divide(both)))
                                .add(product(misses, misses.divide(both)));
            }
            default -> DD.ZERO;
        };
    }

    /** a log b, or 0 if a is. */
    private static DD product(DD a, DD b) {
        return a.hi() == 0 ? DD.ZERO : a.multiply(DoubleDoubles.log(b));
    }

    /** ln Γ(x), for x > 0. */
    private static DD logGamma(DD x) {
        DD z = x;
        DD shifted = DD.ONE;
        while (z.hi() < SERIES) {
            shifted = shifted.multiply(z);
            z = z.add(1);
        }
        DD sum = z.subtract(0.5)
                .multiply(DoubleDoubles.log(z))
                .subtract(z)
                .add(HALF_LOG_2PI)
                .subtract(DoubleDoubles.log(shifted));
        DD power = z;
        for (int k = 1; k <= BERNOULLI.length; k++) {
            double[] b = BERNOULLI[k - 1];
            sum = sum.add(DD.of(b[0]).divide(power.multiply(b[1] * (2 * k) * (2 * k - 1))));
            power = power.multiply(z.square());
        }
        return sum;
    }

    /**
     * The slope of a row's log-likelihood by the size k of a negative binomial, and minus the second derivative; zeros
     * for all others.
     */
    public DD[] shape(DD margin, double label) {
        if (!name.equals("negative-binomial")) {
            return new DD[] {DD.ZERO, DD.ZERO};
        }
        DD mu = mean.apply(margin);
        DD both = mu.add(parameter);
        DD slope = DoubleDoubles.log1p(mu.divide(parameter))
                .negate()
                .subtract(DD.of(label).subtract(mu).divide(both));
        DD bend = both.reciprocal()
                .multiply(2)
                .subtract(DD.of(parameter).reciprocal())
                .subtract(DD.ofSum(label, parameter).divide(both.square()));
        for (double i = 0; i < label; i++) {
            DD each = DD.ofSum(parameter, i).reciprocal();
            slope = slope.add(each);
            bend = bend.add(each.square());
        }
        return new DD[] {slope, bend};
    }
}
