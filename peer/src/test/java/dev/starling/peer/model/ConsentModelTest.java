package dev.starling.peer.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.membership.SiteClasses;
import dev.starling.peer.model.Exploration.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A model of consent and change: runs of changing sites over the same people. Whoever keeps the authority's key makes
 * certificates for any name; every site may collude with the one that wants to know. No site's own sums may follow from
 * totals unless it has consented, with its own key. Who must consent is decided by {@link SiteClasses}, as in a run.
 */
class ConsentModelTest {

    private static final int FEWEST = 3;
    private static final double ZERO = 1e-9;

    /** How consent is asked for and checked. */
    private enum Rules {
        /** Of every site in a small class over all runs, with the key pinned in the previous run. */
        NOW,
        /** With the key pinned in the next run, which has none for a site that leaves. */
        NEW_PINS,
        /** Only if one site alone came or went since the last run. */
        SINGLE_CHANGES
    }

    /**
     * The runs so far.
     *
     * @param runs the sites of each, in order
     * @param consented the sites that have consented, with their own key
     */
    private record History(List<Set<String>> runs, Set<String> consented) {}

    private static List<Step<History>> steps(History history, Rules rules, List<String> sites, int mostRuns) {
        List<Step<History>> steps = new ArrayList<>();
        if (history.runs.size() == mostRuns) {
            return steps;
        }
        for (int chosen = 0; chosen < 1 << sites.size(); chosen++) {
            Set<String> members = new TreeSet<>();
            for (int k = 0; k < sites.size(); k++) {
                if ((chosen >> k & 1) == 1) {
                    members.add(sites.get(k));
                }
            }
            if (members.size() >= FEWEST) {
                Set<String> concerned = concerned(history, members, rules);
                // Nobody consents: only what is forged can help.
                Set<String> missing = new TreeSet<>(concerned);
                missing.removeIf(isForged(history, members, rules));
                missing.removeAll(history.consented);
                if (missing.isEmpty()) {
                    steps.add(ran("a run of " + members, history, members, Set.of()));
                }
                // Everybody who is asked consents.
                steps.add(ran("a run of " + members + " with consent of " + concerned, history, members, concerned));
            }
        }
        return steps;
    }

    private static Step<History> ran(String name, History history, Set<String> members, Set<String> consenting) {
        List<Set<String>> runs = new ArrayList<>(history.runs);
        runs.add(members);
        Set<String> consented = new TreeSet<>(history.consented);
        consented.addAll(consenting);
        return new Step<>(name, new History(runs, consented));
    }

    private static Set<String> concerned(History history, Set<String> members, Rules rules) {
        if (rules != Rules.SINGLE_CHANGES || history.runs.isEmpty()) {
            return SiteClasses.exposed(history.runs, members, FEWEST);
        }
        Set<String> last = history.runs.get(history.runs.size() - 1);
        Set<String> apart = new TreeSet<>(last);
        apart.addAll(members);
        apart.removeIf(site -> last.contains(site) && members.contains(site));
        return apart.size() == 1 ? apart : Set.of();
    }

    /** A consent is checked with the pinned key; where none is pinned, any certificate of that name will do. */
    private static Predicate<String> isForged(History history, Set<String> members, Rules rules) {
        return site -> rules == Rules.NEW_PINS
                && !members.contains(site)
                && history.runs.get(history.runs.size() - 1).contains(site);
    }

    /**
     * Whoever's own sums follow from the totals of all runs, with the help of any one colluding site, has consented.
     */
    private static boolean nobodyIsExposed(History history, List<String> sites) {
        for (String colluder : sites) {
            List<String> others =
                    sites.stream().filter(site -> !site.equals(colluder)).toList();
            for (String site : others) {
                if (!history.consented.contains(site) && follows(history.runs, others, site)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a combination of totals, without the colluder's part, is the part of one site alone. */
    private static boolean follows(List<Set<String>> runs, List<String> sites, String wanted) {
        List<double[]> rows = new ArrayList<>();
        for (Set<String> run : runs) {
            rows.add(sites.stream()
                    .mapToDouble(site -> run.contains(site) ? 1 : 0)
                    .toArray());
        }
        double[] target =
                sites.stream().mapToDouble(site -> site.equals(wanted) ? 1 : 0).toArray();
        return rank(rows) == rank(with(rows, target));
    }

    private static List<double[]> with(List<double[]> rows, double[] more) {
        List<double[]> all = new ArrayList<>(rows);
        all.add(more);
        return all;
    }

    private static int rank(List<double[]> given) {
        List<double[]> rows =
                new ArrayList<>(given.stream().map(double[]::clone).toList());
        int rank = 0;
        for (int c = 0; !rows.isEmpty() && c < rows.get(0).length; c++) {
            int pivot = rank;
            while (pivot < rows.size() && Math.abs(rows.get(pivot)[c]) < ZERO) {
                pivot++;
            }
            if (pivot < rows.size()) {
                double[] top = rows.get(pivot);
                rows.set(pivot, rows.get(rank));
                rows.set(rank, top);
                for (int r = rank + 1; r < rows.size(); r++) {
                    double factor = rows.get(r)[c] / top[c];
                    for (int k = c; k < top.length; k++) {
                        rows.get(r)[k] -= factor * top[k];
                    }
                }
                rank++;
            }
        }
        return rank;
    }

    private static Exploration explored(Rules rules, List<String> sites, int mostRuns) {
        return Exploration.of(
                new History(List.of(), Set.of()),
                history -> steps(history, rules, sites, mostRuns),
                history -> nobodyIsExposed(history, sites));
    }

    @Test
    void nobodyIsExposedWithoutConsent() {
        Exploration explored = explored(Rules.NOW, List.of("a", "b", "c", "d", "e"), 2);
        assertThat(explored.violation()).isEmpty();
        assertThat(explored.states()).isGreaterThan(200);
    }

    @Tag("thorough")
    @Test
    void nobodyIsExposedWithoutConsentInLongerHistories() {
        assertThat(explored(Rules.NOW, List.of("a", "b", "c", "d", "e", "f"), 3).violation())
                .isEmpty();
    }

    /** Whoever has the authority's key forges the consent of the one who leaves. */
    @Test
    void theOldPinsLetALeaverBeExposed() {
        List<String> way = explored(Rules.NEW_PINS, List.of("a", "b", "c", "d"), 2)
                .violation()
                .orElseThrow();
        assertThat(way).hasSize(2);
        assertThat(way.get(0)).startsWith("a run of [a, b, c, d]");
        assertThat(way.get(1)).startsWith("a run of [").doesNotContain("consent");
    }

    /** One site comes and another goes: nobody was asked, and whoever colludes with one knows the other. */
    @Test
    void theOldRuleForSingleChangesMissesASwap() {
        List<String> way = explored(Rules.SINGLE_CHANGES, List.of("a", "b", "c", "d", "e"), 2)
                .violation()
                .orElseThrow();
        assertThat(way).hasSize(2).noneMatch(step -> step.contains("consent of [a"));
    }
}
