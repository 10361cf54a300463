package dev.starling.loss;

import java.util.function.DoubleUnaryOperator;

/**
 * How the score of a row, xᵀθ plus intercept and offset, becomes the mean that a model predicts for its label.
 *
 * @param name its name, as statistics has it
 * @param ofScore the mean that belongs to a score
 * @param ofMean the score that belongs to a mean
 * @param givesProbabilities whether means are the probabilities of one of two classes
 */
public record Link(String name, DoubleUnaryOperator ofScore, DoubleUnaryOperator ofMean, boolean givesProbabilities) {

    /** The score is the mean, or stands for no mean, as in a hinge. */
    public static final Link IDENTITY = new Link("identity", score -> score, mean -> mean, false);

    /** The score is the logarithm of the odds: the probability is 1/(1 + e^−score). */
    public static final Link LOGIT =
            new Link("logit", Elementary::sigmoid, mean -> Elementary.log(mean) - Elementary.log1p(-mean), true);

    /**
     * Every class has a score, and its probability is e^score divided by the sum over all; of two, by the difference.
     */
    public static final Link SOFTMAX = new Link("softmax", LOGIT.ofScore, LOGIT.ofMean, true);

    /**
     * Classes are in an order, and the score of one is the logarithm of the odds that a row belongs to it or to one
     * before it.
     */
    public static final Link CUMULATIVE = new Link("cumulative", LOGIT.ofScore, LOGIT.ofMean, true);

    /** The score is the logarithm of the mean. */
    public static final Link LOG = new Link("log", Elementary::exp, Elementary::log, false);

    /** The score is a quantile of the normal distribution. */
    public static final Link PROBIT = new Link("probit", Normal::cumulative, Normal::quantile, true);

    /** The score is the logarithm of a rate at which something happens; the mean is the probability that it does. */
    public static final Link CLOGLOG = new Link(
            "cloglog",
            score -> -Elementary.expm1(-Elementary.exp(score)),
            mean -> Elementary.log(-Elementary.log1p(-mean)),
            true);

    /** Returns what statistics calls it: logarithms of odds are a logit, of several classes too. */
    public String ofStatistics() {
        return equals(SOFTMAX) || equals(CUMULATIVE) ? LOGIT.name : name;
    }

    /** Returns how many scores a row has in a model of classes, or of none if it predicts numbers. */
    public int scores(int classes) {
        return equals(CUMULATIVE) ? classes - 1 : classes > 2 ? classes : 1;
    }

    /** Whether it is the same link, which its name decides: that needs no code generated when a model is made. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Link link && name.equals(link.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** Returns the mean that belongs to a score. */
    public double mean(double score) {
        return ofScore.applyAsDouble(score);
    }

    /** Returns the score that belongs to a mean. */
    public double score(double mean) {
        return ofMean.applyAsDouble(mean);
    }
}
