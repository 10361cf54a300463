package dev.starling.certificate;

import dev.starling.node.State;
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

    /** Returns this if it is saved, what was saved if it is restored. */
    public Exactness state(State s) throws IOException {
        double same = s.number(standardErrors);
        List<Integer> features = new ArrayList<>(aliased);
        s.elements(features, 0, (state, feature) -> state.number(feature.intValue()));
        return new Exactness(same, features);
    }

    /** What holds for both of two sets of coefficients. */
    public Exactness and(Exactness other) {
        TreeSet<Integer> both = new TreeSet<>(aliased);
        both.addAll(other.aliased);
        return new Exactness(Math.max(standardErrors, other.standardErrors), List.copyOf(both));
    }
}
