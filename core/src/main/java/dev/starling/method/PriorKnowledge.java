package dev.starling.method;

import java.util.List;
import java.util.Optional;

/**
 * What earlier, similar problems tell us about a problem before it is solved.
 *
 * @param start where its optimum is expected; empty if that is not known
 * @param before the solution of the same problem with more regularisation
 * @param ofAllRows if the problem leaves some rows out: two solutions of the problem with all rows, first with the same
 *     regularisation and then with that of {@code before}; otherwise empty
 */
public record PriorKnowledge(Optional<double[]> start, Optional<Solution> before, List<Solution> ofAllRows) {

    /** Copies the list. */
    public PriorKnowledge {
        ofAllRows = List.copyOf(ofAllRows);
    }
}
