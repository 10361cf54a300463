package dev.starling.peer.sums;

import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumRequest;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;

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

    /** Whether a gradient with these shares of samples may be told; if not, the site wishes that the run ended. */
    default boolean allowsSlopes(int problem, double[] shares) {
        return true;
    }

    /** Whether so much has been told that the run should end before a rule must refuse. */
    default boolean wishesToStop() {
        return false;
    }

    /** How much a run may tell, from what all sites say of their limits. */
    default ReleaseLimits limits(List<Map<String, Double>> everyones) {
        return ReleaseLimits.NONE;
    }

    /**
     * Before a method has sites tell their neighbours more than sums.
     *
     * @param everyones limits, by site
     * @throws dev.starling.data.InvalidInputException if not all accept that
     */
    default void requireConsent(String method, List<Map<String, Double>> everyones) {}

    /** Once the totals are known. */
    default void opened(SumRequest request, double[] totals) {}

    /** Writes what was released so far. */
    default void save(DataOutput out) throws IOException {}

    /** Takes up what {@link #save} wrote. */
    default void restore(DataInput in) throws IOException {}
}
