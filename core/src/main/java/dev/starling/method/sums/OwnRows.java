package dev.starling.method.sums;

import dev.starling.node.Stateful;
import dev.starling.node.SumRequest;

/**
 * A node's rows, and the state that a method keeps for them: computes the addends that decisions ask for.
 *
 * @param <D> the method's type of decision
 */
public interface OwnRows<D extends Decision> extends Stateful {

    /** Returns what the addend for a decision is a sum of. */
    SumRequest request(D decision, int problem);

    /** Returns the cost of computing the addend when visiting a sample costs 1. */
    double cost(D decision);

    /** Overwrites the numbers of an addend, which follow its head, and returns how many samples were visited. */
    long add(D decision, double[] addend);

    /**
     * Checks totals, which another node may have tampered with.
     *
     * @throws dev.starling.data.InvalidInputException if they cannot be right
     */
    void require(D decision, double[] addend, double[] totals);
}
