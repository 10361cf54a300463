package dev.starling.loss;

import java.util.Locale;

/**
 * Half the unit deviance of shares y of successes, from 0 to 1, each of as many trials as the row's weight says. With
 * ℓ₁ and ℓ₀ the losses of a success and of a failure, ℓ = y ℓ₁ + (1 − y) ℓ₀ + y ln y + (1 − y) ln(1 − y).
 *
 * @param curve how margins become probabilities
 * @param quasi whether the dispersion is estimated, so that weights need not be numbers of trials
 */
public record Binomial(Curve curve, boolean quasi) implements Likelihood {

    /** How margins become probabilities. */
    public enum Curve {
        /** The logistic function. */
        LOGIT(Link.LOGIT),
        /** The normal distribution function. */
        PROBIT(Link.PROBIT),
        /** 1 − exp(−e^η). */
        CLOGLOG(Link.CLOGLOG);

        private final Link link;

        Curve(Link link) {
            this.link = link;
        }
    }

    private static final Logistic LOGISTIC = new Logistic();

    /** Below this, μ/(e^μ − 1) + μ − 1 is summed as a series. */
    private static final double SERIES_BELOW = 0.1;

    /** Below this, the curvature of ln Φ comes from a continued fraction. */
    private static final double FRACTION_BELOW = -5;

    private static final int FRACTION_TERMS = 40;

    /** More than |ℓ'''| of a success with the complementary log-log anywhere: it is largest, 0.42606, at 1.4265. */
    private static final double THIRD_OF_SUCCESS = 0.427;

    /** The shares of successes in trials, with the logit. */
    public Binomial() {
        this(Curve.LOGIT, false);
    }

    @Override
    public String name() {
        return family() + (curve == Curve.LOGIT ? "" : "(" + curve.name().toLowerCase(Locale.ROOT) + ")");
    }

    @Override
    public String family() {
        return quasi ? "quasi-binomial" : "binomial";
    }

    @Override
    public Link link() {
        return curve.link;
    }

    @Override
    public LabelDomain domain() {
        return quasi ? LabelDomain.UNIT : LabelDomain.SHARES;
    }

    @Override
    public boolean isDispersionKnown() {
        return !quasi;
    }

    @Override
    public boolean isCanonical() {
        return curve == Curve.LOGIT;
    }

    @Override
    public boolean takesShares() {
        return true;
    }

    /** {@inheritDoc} The label is not compared with the margin. */
    @Override
    public double labelSize(double label) {
        return 0;
    }

    @Override
    public double value(double margin, double label) {
        if (label == 1) {
            return ofSuccess(margin);
        }
        if (label == 0) {
            return ofFailure(margin);
        }
        double entropy = label * Elementary.log(label) + (1 - label) * Elementary.log1p(-label);
        return Math.max(0, label * ofSuccess(margin) + (1 - label) * ofFailure(margin) + entropy);
    }

    private double ofSuccess(double margin) {
        return switch (curve) {
            case LOGIT -> Elementary.softplus(-margin);
            case PROBIT -> -Normal.logCumulative(margin);
            case CLOGLOG -> -logOfSuccess(Elementary.exp(margin), margin);
        };
    }

    private double ofFailure(double margin) {
        return switch (curve) {
            case LOGIT -> Elementary.softplus(margin);
            case PROBIT -> -Normal.logCumulative(-margin);
            case CLOGLOG -> Elementary.exp(margin);
        };
    }

    /** ln(1 − e^−μ), where μ = e^η. */
    private static double logOfSuccess(double mu, double margin) {
        if (mu > 1) {
            return Elementary.log1p(-Elementary.exp(-mu));
        }
        return mu < 0x1p-60 ? margin : Elementary.log(-Elementary.expm1(-mu));
    }

    @Override
    public double derivative(double margin, double label) {
        return switch (curve) {
            case LOGIT -> (1 - label) * Elementary.sigmoid(margin) - label * Elementary.sigmoid(-margin);
            case PROBIT -> mixed(label, -Normal.slopeOfLog(margin), Normal.slopeOfLog(-margin));
            case CLOGLOG -> {
                double mu = Elementary.exp(margin);
                yield mixed(label, -quotient(mu), mu);
            }
        };
    }

    /** One of two numbers, or their mean; an infinite one that does not count does no harm. */
    private static double mixed(double label, double ofSuccess, double ofFailure) {
        return label == 1 ? ofSuccess : label == 0 ? ofFailure : label * ofSuccess + (1 - label) * ofFailure;
    }

    /** μ/(e^μ − 1). */
    private static double quotient(double mu) {
        return mu == 0 ? 1 : mu == Double.POSITIVE_INFINITY ? 0 : mu / Elementary.expm1(mu);
    }

