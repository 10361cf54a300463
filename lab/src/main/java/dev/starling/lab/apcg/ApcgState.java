package dev.starling.lab.apcg;

/** The state of a run of {@link Apcg}; it may be used only with the solver that created it. */
public abstract sealed class ApcgState {

    private long steps;
    StepCoefficients coefficients;

    private ApcgState(StepCoefficients coefficients) {
        this.coefficients = coefficients;
    }

    /** Steps taken so far, t. */
    public long steps() {
        return steps;
    }

    /** x_t, the point whose objective is bounded. A copy. */
    public abstract double[] point();

    /** v_t, the point whose distance to the minimiser is bounded in the strongly convex case. A copy. */
    public abstract double[] anchor();

    void count() {
        steps++;
        coefficients = coefficients.next();
    }

    /** The sequences x and v of Algorithm 1. */
    static final class Printed extends ApcgState {
        final double[] x;
        final double[] v;

        Printed(int dimension, StepCoefficients coefficients) {
            super(coefficients);
            this.x = new double[dimension];
            this.v = new double[dimension];
        }

        @Override
        public double[] point() {
            return x.clone();
        }

        @Override
        public double[] anchor() {
            return v.clone();
        }
    }

    /** The sequences u and z of Algorithms 4 and 5, where x = factor · u + z. */
    static final class Efficient extends ApcgState {
        final double[] u;
        final double[] z;

        /** φ^t in Algorithm 4, α_{t−1}² in Algorithm 5. */
        double factor = 1;

        Efficient(int dimension, StepCoefficients coefficients) {
            super(coefficients);
            this.u = new double[dimension];
            this.z = new double[dimension];
        }

        @Override
        public double[] point() {
            return combination(factor);
        }

        /** v = z − φ^t u in Algorithm 4, z in Algorithm 5. */
        @Override
        public double[] anchor() {
            return combination(coefficients instanceof StepCoefficients.Constant ? -factor : 0);
        }

        private double[] combination(double scale) {
            double[] sum = new double[u.length];
            for (int i = 0; i < sum.length; i++) {
                sum[i] = scale * u[i] + z[i];
            }
            return sum;
        }
    }
}
