package dev.starling.verify.proof;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * A lower and an upper bound on the optimum of a problem: the value of a dual point, and the objective of a parameter.
 */
public final class Bracket {

    private final CheckedProblem problem;
    private final DD[] theta;
    private DD below;
    private DD above;

    /** Created when first needed: most models are proven by the slopes at their own margins. */
    private Optional<DualSearch> search = Optional.empty();

    /** Creates the bracket given by a parameter and the slopes at its margins. */
    public Bracket(CheckedProblem problem, DD[] theta) {
        this.problem = problem;
        this.theta = theta;
        // No loss is negative anywhere.
        this.below = problem.loss().isDualised() ? problem.dual(problem.slopes(theta)) : DD.ZERO;
        this.above = problem.objective(theta);
    }

    public CheckedProblem problem() {
        return problem;
    }

    public DD below() {
        return below;
    }

    public DD above() {
        return above;
    }

    /**
     * Searches for better bounds for at most this many passes; returns how many it took, or 0 if no search suits the
     * problem.
     */
    public int narrow(int mostPasses) {
        search = search.or(() -> DualSearch.of(problem, theta));
        if (search.isEmpty()) {
            return 0;
        }
        int passes = search.get().advance(mostPasses);
        DD dual = problem.dual(search.get().slopes());
        DD objective = problem.objective(search.get().parameter());
        below = DoubleDoubles.isMore(dual, below) ? dual : below;
        above = DoubleDoubles.isMore(above, objective) ? objective : above;
        return passes;
    }
}
