package dev.starling.verify;

import java.util.Optional;

/**
 * A lower and an upper bound on the optimum of a problem: the value of a dual point, and the objective of a parameter.
 */
final class Bracket {

    private final CheckedProblem problem;
    private final DoubleDouble[] theta;
    private DoubleDouble below;
    private DoubleDouble above;

    /** Created when first needed: most models are proven by the slopes at their own margins. */
    private Optional<DualSearch> search = Optional.empty();

    /** Creates the bracket given by a parameter and the slopes at its margins. */
    Bracket(CheckedProblem problem, DoubleDouble[] theta) {
        this.problem = problem;
        this.theta = theta;
        this.below = problem.dual(problem.slopes(theta));
        this.above = problem.objective(theta);
    }

    CheckedProblem problem() {
        return problem;
    }

    DoubleDouble below() {
        return below;
    }

    DoubleDouble above() {
        return above;
    }

    /**
     * Searches for better bounds for at most this many passes; returns how many it took, or 0 if no search suits the
     * problem.
     */
    int narrow(int mostPasses) {
        search = search.or(() -> DualSearch.of(problem, theta));
        if (search.isEmpty()) {
            return 0;
        }
        int passes = search.get().advance(mostPasses);
        DoubleDouble dual = problem.dual(search.get().slopes());
        DoubleDouble objective = problem.objective(search.get().parameter());
        below = dual.isMoreThan(below) ? dual : below;
        above = above.isMoreThan(objective) ? objective : above;
        return passes;
    }
}
