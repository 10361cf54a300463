package dev.starling.method;

import java.util.List;
import java.util.Optional;

/**
 * What is known of a problem before it is solved, from problems that are like it.
 *
 * @param start where its optimum is expected; empty if nothing tells
 * @param before what the same problem ended with, regularised more
 * @param ofAllRows where some of the rows are left out, what the problem of all of them ended with, regularised alike,
 *     and then regularised as {@code before} is; empty where none are left out
 */
public record PriorKnowledge(Optional<double[]> start, Optional<Solution> before, List<Solution> ofAllRows) {

    /** Copies the list. */
    public PriorKnowledge {
        ofAllRows = List.copyOf(ofAllRows);
    }
}
