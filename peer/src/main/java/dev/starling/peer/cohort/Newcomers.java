package dev.starling.peer.cohort;

import dev.starling.data.keys.RowKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * People who are new, beside those who are missing: who says the same as somebody who is missing may be the same
 * person, under another identity or with another cell corrected, and then totals differ by the rest alone.
 */
final class Newcomers {

    private final int[] fresh;
    private final int[] missing;
    private final long[] saidNow;
    private final long[] saidBefore;

    /** For each column, and twice for all together, how many say what one of those who are missing said. */
    private final List<Integer> alike = new ArrayList<>();

    /**
     * Finds those who are new and those who are missing.
     *
     * @param classesBefore the classes of everybody before the run
     * @param parts the parts of the run that everybody is in; 0 for those who are absent
     */
    Newcomers(int[] classesBefore, int[] parts) {
        int[] people = IntStream.range(0, parts.length).toArray();
        int[] absent = Arrays.stream(people).filter(p -> parts[p] == 0).toArray();
        this.fresh = Arrays.stream(people)
                .filter(p -> absent.length > 0 && parts[p] != 0 && classesBefore[p] == Classes.NONE)
                .toArray();
        this.missing = fresh.length == 0 ? fresh : absent;
        this.saidNow = new long[fresh.length];
        this.saidBefore = new long[missing.length];
    }

    /** Compares what is said in a column; those who are new or missing, and say nothing there, have 0. */
    void compare(long tag, int[] now, int[] before) {
        long[] said = Arrays.stream(fresh).mapToLong(p -> now[p]).toArray();
        long[] once = Arrays.stream(missing).mapToLong(p -> before[p]).toArray();
        alike.add(inBoth(said, once));
        // In columns that only one of the two has, nothing can be the same.
        if (Arrays.stream(said).anyMatch(cell -> cell != 0)
                && Arrays.stream(once).anyMatch(cell -> cell != 0)) {
            Arrays.setAll(saidNow, k -> saidNow[k] + RowKeys.mixed(tag, said[k]));
            Arrays.setAll(saidBefore, k -> saidBefore[k] + RowKeys.mixed(tag, once[k]));
        }
    }

    /** How many values there are that are not 0 and occur once in each of two arrays. */
    private static int inBoth(long[] one, long[] other) {
        long[] first = single(one);
        long[] second = single(other);
        return (int) Arrays.stream(first)
                .filter(value -> Arrays.binarySearch(second, value) >= 0)
                .count();
    }

    private static long[] single(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return IntStream.range(0, sorted.length)
                .filter(k -> sorted[k] != 0
                        && (k == 0 || sorted[k] != sorted[k - 1])
                        && (k == sorted.length - 1 || sorted[k] != sorted[k + 1]))
                .mapToLong(k -> sorted[k])
                .toArray();
    }

    /**
     * Why the run must not be, with a place for the name of the last run. So many alike, in two columns if people have
     * identities, do not come about by chance: two thirds of those who are new, or of those who are missing.
     *
     * @param identified whether people have identities; without them a corrected cell makes another person
     * @param fewest how many people a class must have
     */
    Optional<String> refusal(boolean identified, int fewest) {
        List<Integer> most = new ArrayList<>(alike);
        most.addAll(Collections.nCopies(2, inBoth(saidNow, saidBefore)));
        most.sort(Collections.reverseOrder());
        int same = most.get(identified ? 1 : 0);
        boolean byChance = 3L * same < 2L * Math.min(fresh.length, missing.length);
        if (same == 0 || byChance || !leavesFew(same, identified, fewest)) {
            return Optional.empty();
        }
        String whoSaySo = same + " of " + fresh.length + " new people say the same as ";
        return Optional.of(
                identified
                        ? whoSaySo + "people with other identities in run %s; give people the identities that they had"
                        : whoSaySo + "some of the " + missing.length + " who are missing from run %s, so that the rest"
                                + " would be told apart; name a column of identities (ids: in the study)");
    }

    private boolean leavesFew(int same, boolean identified, int fewest) {
        return IntStream.of(fresh.length, missing.length)
                .map(all -> all - same)
                .anyMatch(rest -> rest < fewest && (identified || rest > 0));
    }
}
