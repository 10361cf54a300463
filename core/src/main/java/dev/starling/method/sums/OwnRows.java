package dev.starling.method.sums;

import dev.starling.node.SumRequest;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A node's rows and what a method keeps beside them: makes the addends that decisions ask for.
 *
 * @param <D> what a decision of the method is
 */
public interface OwnRows<D extends Decision> {

    /** What an addend is a sum of. */
    SumRequest request(D decision, int problem);

    /** What making it costs when visiting a sample costs 1. */
    double cost(D decision);

    /** Overwrites the numbers of an addend, those after its head, and returns how many samples were visited. */
    long add(D decision, double[] addend);

    /**
     * Takes in totals, which another node may have tampered with.
     *
     * @throws dev.starling.data.InvalidInputException if they cannot be right
     */
    void require(D decision, double[] addend, double[] totals);

    /** Writes what is kept beside the rows. */
    void save(DataOutput out) throws IOException;

    /** Takes up what {@link #save} wrote. */
    void restore(DataInput in) throws IOException;
}
