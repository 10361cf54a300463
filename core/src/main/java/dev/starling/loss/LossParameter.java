package dev.starling.loss;

import dev.starling.data.InvalidInputException;

/** Checks the parameters of losses. */
final class LossParameter {

    private LossParameter() {}

    static void checkPositive(String name, double value) {
        check(name, value, value > 0 && value <= Double.MAX_VALUE, "a positive number");
    }

    static void checkZeroOrPositive(String name, double value) {
        check(name, value, value >= 0 && value <= Double.MAX_VALUE, "zero or a positive number");
    }

    static void checkFraction(String name, double value) {
        check(name, value, value > 0 && value < 1, "between 0 and 1, both excluded");
    }

    private static void check(String name, double value, boolean right, String wanted) {
        if (!right) {
            throw new InvalidInputException("the " + name + " of the loss is " + value + "; it must be " + wanted);
        }
    }
}
