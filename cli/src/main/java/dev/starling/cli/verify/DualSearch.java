package dev.starling.cli.verify;

import dev.starling.data.Dataset;
import java.util.Optional;

/**
 * A search for slopes whose dual value is large, and for a parameter whose objective is small. It computes in plain
 * doubles: whatever it finds is judged by {@link CheckedProblem}, so that no verdict depends on how well it searches.
 */
sealed interface DualSearch permits MultiplierSearch, CoordinateAscent {

    /** What a row takes besides its values, in values. */
    long ROW_OVERHEAD = 10;

    /** Goes on searching, for as long as so many passes through the rows take at most; returns how many it took. */
    int advance(int mostPasses);

    /** The slopes found: one for every row, in the domain of the loss's conjugate. */
    double[] slopes();

    /** The parameter found. */
    DoubleDouble[] parameter();

    /** The search that suits a problem, from a parameter; none for a lasso of very many features. */
    static Optional<DualSearch> of(CheckedProblem problem, DoubleDouble[] theta) {
        if (MultiplierSearch.suits(problem)) {
            return Optional.of(new MultiplierSearch(problem, theta));
        }
        return problem.isLasso() ? Optional.empty() : Optional.of(new CoordinateAscent(problem, theta));
    }

    /** What it takes to go through the rows once, in multiplications. */
    static long workOfAPass(Dataset rows) {
        return rows.storedValues() + ROW_OVERHEAD * rows.rows();
    }
}