    @Override
    public double curvature(double margin, double label) {
        return switch (curve) {
            case LOGIT -> LOGISTIC.curvature(margin, 1);
            case PROBIT -> mixed(label, ofLogCumulative(margin), ofLogCumulative(-margin));
            case CLOGLOG -> {
                double mu = Elementary.exp(margin);
                double b = quotient(mu);
                yield mixed(label, b == 0 ? 0 : b * lessThanMean(mu, b), mu);
            }
        };
    }

    /** r (r + η) with r = φ/Φ: minus the second derivative of ln Φ. */
    private static double ofLogCumulative(double margin) {
        double r = Normal.slopeOfLog(margin);
        if (margin >= FRACTION_BELOW) {
            return r * (r + margin);
        }
        double x = -margin;
        double rest = x;
        for (int k = FRACTION_TERMS; k > 1; k--) {
            rest = x + k / rest;
        }
        return r / rest;
    }

    /** b + μ − 1. */
    private static double lessThanMean(double mu, double b) {
        if (mu >= SERIES_BELOW) {
            return b + mu - 1;
        }
        double z = mu * mu;
        return mu * (0.5 + mu * (1.0 / 12 - z * (1.0 / 720 - z * (1.0 / 30_240 - z / 1_209_600))));
    }

    /** Successes and failures alone are those of a logistic loss, which evaluates a block at a time. */
    @Override
    public double evaluate(
            int count, double[] margins, double[] labels, double[] weights, double[] slopes, double[] curvatures) {
        if (curve != Curve.LOGIT || !areSigns(count, labels)) {
            return Likelihood.super.evaluate(count, margins, labels, weights, slopes, curvatures);
        }
        double[] signs = new double[count];
        for (int k = 0; k < count; k++) {
            signs[k] = 2 * labels[k] - 1;
        }
        return LOGISTIC.evaluate(count, margins, signs, weights, slopes, curvatures);
    }

    private static boolean areSigns(int count, double[] labels) {
        boolean all = true;
        for (int k = 0; k < count; k++) {
            all &= labels[k] == 0 || labels[k] == 1;
        }
        return all;
    }

    @Override
    public double smoothness() {
        return switch (curve) {
            case LOGIT -> 0.25;
            case PROBIT -> 1;
            case CLOGLOG -> Double.POSITIVE_INFINITY;
        };
    }

    @Override
    public boolean isThirdBounded() {
        return true;
    }

    @Override
    public double selfConcordance() {
        return curve == Curve.LOGIT ? 1 : Double.POSITIVE_INFINITY;
    }

    /** |ℓ'''| ≤ C ℓ'' with C = 0.35 + |η| for the probit and max(1, μ) for the complementary log-log. */
    @Override
    public double thirdWithin(double margin, double label, double radius) {
        if (curve == Curve.LOGIT) {
            return Likelihood.super.thirdWithin(margin, label, radius);
        }
        double most =
                curve == Curve.PROBIT ? 0.35 + Math.abs(margin) + radius : Math.max(1, Elementary.exp(margin + radius));
        double third = most * Elementary.exp(most * radius) * curvature(margin, label);
        // Where a success is certain, infinity times 0 is no number.
        return curve == Curve.CLOGLOG && label == 1 && !(third < THIRD_OF_SUCCESS) ? THIRD_OF_SUCCESS : third;
    }

    @Override
    public double smallestSlope(double label) {
        return switch (curve) {
            case LOGIT -> -label;
            case CLOGLOG -> -label;
            case PROBIT -> label == 0 ? 0 : Double.NEGATIVE_INFINITY;
        };
    }

    @Override
    public double largestSlope(double label) {
        return switch (curve) {
            case LOGIT -> 1 - label;
            case CLOGLOG, PROBIT -> label == 1 ? 0 : Double.POSITIVE_INFINITY;
        };
    }

    @Override
    public double information(double margin) {
        return switch (curve) {
            case LOGIT -> LOGISTIC.curvature(margin, 1);
            case PROBIT -> Normal.slopeOfLog(margin) * Normal.slopeOfLog(-margin);
            case CLOGLOG -> {
                double mu = Elementary.exp(margin);
                yield mu * quotient(mu);
            }
        };
    }

    @Override
    public double informationChange(double margin, double radius) {
        return switch (curve) {
            case LOGIT -> 1;
            case PROBIT -> Math.abs(margin) + radius;
            case CLOGLOG -> Math.max(1, Elementary.exp(margin + radius));
        };
    }

    @Override
    public double variance(double mean) {
        return mean * (1 - mean);
    }

    @Override
    public double varianceSlope(double mean) {
        return 1 - 2 * mean;
    }

    @Override
    public double constant(double label, double weight) {
        double successes = Math.rint(weight * label);
        return quasi || label == 0 || label == 1 ? 0 : Stirling.ofParts(successes, weight - successes);
    }
}
