package dev.starling.lab.extending;

import dev.starling.loss.Loss;

/** ln cosh(u − y): squared near zero, absolute far from it. */
public final class LogCosh implements Loss {

    @Override
    public String name() {
        return "log-cosh";
    }

    @Override
    public double value(double margin, double label) {
        double away = Math.abs(margin - label);
        return away + StrictMath.log1p(StrictMath.exp(-2 * away)) - StrictMath.log(2);
    }

    @Override
    public double derivative(double margin, double label) {
        return StrictMath.tanh(margin - label);
    }

    @Override
    public double smoothness() {
        return 1;
    }

    @Override
    public double smallestSlope(double label) {
        return -1;
    }

    @Override
    public double largestSlope(double label) {
        return 1;
    }

    @Override
    public boolean isClassification() {
        return false;
    }
}
