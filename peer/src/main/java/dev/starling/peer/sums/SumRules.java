package dev.starling.peer.sums;

import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The checks that a site makes before anything about its rows leaves it. */
public interface SumRules extends Stateful {

    /**
     * Called before an addend leaves, masked or not.
     *
     * @throws dev.starling.data.InvalidInputException if it must not leave
     */
    default void require(SumRequest request, double[] addend) {}

    /** Whether a gradient or Hessian may be released in which the samples have these shares. */
    default boolean allows(SumKind kind, int problem, double[] shares) {
        return true;
    }

    /** Whether so much has been released that the run should end before a rule has to refuse. */
    default boolean wishesToStop() {
        return false;
    }

    /** How much a run may release, given the limits of all sites. */
    default ReleaseLimits limits(List<Map<String, Double>> allLimits) {
        return ReleaseLimits.NONE;
    }

    /**
     * Called before a method makes sites send their neighbours more than sums.
     *
     * @param allLimits the limits of all sites, by site
     * @throws dev.starling.data.InvalidInputException if not all sites accept that
     */
    default void requireConsent(String method, List<Map<String, Double>> allLimits) {}

    /**
     * Called before numbers leave from which the sums of single sites can be computed.
     *
     * @param allLimits the limits of all sites, by site
     * @throws dev.starling.data.InvalidInputException if not all sites have given leave
     */
    default void requireLeave(String what, List<Map<String, Double>> allLimits) {}

    /** Called once the totals are known. */
    default void opened(SumRequest request, double[] totals) {}

    /** Saves or restores what was released so far. */
    @Override
    default void state(State s) throws IOException {}
}
