package dev.starling.newton;

/** What a pass is to sum up. */
enum Order {
    /** Losses and gradients. */
    GRADIENT,

    /** Losses, gradients and the diagonal of the Hessian. */
    DIAGONAL,

    /** Losses, gradients and the lower half of the Hessian, by rows. */
    HESSIAN,

    /** In the gradient's place, the product of a vector and the Hessian of the last point. */
    PRODUCT;

    /** The number of sums. */
    int length(int features) {
        return switch (this) {
            case GRADIENT, PRODUCT -> NewtonPass.GRADIENT + features;
            case DIAGONAL -> NewtonPass.GRADIENT + 2 * features;
            case HESSIAN -> NewtonPass.GRADIENT + features + features * (features + 1) / 2;
        };
    }
}
