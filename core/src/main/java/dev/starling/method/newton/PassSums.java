package dev.starling.method.newton;

import java.util.Arrays;
import java.util.Optional;

/** What a pass is to sum up. */
enum PassSums {
    /** Losses and gradients. */
    GRADIENT(0),

    /** Losses, gradients and the lower half of the Hessian, by rows. */
    HESSIAN(1);

    private final int code;

    PassSums(int code) {
        this.code = code;
    }

    /** What stands for it in a message. */
    int code() {
        return code;
    }

    /** What a number in a message stands for, if anything. */
    static Optional<PassSums> of(double code) {
        return Arrays.stream(values()).filter(order -> order.code == code).findFirst();
    }

    /** The number of sums. */
    int length(int features) {
        int gradient = NewtonPass.GRADIENT + features;
        return this == GRADIENT ? gradient : gradient + features * (features + 1) / 2;
    }
}
