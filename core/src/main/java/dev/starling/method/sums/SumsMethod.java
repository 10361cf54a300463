package dev.starling.method.sums;

import dev.starling.method.Method;

/** A method whose nodes exchange nothing but sums, and which needs no facts about the nodes to be tuned. */
public interface SumsMethod extends Method {

    @Override
    default boolean tellsMoreThanSums() {
        return false;
    }
}
