package dev.starling.loss;

import dev.starling.data.InvalidInputException;

/**
 * A family of distributions with an intercept of its own for every stratum, which is not a parameter: for given
 * coefficients each stratum's best intercept follows from its own rows, at the node that has them, and is not sent.
 *
 * @param family the family of labels, with a known dispersion and its canonical link
 */
public record Stratified(Likelihood family) implements Loss {

    /** The name before the parenthesis. */
    public static final String NAME = "stratified";

    /** Checks the family. */
    public Stratified {
        if (!family.isCanonical() || !family.isDispersionKnown()) {
            throw new InvalidInputException("an intercept for every stratum goes with binomial and poisson, not with "
                    + family.name() + "; use one of these, or one intercept for all");
        }
    }

    /** The loss whose name has another in its parentheses, as in {@code stratified(poisson)}. */
    public static Stratified named(String text) {
        String inner = text.strip().substring(NAME.length()).strip();
        if (inner.length() > 2
                && inner.startsWith("(")
                && inner.endsWith(")")
                && Losses.named(inner.substring(1, inner.length() - 1)) instanceof Likelihood family) {
            return new Stratified(family);
        }
        throw new InvalidInputException("the loss '" + text
                + "' does not name a family in its parentheses; write for example " + NAME + "(poisson)");
    }

    @Override
    public String name() {
        return NAME + "(" + family.name() + ")";
    }

    @Override
    public boolean comparesRows() {
        return true;
    }

    @Override
    public double value(double margin, double label) {
        return family.value(margin, label);
    }

    @Override
    public double derivative(double margin, double label) {
        return family.derivative(margin, label);
    }

    @Override
    public double curvature(double margin, double label) {
        return family.curvature(margin, label);
    }

    @Override
    public double thirdWithin(double margin, double label, double radius) {
        return family.thirdWithin(margin, label, radius);
    }

    @Override
    public boolean isDifferentiable() {
        return true;
    }

    @Override
    public boolean isThirdBounded() {
        return true;
    }

    @Override
    public boolean isClassification() {
        return family.isClassification();
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    @Override
    public LabelDomain domain() {
        return family.domain();
    }

    @Override
    public Link link() {
        return family.link();
    }

    @Override
    public double labelSize(double label) {
        return family.labelSize(label);
    }
}
