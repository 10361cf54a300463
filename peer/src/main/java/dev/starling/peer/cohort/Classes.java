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

    /** For each class, the number of the run that formed it: that of the class before, if it is still whole. */
    static int[] formed(int[] before, int[] after, int[] formedBefore, int now) {
        int[] sizesBefore = sizes(before);
        int[] sizes = sizes(after);
        int[] formed = new int[sizes.length];
        for (int p = 0; p < after.length; p++) {
            boolean whole = before[p] != NONE && sizesBefore[before[p]] == sizes[after[p]];
            formed[after[p]] = whole ? formedBefore[before[p]] : now;
        }
        return formed;
    }

    /**
     * For each class, the numbers of the runs that its people were in, with this one if they are in some part of it.
     */
    static BitSet[] runs(int[] before, int[] after, int[] parts, BitSet[] runsBefore, int now) {
        BitSet[] runs = new BitSet[sizes(after).length];
        for (int p = 0; p < after.length; p++) {
            if (runs[after[p]] == null) {
                runs[after[p]] = before[p] == NONE ? new BitSet() : (BitSet) runsBefore[before[p]].clone();
                runs[after[p]].set(now, parts[p] != 0);
            }
        }
        return runs;
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
