package dev.starling.peer.cohort;

import dev.starling.cores.Loops;
import java.util.Arrays;

/** Which rows are about which known people, where equal keys say that the same is written of both. */
final class Linkage {

    private static final int AT_A_TIME = 1 << 16;

    private Linkage() {}

    /**
     * Gives rows the people with the same keys, each person to one row at most.
     *
     * @param people the known people
     * @param ofPeople the key of each of them
     * @param ofRows the key of each row
     * @param persons for each row, who it is about; replaced where there is a known person
     * @return how many rows are about known people
     */
    static int link(long[] people, long[] ofPeople, long[] ofRows, long[] persons) {
        long[] keys = ofPeople.clone();
        Arrays.sort(keys);
        int[] used = new int[keys.length];
        int[] order = new int[keys.length];
        for (int k = 0; k < keys.length; k++) {
            int place = first(keys, ofPeople[k]);
            order[place + used[place]++] = k;
        }
        Arrays.fill(used, 0);
        int met = 0;
        for (int row = 0; row < ofRows.length; row++) {
            int place = first(keys, ofRows[row]);
            int next = place < keys.length ? place + used[place] : place;
            if (next < keys.length && keys[next] == ofRows[row]) {
                persons[row] = people[order[next]];
                used[place]++;
                met++;
            }
        }
        return met;
    }

    /** The first place of a value among sorted ones, or where it would be. */
    private static int first(long[] sorted, long value) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The places of values among distinct sorted ones; negative for those that are not there. */
    static int[] places(long[] values, long[] sorted) {
        int[] places = new int[values.length];
        Loops.overRows(values.length, AT_A_TIME, (from, to) -> {
            int place = -1;
            for (int k = from; k < to; k++) {
                // Values that are sorted as well have their places one after the other.
                boolean next = place >= 0 && place + 1 < sorted.length && sorted[place + 1] == values[k];
                place = next ? place + 1 : Arrays.binarySearch(sorted, values[k]);
                places[k] = place;
            }
        });
        return places;
    }

    /** The distinct values of two arrays, sorted; those of the first are already. */
    static long[] union(long[] sorted, long[] others) {
        int[] places = places(others, sorted);
        long[] rest = new long[others.length];
        int left = 0;
        for (int k = 0; k < others.length; k++) {
            if (places[k] < 0) {
                rest[left++] = others[k];
            }
        }
        Arrays.sort(rest, 0, left);
        long[] all = new long[sorted.length + left];
        int count = 0;
        int next = 0;
        for (int k = 0; k < left; k++) {
            for (; next < sorted.length && sorted[next] < rest[k]; next++) {
                all[count++] = sorted[next];
            }
            if (k == 0 || rest[k] != rest[k - 1]) {
                all[count++] = rest[k];
            }
        }
        System.arraycopy(sorted, next, all, count, sorted.length - next);
        return Arrays.copyOf(all, count + sorted.length - next);
    }
}
