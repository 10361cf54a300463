package dev.starling.cli.verify;

import java.util.Optional;

/** The optimum of a problem between two values: below it that of a dual point, above it that of a parameter. */
final class Bracket {

    private final CheckedProblem problem;
    private final DoubleDouble[] theta;
    private DoubleDouble below;
    private DoubleDouble above;

    /** Made when first needed: most models are proven by the slopes at their own margins. */
    private Optional<DualSearch> search = Optional.empty();

    /** As a parameter, and the slopes at its margins, have it. */
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

    /** Looks for better bounds, for so many passes at most; returns how many it took, 0 if there is no way to look. */
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
