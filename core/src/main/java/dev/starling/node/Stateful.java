package dev.starling.node;

import java.io.IOException;

/** Something whose exact state can be saved and restored. */
@FunctionalInterface
public interface Stateful {

    /**
     * Saves every field of the state, or restores it. What is restored must have been built from the same data,
     * parameters and seed as what was saved.
     */
    void state(State s) throws IOException;
}
