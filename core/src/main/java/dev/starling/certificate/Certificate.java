package dev.starling.certificate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Proof of how good a parameter is: a primal value P(θ̂) and a dual value D(s) ≤ P(θ*), so that P(θ̂) − P(θ*) ≤ P(θ̂) −
 * D(s). Both are in the average form, mean loss + (λ/2)‖θ‖².
 *
 * @param objective P(θ̂)
 * @param dual D(s), a lower bound on the optimal value
 * @param steps steps of the algorithm when it was made
 * @param epochs proximal steps per sample when it was made
 */
public record Certificate(double objective, double dual, long steps, double epochs) {

    /** The certificate nobody has computed yet: it proves nothing. */
    public static final Certificate NONE = new Certificate(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0);

    /** What rounding leaves uncertain of a relative gap: no certificate claims less. */
    public static final double RESOLUTION = 0x1p-48;

    /**
     * The relative duality gap (P − D)/P, no smaller than rounding allows to say; infinite when it proves nothing. It
     * is 0 only for an objective of 0, which nothing can better.
     */
    public double relativeGap() {
        if (!(objective < Double.POSITIVE_INFINITY) || dual == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        return objective == 0 ? 0 : Math.max(RESOLUTION, (objective - dual) / objective);
    }

    /** The certificate of the sum of two objectives, each certified by itself. */
    public Certificate plus(Certificate other) {
        return new Certificate(
                objective + other.objective, dual + other.dual, steps + other.steps, epochs + other.epochs);
    }

    /** Whether this proves more than another. */
    public boolean betterThan(Certificate other) {
        return relativeGap() < other.relativeGap();
    }

    /** Writes it for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        out.writeDouble(objective);
        out.writeDouble(dual);
        out.writeLong(steps);
        out.writeDouble(epochs);
    }

    /** Reads what {@link #save} wrote. */
    public static Certificate restore(DataInput in) throws IOException {
        return new Certificate(in.readDouble(), in.readDouble(), in.readLong(), in.readDouble());
    }
}
