package dev.starling.support;

import dev.starling.loss.Loss;

/** Shows of a loss only what a user's own must have: everything else is {@link Loss}'s default. */
public record PlainLoss(Loss full) implements Loss {

    @Override
    public String name() {
        return "plain " + full.name();
    }

    @Override
    public double value(double margin, double label) {
        return full.value(margin, label);
    }

    @Override
    public double derivative(double margin, double label) {
        return full.derivative(margin, label);
    }

    @Override
    public double smoothness() {
        return full.smoothness();
    }

    @Override
    public boolean isClassification() {
        return full.isClassification();
    }
}
