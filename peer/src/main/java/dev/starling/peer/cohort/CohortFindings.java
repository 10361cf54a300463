package dev.starling.peer.cohort;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Set;

/**
 * What a run over some rows would do.
 *
 * @param refusals what would be isolated, by number and earlier run; empty if nothing
 * @param entry the cohort as it would be registered
 * @param earlier the sites of earlier runs, for each group of runs that are connected by common people and in which
 *     some of these people were
 * @param persons a keyed hash for each row, of the person that it is about
 */
public record CohortFindings(
        List<String> refusals, CohortRegister.Entry entry, List<List<Set<String>>> earlier, long[] persons) {

    /** Copies the lists. */
    public CohortFindings {
        refusals = List.copyOf(refusals);
        earlier = List.copyOf(earlier);
    }

    /**
     * Refuses a run that would isolate people.
     *
     * @param fewest how many people a class must have
     */
    public void require(int fewest) {
        if (!refusals.isEmpty()) {
            throw new InvalidInputException(String.join("; ", refusals)
                    + ". Totals of this run and of earlier ones would differ by these alone, and at least " + fewest
                    + " must be together (policy: fewest-rows). Wait until so many have gathered, leave the"
                    + " changes out, or let whoever must go take others along ('starling cohort withdraw')");
        }
    }
}
