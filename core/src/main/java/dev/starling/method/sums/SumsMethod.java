package dev.starling.method.sums;

import dev.starling.method.Method;
import dev.starling.problem.LocalProblem;

/** A method whose nodes tell each other sums and nothing else, and of which they need to know nothing beforehand. */
public interface SumsMethod extends Method {

    @Override
    default boolean tellsMoreThanSums() {
        return false;
    }

    @Override
    default int factCount() {
        return 0;
    }

    @Override
    default double[] facts(LocalProblem problem) {
        return new double[0];
    }
}
