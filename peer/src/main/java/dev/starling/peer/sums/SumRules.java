package dev.starling.peer.sums;

import dev.starling.node.SumRequest;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a site asks itself before anything about its rows leaves it. */
public interface SumRules {

    /** No rules at all. */
    SumRules NONE = new SumRules() {};

    /**
     * Before an addend leaves, masked or not.
     *
     * @throws dev.starling.data.InvalidInputException if it must not
     */
    default void require(SumRequest request, double[] addend) {}

    /** Once the totals are known. */
    default void opened(SumRequest request, double[] totals) {}

    /** Writes what was released so far. */
    default void save(DataOutput out) throws IOException {}

    /** Takes up what {@link #save} wrote. */
    default void restore(DataInput in) throws IOException {}
}
