package dev.starling.loss;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/**
 * The negative log-likelihood of classes in an order, by proportional odds: logit P(y ≤ c) = ζ_c − xᵀβ. A row has a
 * score ζ_c − xᵀβ for every class but the last; the weights of all scores are those of the same −β.
 *
 * <p>The parameter is β, then how far each threshold ζ_c is from {@link #threshold}.
 *
 * @param classes C, three or more
 */
public record Ordinal(int classes) implements JointLoss {

    private static final int FEWEST = 3;

    /** Creates the loss for three classes; {@link #forClasses} makes it that for as many as there turn out to be. */
    public Ordinal() {
        this(FEWEST);
    }

    @Override
    public String name() {
        return "ordinal";
    }

    @Override
    public Loss forClasses(int number) {
        if (number < FEWEST) {
            throw new InvalidInputException("the loss ordinal puts three or more classes in an order, and there are "
                    + number + "; use binomial for two");
        }
        return new Ordinal(number);
    }

    @Override
    public int outputs() {
        return classes - 1;
    }

    /** All features but the constant one have a weight, and there are as many thresholds as scores. */
    @Override
    public int parameters(int features) {
        return features - 1 + outputs();
    }

    /** Where ζ_c is if its parameter is 0: classes are equally likely there. */
    public double threshold(int c) {
        return Elementary.log((c + 1.0) / (classes - c - 1));
    }

    @Override
    public double[][] scores(double[] parameter, int features) {
        Ordinal actual = new Ordinal(parameter.length - features + 2);
        double[][] scores = new double[actual.outputs()][features];
        for (int c = 0; c < scores.length; c++) {
            for (int k = 0; k < features - 1; k++) {
                scores[c][k] = 0 - parameter[k];
            }
            scores[c][features - 1] = actual.threshold(c) + parameter[features - 1 + c];
        }
        return scores;
    }

    @Override
    public int feature(int parameter, int features) {
        return parameter < features - 1 ? parameter : -1;
    }

    /** {@inheritDoc} They are β, then the thresholds. */
    @Override
    public double[] coefficients(double[][] weights, double[] intercepts, boolean intercept) {
        return DoubleStream.concat(Arrays.stream(weights[0]).map(weight -> 0 - weight), Arrays.stream(intercepts))
                .toArray();
    }

    /** {@inheritDoc} Minus the logarithm of F(η_y) − F(η_{y−1}), with F the logistic function. */
    @Override
    public double value(double[] margins, double label) {
        int own = (int) label;
        // A score that has no part in it makes the value no number all the same, if it is none.
        double value = Arrays.stream(margins).anyMatch(Double::isNaN) ? Double.NaN : 0;
        if (own < outputs()) {
            value += Elementary.softplus(-margins[own]);
        }
        if (own > 0) {
            value += Elementary.softplus(margins[own - 1]);
        }
        return own > 0 && own < outputs()
                ? value - Elementary.log(-Elementary.expm1(margins[own - 1] - margins[own]))
                : value;
    }

    @Override
    public boolean isThirdBounded() {
        return true;
    }

    @Override
    public boolean isClassification() {
        return true;
    }

    @Override
    public Link link() {
        return Link.CUMULATIVE;
    }
}
