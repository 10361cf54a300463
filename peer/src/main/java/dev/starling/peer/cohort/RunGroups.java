package dev.starling.peer.cohort;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs that are connected by common people, directly or by way of other runs: totals of others say nothing about them.
 *
 * @param groups groups of runs, none of which has people in common with a run of another one
 */
record RunGroups(List<List<CohortRegister.Entry>> groups) {

    /** The groups that some runs are in. */
    static RunGroups of(List<CohortRegister.Entry> runs, List<Integer> some) {
        int[] parents = IntStream.range(0, runs.size()).toArray();
        for (int k = 0; k < parents.length; k++) {
            for (int earlier : runs.get(k).with()) {
                parents[group(parents, earlier)] = group(parents, k);
            }
        }
        int[] groups =
                IntStream.range(0, parents.length).map(k -> group(parents, k)).toArray();
        Set<Integer> wanted = some.stream().map(run -> groups[run]).collect(Collectors.toSet());
        Map<Integer, List<CohortRegister.Entry>> found = new TreeMap<>();
        for (int k = 0; k < groups.length; k++) {
            if (wanted.contains(groups[k])) {
                found.computeIfAbsent(groups[k], none -> new ArrayList<>()).add(runs.get(k));
            }
        }
        return new RunGroups(List.copyOf(found.values()));
    }

    /** The run that stands for the group of a run; the way to it is halved. */
    private static int group(int[] parents, int run) {
        int at = run;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    /** The runs of all groups. */
    List<CohortRegister.Entry> all() {
        return groups.stream().flatMap(List::stream).toList();
    }
}
