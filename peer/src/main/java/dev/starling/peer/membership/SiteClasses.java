package dev.starling.peer.membership;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Classes of sites: two sites are in the same class if they took part in the same runs. */
public final class SiteClasses {

    private SiteClasses() {}

    /**
     * The sites that a run sets apart from the others, by ones or by twos, so that totals of this run and of earlier
     * ones differ by their sums alone.
     *
     * @param earlier the sites of each earlier run
     * @param now the sites of the run
     * @param fewest how many sites a class must have
     */
    public static Set<String> exposed(List<Set<String>> earlier, Set<String> now, int fewest) {
        return exposedByJoining(List.of(earlier), now, fewest);
    }

    /**
     * The same for a run over people of several groups of runs, none of which had anybody in common with another so
     * far.
     */
    public static Set<String> exposedByJoining(List<List<Set<String>>> groups, Set<String> now, int fewest) {
        Set<Set<String>> before = new HashSet<>();
        groups.forEach(group -> before.addAll(classes(group)));
        List<Set<String>> all = new ArrayList<>();
        groups.forEach(all::addAll);
        all.add(now);
        Set<String> exposed = new TreeSet<>();
        for (Set<String> one : classes(all)) {
            if (all.size() > 1 && one.size() < fewest && !before.contains(one)) {
                exposed.addAll(one);
            }
        }
        return exposed;
    }

    private static Collection<Set<String>> classes(List<Set<String>> runs) {
        Map<String, Set<String>> classes = new TreeMap<>();
        Set<String> sites = new TreeSet<>();
        runs.forEach(sites::addAll);
        for (String site : sites) {
            StringBuilder took = new StringBuilder();
            runs.forEach(run -> took.append(run.contains(site) ? '1' : '0'));
            classes.computeIfAbsent(took.toString(), none -> new TreeSet<>()).add(site);
        }
        return classes.values();
    }
}
