package dev.starling.verify.loss;

import dev.starling.verify.digits.Factor;
import dev.starling.verify.digits.Scales;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.numbers.core.DD;

/**
 * A mean negative log-likelihood whose rows or scores cannot be taken apart, as a function of all its parameters at
 * once, in double-double arithmetic.
 */
public sealed interface Whole permits WholeClasses, WholeOrder, WholeTimes {

    /** The loss of classes in an order. */
    String ORDER = "ordinal";

    /** The loss of times to an event, with Efron's treatment of ties. */
    String TIMES = "cox";

    /** The same with Breslow's. */
    String BRESLOW = "cox(breslow)";

    /**
     * The sums at a parameter.
     *
     * @param hessian entries on and below the diagonal
     */
    record Sums(DD value, DD[] gradient, DD[][] hessian) {

        public static Sums of(int parameters) {
            DD[][] hessian = new DD[parameters][];
            for (int a = 0; a < parameters; a++) {
                hessian[a] = Scales.zeros(a + 1);
            }
            return new Sums(DD.ZERO, Scales.zeros(parameters), hessian);
        }

        /** Adds a multiple of xxᵀ to the Hessian. */
        public void bend(DD[] x, DD multiple) {
            for (int a = 0; a < x.length; a++) {
                if (x[a].hi() != 0) {
                    DD scaled = x[a].multiply(multiple);
                    for (int b = 0; b <= a; b++) {
                        hessian[a][b] = x[b].hi() == 0 ? hessian[a][b] : hessian[a][b].add(scaled.multiply(x[b]));
                    }
                }
            }
        }

        /** Adds a multiple of x to the gradient. */
        public void slope(DD[] x, DD multiple) {
            for (int a = 0; a < x.length; a++) {
                gradient[a] = x[a].hi() == 0 ? gradient[a] : gradient[a].add(x[a].multiply(multiple));
            }
        }

        /** The sums divided by the weight of all rows. */
        public Sums mean(DD sum, DD weight) {
            for (int a = 0; a < gradient.length; a++) {
                gradient[a] = gradient[a].divide(weight);
                for (int b = 0; b <= a; b++) {
                    hessian[a][b] = hessian[a][b].divide(weight);
                }
            }
            return new Sums(sum.divide(weight), gradient, hessian);
        }

        /** These and those of λ/2‖θ‖². */
        public Sums withRidge(double lambda, DD... theta) {
            DD squares = DD.ZERO;
            for (int a = 0; a < theta.length; a++) {
                squares = squares.add(theta[a].multiply(theta[a]));
                gradient[a] = gradient[a].add(theta[a].multiply(lambda));
                hessian[a][a] = hessian[a][a].add(lambda);
            }
            return new Sums(value.add(squares.multiply(lambda / 2)), gradient, hessian);
        }
    }

    /** The parameter of the model. */
    DD[] parameter();

    /** The sums at a parameter. */
    Sums at(DD[] theta);

    /**
     * How much the Hessian changes at most, in its own norm, per distance within a radius of the model's parameter.
     *
     * @param length the length of a vector in the norm of the Hessian's inverse
     */
    double third(ToDoubleFunction<DD[]> length, double radius);

    /** How far rounding may have moved the value that training computed in doubles, relative to it and to 1. */
    double rounding();

    /** The largest third central moment of numbers that differ by at most 1. */
    double MOMENT = 1 / (6 * Math.sqrt(3));

    /** Returns the bound on the optimum; there is none if the Hessian is singular. */
    default Optional<Bound> bound(Sums sums) {
        return Factor.of(sums.gradient.length, (a, b) -> sums.hessian[a][b]).map(factor -> {
            DD[] forward = factor.forward(sums.gradient);
            double decrement = (1 + 0x1p-40) * Math.sqrt(Factor.squares(forward).hi());
            DD[] better = parameter().clone();
            DD[] step = factor.backward(forward);
            Arrays.setAll(better, a -> better[a].subtract(step[a]));
            return Bound.ofThird(decrement, (1 + 0x1p-30) * third(factor::length, 2 * decrement), better);
        });
    }

    /**
     * A loss of this kind by its name.
     *
     * @param name as files write it
     */
    record Named(String name) implements Undualised {

        private static UnsupportedOperationException apart() {
            return new UnsupportedOperationException("rows cannot be taken apart");
        }

        @Override
        public DD value(DD margin, double label) {
            throw apart();
        }

        @Override
        public double slope(DD margin, double label) {
            throw apart();
        }

        @Override
        public boolean allows(double label) {
            return isClassification() || label != 0;
        }

        @Override
        public boolean isClassification() {
            return name.equals(ORDER);
        }

        @Override
        public boolean isDispersionKnown() {
            return true;
        }
    }
}
