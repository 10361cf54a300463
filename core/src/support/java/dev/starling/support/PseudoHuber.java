package dev.starling.support;

import dev.starling.loss.Loss;

/** A user's loss: √(1 + (u − y)²) − 1, with the bounds of its slope. */
public record PseudoHuber() implements Loss {

    @Override
    public String name() {
        return "pseudo-huber";
    }

    @Override
    public boolean isClassification() {
        return false;
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public double value(double margin, double label) {
        double r = Math.abs(margin - label);
        return r > 1e100 ? r : r * r / (Math.sqrt(1 + r * r) + 1);
    }

    @Override
    public double derivative(double margin, double label) {
        double r = margin - label;
        return Math.abs(r) > 1e100 ? Math.signum(r) : r / Math.sqrt(1 + r * r);
    }

    @Override
    public double smallestSlope(double label) {
        return -1;
    }

    @Override
    public double largestSlope(double label) {
        return 1;
    }
}
