package dev.starling.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long each row was watched, and whether its event was seen then: from {@code start} (exclusive) to {@code stop}.
 *
 * @param start when it began; negative infinity for all rows if none came late
 * @param stop when it ended
 * @param events whether it ended with the event; otherwise nobody knows what followed
 * @param strata the stratum of each row, numbered from 0; rows of different strata are never compared
 */
public record Survival(double[] start, double[] stop, boolean[] events, int[] strata) {

    /** Checks that times are finite and in order, and that there is an event. */
    public Survival {
        for (int i = 0; i < stop.length; i++) {
            if (!Double.isFinite(stop[i])) {
                throw new InvalidInputException(
                        "row " + (i + 1) + " ends at " + stop[i] + "; times must be finite numbers");
            }
            if (!(start[i] < stop[i])) {
                throw new InvalidInputException("row " + (i + 1) + " ends at " + stop[i]
                        + ", which is not after its start " + start[i] + "; leave it out or correct its times");
            }
        }
        if (eventCount(events) == 0) {
            throw new InvalidInputException("no row ends with an event, so there is nothing to learn from");
        }
    }

    private static int eventCount(boolean... events) {
        int count = 0;
        for (boolean event : events) {
            count += event ? 1 : 0;
        }
        return count;
    }

    /** Rows that were all watched from the beginning, in one stratum. */
    public static Survival of(double[] stop, boolean[] events) {
        double[] start = new double[stop.length];
        Arrays.fill(start, Double.NEGATIVE_INFINITY);
        return new Survival(start, stop, events, new int[stop.length]);
    }

    /**
     * The times that labels stand for: positive if a row ended with the event, negative if not.
     *
     * @param keys the stratum of each row; empty for one stratum
     */
    public static Survival of(Dataset data, long[] keys) {
        double[] start = new double[data.rows()];
        boolean[] events = new boolean[start.length];
        for (int i = 0; i < start.length; i++) {
            start[i] = data.entry(i);
            events[i] = data.label(i) > 0;
        }
        double[] stop = Arrays.stream(data.labels()).map(Math::abs).toArray();
        return new Survival(start, stop, events, numbered(keys, start.length));
    }

    /** The stratum of each row, numbered in the order in which keys first occur; 0 for all if there are no keys. */
    public static int[] numbered(long[] keys, int rows) {
        Map<Long, Integer> known = new HashMap<>();
        return keys.length == 0
                ? new int[rows]
                : Arrays.stream(keys)
                        .mapToInt(key -> known.computeIfAbsent(key, any -> known.size()))
                        .toArray();
    }

    /** The number of rows. */
    public int rows() {
        return stop.length;
    }

    /** The number of events. */
    public int eventCount() {
        return eventCount(events);
    }

    /** The number of strata. */
    public int strataCount() {
        return Arrays.stream(strata).max().orElse(-1) + 1;
    }

    /** Whether some rows came late. */
    public boolean isTruncated() {
        return Arrays.stream(start).anyMatch(time -> time != Double.NEGATIVE_INFINITY);
    }
}
