package dev.starling.problem;

import dev.starling.data.InvalidInputException;

/**
 * The strongly convex function ω₁ that, multiplied by σ_i, regularises node i: ω_i = σ_i ω₁. Methods use the gradient
 * of its conjugate, ∇ω₁*, which maps y/σ to θ.
 *
 * <p>Every regulariser is separable and the same for all entries of θ.
 */
public sealed interface Regulariser {

    /** The term of one entry in ω₁(θ). */
    double value(double theta);

    /** One entry of θ = ∇ω₁*(s), where s = y/σ. */
    double parameter(double scaled);

    /** The term of one entry in ω₁*(s), as a function of θ = ∇ω₁*(s). */
    double conjugateAt(double theta);

    /** Whether ω₁ is smooth; if not, the dual problem is not strongly convex and needs the method for kinks. */
    default boolean isSmooth() {
        return l1(1) == 0;
    }

    /** λ₁ of the average form for this value of λ. */
    double l1(double lambda);

    /** ω₁(θ), entries summed in order. */
    default double value(double[] theta) {
        double sum = 0;
        for (double entry : theta) {
            sum += value(entry);
        }
        return sum;
    }

    /** ω₁*(s) at θ = ∇ω₁*(s), entries summed in order. */
    default double conjugateAt(double[] theta) {
        double sum = 0;
        for (double entry : theta) {
            sum += conjugateAt(entry);
        }
        return sum;
    }

    /**
     * The regulariser (λ/2)‖θ‖² + λ₁‖θ‖₁ of the average form, divided by λ if that is not 0.
     *
     * @param lambda λ, zero or more
     * @param l1 λ₁, zero or more
     */
    static Regulariser elasticNet(double lambda, double l1) {
        if (!(l1 >= 0) || Double.isInfinite(l1)) {
            throw new InvalidInputException("l1 " + l1 + " must be 0 or more, and finite, for example 1e-4");
        }
        if (lambda == 0) {
            return l1 > 0 ? new Lasso(l1) : new None();
        }
        return l1 == 0 ? new SquaredNorm() : new ElasticNet(l1 / lambda);
    }

    /**
     * A regulariser that is not strongly convex: σ is 0, and methods that use the gradient of the conjugate do not
     * accept it.
     */
    sealed interface WithoutRidge extends Regulariser {
        @Override
        default double parameter(double scaled) {
            return Double.NaN;
        }

        @Override
        default double conjugateAt(double theta) {
            return Double.POSITIVE_INFINITY;
        }
    }

    /** No regularisation. */
    record None() implements WithoutRidge {
        @Override
        public double value(double theta) {
            return 0;
        }

        @Override
        public double l1(double lambda) {
            return 0;
        }
    }

    /**
     * λ₁‖θ‖₁ alone, which is not a multiple of σ.
     *
     * @param l1 λ₁
     */
    record Lasso(double l1) implements WithoutRidge {
        @Override
        public double value(double theta) {
            return l1 * Math.abs(theta);
        }

        @Override
        public double l1(double lambda) {
            return l1;
        }
    }

    /** ω₁(θ) = ½‖θ‖², the default. */
    record SquaredNorm() implements Regulariser {
        @Override
        public double value(double theta) {
            return theta * theta / 2;
        }

        @Override
        public double parameter(double scaled) {
            return scaled;
        }

        @Override
        public double conjugateAt(double theta) {
            return theta * theta / 2;
        }

        @Override
        public double l1(double lambda) {
            return 0;
        }
    }

    /**
     * ω₁(θ) = ½‖θ‖² + r‖θ‖₁, whose ∇ω₁*(s) is soft thresholding: s moves towards zero by r, but not past it.
     *
     * @param ratio r = λ₁/λ
     */
    record ElasticNet(double ratio) implements Regulariser {

        /** Checks the ratio. */
        public ElasticNet {
            if (!(ratio > 0) || Double.isInfinite(ratio)) {
                throw new InvalidInputException("l1/lambda " + ratio + " must be positive and finite");
            }
        }

        @Override
        public double value(double theta) {
            return theta * theta / 2 + ratio * Math.abs(theta);
        }

        @Override
        public double parameter(double scaled) {
            return scaled > ratio ? scaled - ratio : scaled < -ratio ? scaled + ratio : 0;
        }

        @Override
        public double conjugateAt(double theta) {
            return theta * theta / 2;
        }

        @Override
        public double l1(double lambda) {
            return ratio * lambda;
        }
    }
}
