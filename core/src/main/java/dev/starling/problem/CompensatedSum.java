package dev.starling.problem;

/**
 * A compensated sum (Neumaier), which also accumulates its rounding errors: the sum of a million losses is then as
 * accurate as a single loss, which a duality gap of 1e-12 requires.
 */
public final class CompensatedSum {

    private double sum;
    private double error;

    /** Creates an empty sum. */
    public CompensatedSum() {}

    /** Adds a term. */
    public void add(double term) {
        double next = sum + term;
        error += Math.abs(sum) >= Math.abs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }

    /** Adds another sum with its rounding errors. */
    public void add(CompensatedSum other) {
        add(other.sum);
        error += other.error;
    }

    /** The sum of all terms. */
    public double value() {
        return sum + error;
    }

    /** What {@link #value} leaves out, because it is rounded. */
    double rest() {
        double both = value();
        double back = both - sum;
        return (sum - (both - back)) + (error - back);
    }
}
