package dev.starling.method.sums;

import dev.starling.method.Method;
import dev.starling.problem.LocalProblem;

/** A method whose nodes exchange nothing but sums, and which needs no facts about the nodes to be tuned. */
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
