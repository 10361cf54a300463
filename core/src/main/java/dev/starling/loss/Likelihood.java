package dev.starling.loss;

import java.util.OptionalDouble;

/**
 * Half the unit deviance of a family of distributions with its link. Training needs it as a {@link Loss}; standard
 * errors, tests and likelihoods need what is here.
 *
 * <p>μ is the mean that belongs to a margin, V(μ) the variance of a label with that mean, up to the dispersion.
 */
public interface Likelihood extends Loss {

    /** The name of the family, as in {@code glm}, with its parameter: {@code binomial}, {@code tweedie(1.5)}. */
    String family();

    @Override
    default boolean isDifferentiable() {
        return true;
    }

    @Override
    default boolean isClassification() {
        return false;
    }

    /** What a label stands for: itself, or for two classes 0 or 1. */
    default double response(double label) {
        return label;
    }

    /** Whether labels are shares of successes, so that they may be given as counts of two outcomes. */
    default boolean takesShares() {
        return false;
    }

    /**
     * The expected curvature of ℓ at a margin: what a row tells about it. That of all labels if these do not matter.
     */
    default double information(double margin) {
        return curvature(margin, 1);
    }

    /**
     * Returns a C with |v'| ≤ C v for the expected curvature v, at all margins within a radius of this one; the same as
     * for the curvature by default.
     */
    default double informationChange(double margin, double radius) {
        return selfConcordance();
    }

    /** V(μ). */
    double variance(double mean);

    /** V'(μ). */
    double varianceSlope(double mean);

    /** What a row adds to the part of the log-likelihood that no coefficient changes. */
    default double constant(double label, double weight) {
        return 0;
    }

    /**
     * The log-likelihood of all rows; empty if the family has none, as by default if its dispersion is estimated.
     *
     * @param rows the number of rows with a positive weight
     * @param weight the sum of all weights
     * @param constant the sum of all {@link #constant}s
     */
    default OptionalDouble logLikelihood(double rows, double weight, double deviance, double constant) {
        return isDispersionKnown() ? OptionalDouble.of(constant - deviance / 2) : OptionalDouble.empty();
    }

    /** The slope of a row's log-likelihood by a parameter of the family other than the mean; 0 if there is none. */
    default double shapeSlope(double margin, double label) {
        return 0;
    }

    /** Minus the derivative of that slope by the same parameter. */
    default double shapeInformation(double margin, double label) {
        return 0;
    }

    /** A bound on how fast that slope changes with the margin, within a radius of it. */
    default double shapeChange(double margin, double label, double radius) {
        return 0;
    }

    /** Whether the expected curvature is the curvature, whatever the label. */
    default boolean isCanonical() {
        return true;
    }
}
