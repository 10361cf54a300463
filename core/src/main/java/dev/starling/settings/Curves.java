package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.model.Differences;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Survival curves by intervals that all nodes agree on.
 *
 * @param times where intervals end, ascending; empty if there are no curves
 * @param column the column whose levels are groups with a curve each; empty for one group
 */
public record Curves(List<Double> times, String column) {

    /** None. */
    public static final Curves NONE = new Curves(List.of(), "");

    private static final String BY = " by ";

    /** Copies the list and checks that it ascends. */
    public Curves {
        times = List.copyOf(times);
        for (int k = 0; k < times.size(); k++) {
            if (!(times.get(k) > (k == 0 ? 0 : times.get(k - 1)))
                    || times.get(k).isInfinite()) {
                throw refused(times.stream().map(String::valueOf).collect(Collectors.joining(",")));
            }
        }
    }

    private static InvalidInputException refused(String times) {
        return new InvalidInputException("intervals cannot end at " + times
                + "; give positive times in ascending order, for example 90,180,365");
    }

    /** Those that a text names: times, separated by commas, then perhaps {@code by} and a column. */
    public static Curves named(String text) {
        int by = text.indexOf(BY);
        String times = by < 0 ? text : text.substring(0, by);
        List<Double> ends;
        try {
            ends = Form.NUMBERS.parser().apply("curves", times.strip());
        } catch (InvalidInputException e) {
            throw new InvalidInputException(refused(times.strip()).getMessage(), e);
        }
        return new Curves(ends, by < 0 ? "" : text.substring(by + BY.length()).strip());
    }

    /** The text that {@link #named} reads. */
    public String text() {
        return Form.NUMBERS.writer().apply(times) + (column.isEmpty() ? "" : BY + column);
    }

    /** Whether there are any. */
    public boolean isAsked() {
        return !times.isEmpty();
    }

    /** The features of the groups but the first. */
    public int[] features(List<String> names) {
        return Differences.features("curves", column.isEmpty() ? List.of() : List.of(column), names);
    }

    /** The interval that a time is in; beyond the last one, their number. */
    public int interval(double time) {
        int k = 0;
        while (k < times.size() && time > times.get(k)) {
            k++;
        }
        return k;
    }
}
