package dev.starling.newton;

import java.util.Arrays;
import java.util.Optional;

/** What a pass is to sum up. */
enum Order {
    /** Losses and gradients. */
    GRADIENT(0),

    /** Losses, gradients and the diagonal of the Hessian. */
    DIAGONAL(1),

    /** Losses, gradients and the lower half of the Hessian, by rows. */
    HESSIAN(2),

    /** In the gradient's place, the product of a vector and the Hessian of the last point. */
    PRODUCT(3);

    private final int code;

    Order(int code) {
        this.code = code;
    }

    /** What stands for it in a message. */
    int code() {
        return code;
    }

    /** What a number in a message stands for, if anything. */
    static Optional<Order> of(double code) {
        return Arrays.stream(values()).filter(order -> order.code == code).findFirst();
    }

    /** The number of sums. */
    int length(int features) {
        return switch (this) {
            case GRADIENT, PRODUCT -> NewtonPass.GRADIENT + features;
            case DIAGONAL -> NewtonPass.GRADIENT + 2 * features;
            case HESSIAN -> NewtonPass.GRADIENT + features + features * (features + 1) / 2;
        };
    }
}
