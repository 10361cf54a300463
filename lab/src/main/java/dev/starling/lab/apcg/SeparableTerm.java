package dev.starling.lab.apcg;

/** The separable part Σ_i ψ_i(x_i) of a problem, each ψ_i convex and known by its proximal operator. */
public interface SeparableTerm {

    /** ψ_i(x_i), possibly infinite. */
    double value(int coordinate, double x);

    /** The proximal point argmin over s of step · ψ_i(s) + (s − point)²/2. */
    double prox(int coordinate, double point, double step);

    /**
     * Whether ψ_i = 0. The method assumes that ψ_i is zero for coordinates that A⁺A changes (those that lie partly
     * along Ker(A)).
     */
    boolean isZero(int coordinate);

    /** No separable part: ψ_i = 0 for every coordinate. */
    static SeparableTerm none() {
        return new SeparableTerm() {
            @Override
            public double value(int coordinate, double x) {
                return 0;
            }

            @Override
            public double prox(int coordinate, double point, double step) {
                return point;
            }

            @Override
            public boolean isZero(int coordinate) {
                return true;
            }
        };
    }
}
