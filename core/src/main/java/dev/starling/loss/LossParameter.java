package dev.starling.loss;

import dev.starling.data.InvalidInputException;

/** Checks the parameters of losses. */
final class LossParameter {

    /** The least number, other than 0, that can be told from 0 next to 1. */
    static final double LEAST = 1e-15;

    private static final double MOST = 1e45;

    private LossParameter() {}

    /** A number from the least one, which is positive, to one with which a proof can still be computed. */
    static void checkPositive(String name, double value, double least) {
        check(name, value, value >= least && value <= MOST, "a positive number from " + least + " to " + MOST);
    }

    static void checkZeroOrPositive(String name, double value) {
        check(name, value, value >= 0 && value <= MOST, "zero or a positive number up to " + MOST);
    }

    static void checkFraction(String name, double value) {
        check(name, value, value >= LEAST && value <= 1 - LEAST, "between 0 and 1, both excluded");
    }

    private static void check(String name, double value, boolean right, String wanted) {
        if (!right) {
            throw new InvalidInputException("the " + name + " of the loss is " + value + "; it must be " + wanted);
        }
    }
}
