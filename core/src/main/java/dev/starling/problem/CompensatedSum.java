package dev.starling.problem;

/**
 * A sum that carries its rounding error along (Neumaier): the sum of a million losses is then as exact as one of them,
 * which a duality gap of 1e-12 depends on.
 */
public final class CompensatedSum {

    private double sum;
    private double error;

    /** A sum of nothing. */
    public CompensatedSum() {}

    /** Adds a term. */
    public void add(double term) {
        double next = sum + term;
        error += Math.abs(sum) >= Math.abs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }

    /** The sum of all terms. */
    public double value() {
        return sum + error;
    }
}
