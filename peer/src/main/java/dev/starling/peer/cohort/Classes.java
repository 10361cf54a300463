package dev.starling.peer.cohort;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/** Partitions of people: a number for each person, equal for those in the same class. */
final class Classes {

    /** The class of those who have been in none. */
    static final int NONE = -1;

    private Classes() {}

    /** The common refinement of two partitions, numbered from 0; those in no class of the first two are in none. */
    static int[] refined(int[] one, int[] other, IntPredicate counts) {
        long[] keys = new long[one.length];
        int counted = 0;
        for (int p = 0; p < one.length; p++) {
            if (counts.test(p)) {
                keys[counted++] = key(one[p], other[p]);
            }
        }
        Arrays.sort(keys, 0, counted);
        int distinct = 0;
        for (int k = 0; k < counted; k++) {
            if (k == 0 || keys[k] != keys[k - 1]) {
                keys[distinct++] = keys[k];
            }
        }
        int[] result = new int[one.length];
        for (int p = 0; p < one.length; p++) {
            result[p] = counts.test(p) ? Arrays.binarySearch(keys, 0, distinct, key(one[p], other[p])) : NONE;
        }
        return result;
    }

    private static long key(int one, int other) {
        return ((long) one << Integer.SIZE) | (other & 0xFFFFFFFFL);
    }

    /**
     * Returns somebody of every class that is new and too small: one that is a proper part of an earlier class, or
     * consists of people who were in none.
     *
     * @param fewest how many people a class must have
     */
    static List<Integer> tooSmall(int[] before, int[] after, int fewest) {
        int[] sizesBefore = sizes(before);
        int[] sizes = sizes(after);
        BitSet seen = new BitSet();
        List<Integer> found = new ArrayList<>();
        for (int p = 0; p < after.length; p++) {
            if (after[p] != NONE
                    && sizes[after[p]] < fewest
                    && (before[p] == NONE || sizes[after[p]] < sizesBefore[before[p]])
                    && !seen.get(after[p])) {
                seen.set(after[p]);
                found.add(p);
            }
        }
        return found;
    }

    /** How many people are in each class. */
    static int[] sizes(int[] classes) {
        int[] sizes = new int[Arrays.stream(classes).max().orElse(NONE) + 1];
        for (int one : classes) {
            if (one != NONE) {
                sizes[one]++;
            }
        }
        return sizes;
    }
}
