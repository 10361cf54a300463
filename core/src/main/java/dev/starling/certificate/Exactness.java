package dev.starling.certificate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What is known about the coefficients themselves, beyond the objective, when nothing is regularised.
 *
 * @param standardErrors a bound on the distance of every coefficient from its exact value, in standard errors of that
 *     coefficient; infinite if unknown
 * @param aliased the indices, from 0, of features that are left out because they are linear combinations of others
 */
public record Exactness(double standardErrors, List<Integer> aliased) {

    /** Nothing is known. */
    public static final Exactness UNKNOWN = new Exactness(Double.POSITIVE_INFINITY, List.of());

    /** Copies the list. */
    public Exactness {
        aliased = List.copyOf(aliased);
    }

    /** Writes this for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        out.writeDouble(standardErrors);
        out.writeInt(aliased.size());
        for (int feature : aliased) {
            out.writeInt(feature);
        }
    }

    /** Reads what {@link #save} wrote. */
    public static Exactness restore(DataInput in) throws IOException {
        double standardErrors = in.readDouble();
        List<Integer> aliased = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            aliased.add(in.readInt());
        }
        return new Exactness(standardErrors, aliased);
    }

    /** What holds for both of two sets of coefficients. */
    public Exactness and(Exactness other) {
        TreeSet<Integer> both = new TreeSet<>(aliased);
        both.addAll(other.aliased);
        return new Exactness(Math.max(standardErrors, other.standardErrors), List.copyOf(both));
    }
}
