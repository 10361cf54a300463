package dev.starling.certificate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What is known of coefficients beyond the objective, where nothing is regularised.
 *
 * @param standardErrors every coefficient is at most this many of its standard errors from the exact one; infinite
 *     where that is not known
 * @param aliased the features that are left out since they are combinations of others, from 0
 */
public record Exactness(double standardErrors, List<Integer> aliased) {

    /** Where nothing is known. */
    public static final Exactness UNKNOWN = new Exactness(Double.POSITIVE_INFINITY, List.of());

    /** Copies the list. */
    public Exactness {
        aliased = List.copyOf(aliased);
    }

    /** Writes it for {@link #restore}. */
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

    /** What holds for two sets of coefficients. */
    public Exactness and(Exactness other) {
        TreeSet<Integer> both = new TreeSet<>(aliased);
        both.addAll(other.aliased);
        return new Exactness(Math.max(standardErrors, other.standardErrors), List.copyOf(both));
    }
}
