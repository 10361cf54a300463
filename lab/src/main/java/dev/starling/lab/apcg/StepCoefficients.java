package dev.starling.lab.apcg;

/** The coefficients α_t, β_t and η_t of one step, and those of the step after it. */
sealed interface StepCoefficients {

    double alpha();

    double beta();

    double eta();

    StepCoefficients next();

    /** Corollary 1: α_t = β_t = ρ and η_t = ρ/σ_A. */
    record Constant(double rate, double strongConvexity) implements StepCoefficients {
        @Override
        public double alpha() {
            return rate;
        }

        @Override
        public double beta() {
            return rate;
        }

        @Override
        public double eta() {
            return rate / strongConvexity;
        }

        @Override
        public StepCoefficients next() {
            return this;
        }
    }

    /** Corollary 2: β_t = 0, η_t = 1/(α_t S²), and 1/α_{t+1}² − 1/α_{t+1} = 1/α_t². */
    record Fading(double alpha, double constant) implements StepCoefficients {
        @Override
        public double beta() {
            return 0;
        }

        @Override
        public double eta() {
            return 1 / (alpha * constant * constant);
        }

        @Override
        public StepCoefficients next() {
            double square = alpha * alpha;
            return new Fading((Math.sqrt(square * square + 4 * square) - square) / 2, constant);
        }
    }

    /**
     * Theorem 2, for any A_0 and B_0: a² S² = (A + a)(B + σ_A a). Only B/A affects the steps, and unlike A and B it
     * stays finite.
     *
     * @param ratio B_t/A_t
     */
    record Growing(double ratio, double constant, double strongConvexity) implements StepCoefficients {

        /** a_{t+1}/A_t. */
        private double growth() {
            double square = constant * constant - strongConvexity;
            double sum = strongConvexity + ratio;
            return (sum + Math.sqrt(sum * sum + 4 * square * ratio)) / (2 * square);
        }

        @Override
        public double alpha() {
            return growth() / (1 + growth());
        }

        @Override
        public double beta() {
            return strongConvexity * eta();
        }

        @Override
        public double eta() {
            return growth() / (ratio + strongConvexity * growth());
        }

        @Override
        public StepCoefficients next() {
            double growth = growth();
            return new Growing((ratio + strongConvexity * growth) / (1 + growth), constant, strongConvexity);
        }
    }
}
