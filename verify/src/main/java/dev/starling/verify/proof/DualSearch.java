package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * A search for slopes with a large dual value, and for a parameter with a small objective. It computes in plain
 * doubles: {@link CheckedProblem} evaluates what it finds, so the search cannot make a verdict wrong.
 */
public sealed interface DualSearch permits InteriorSearch, MultiplierSearch, CoordinateAscent {

    /** The cost of a row besides its values, measured in values. */
    long ROW_OVERHEAD = 10;

    /** Continues the search for at most as long as this many passes over the rows take; returns how many it took. */
    int advance(int mostPasses);

    /** The slopes found: one for every row, in the domain of the loss's conjugate. */
    double[] slopes();

    /** The parameter found. */
    DD[] parameter();

    /** Returns the search that suits a problem, starting at a parameter; empty for a lasso with very many features. */
    static Optional<DualSearch> of(CheckedProblem problem, DD[] theta) {
        if (InteriorSearch.suits(problem)) {
            return Optional.of(new InteriorSearch(problem, theta));
        }
        if (MultiplierSearch.suits(problem)) {
            return Optional.of(new MultiplierSearch(problem, theta));
        }
        return problem.isLasso() ? Optional.empty() : Optional.of(new CoordinateAscent(problem, theta));
    }

    /** The cost of one pass over the rows, in multiplications. */
    static long workOfAPass(Dataset rows) {
        return rows.storedValues() + ROW_OVERHEAD * rows.rows();
    }
}
