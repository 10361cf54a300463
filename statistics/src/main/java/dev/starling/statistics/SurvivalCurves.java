package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.internal.Cholesky;
import dev.starling.loss.Elementary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Kaplan and Meier's estimates of how many of a group go on without an event, and the log-rank test of whether groups
 * differ.
 *
 * @param curves one for each group
 * @param level that of the intervals
 * @param logRank the test, within strata; empty for one group
 */
public record SurvivalCurves(List<Curve> curves, double level, Optional<LogRank> logRank) {

    /**
     * The curve of a group: a step at every time with an event.
     *
     * @param group the name of the group
     * @param rows the number of its rows
     * @param times the times with events
     * @param atRisk how many rows were at risk just before
     * @param events how many had the event
     * @param survival the part of the group without an event after that time
     * @param lower the lower end of its interval, which is symmetric for the logarithm; NaN where the part is 0
     * @param upper the upper end
     */
    public record Curve(
            String group,
            int rows,
            double[] times,
            int[] atRisk,
            int[] events,
            double[] survival,
            double[] lower,
            double[] upper) {

        /** The number of events. */
        public int eventCount() {
            return Arrays.stream(events).sum();
        }

        /** The time by which half of the group had the event; NaN if that is not known. */
        public double median() {
            return crossing(survival);
        }

        /** The lower end of the interval of the median; NaN if there is none. */
        public double medianLower() {
            return crossing(lower);
        }

        /** The upper end. */
        public double medianUpper() {
            return crossing(upper);
        }

        /** Where a curve falls to one half; halfway to the next step if it stays there. */
        private double crossing(double[] curve) {
            for (int k = 0; k < curve.length; k++) {
                if (Math.abs(curve[k] - 0.5) < 1e-10 && k + 1 < curve.length) {
                    return (times[k] + times[k + 1]) / 2;
                }
                if (curve[k] <= 0.5) {
                    return times[k];
                }
            }
            return Double.NaN;
        }
    }

    /**
     * The log-rank test.
     *
     * @param observed the number of events of each group
     * @param expected the number if all groups had the same hazard
     * @param test its statistic
     */
    public record LogRank(double[] observed, double[] expected, CoxTable.Test test) {}

    /** Copies the list. */
    public SurvivalCurves {
        curves = List.copyOf(curves);
    }

    /**
     * Estimates the curves.
     *
     * @param groups the group of each row, numbered from 0
     * @param names the names of the groups
     * @param level that of the intervals, for example 0.95
     */
    public static SurvivalCurves of(Survival survival, int[] groups, List<String> names, double level) {
        GlmTable.requireLevel(level);
        List<Curve> curves = IntStream.range(0, names.size())
                .mapToObj(group -> curve(survival, groups, group, names.get(group), level))
                .toList();
        return new SurvivalCurves(
                curves,
                level,
                names.size() < 2 ? Optional.empty() : Optional.of(logRank(survival, groups, names.size())));
    }

    private static Curve curve(Survival survival, int[] groups, int group, String name, double level) {
        int[] members = IntStream.range(0, survival.rows())
                .filter(i -> groups[i] == group)
                .toArray();
        Spans spans = Spans.of(survival, Arrays.stream(members));
        double[] times = Arrays.stream(spans.ended).distinct().toArray();
        int[] atRisk = new int[times.length];
        int[] events = new int[times.length];
        double[] part = new double[times.length];
        double[] lower = new double[times.length];
        double[] upper = new double[times.length];
        double quantile = Distributions.normalQuantile(1 - level);
        double left = 1;
        double variance = 0;
        for (int k = 0; k < times.length; k++) {
            atRisk[k] = spans.atRisk(times[k]);
            events[k] = spans.events(times[k]);
            left *= (double) (atRisk[k] - events[k]) / atRisk[k];
            variance += (double) events[k] / atRisk[k] / (atRisk[k] - events[k]);
            double factor = Elementary.exp(quantile * Math.sqrt(variance));
            part[k] = left;
            lower[k] = left > 0 ? left / factor : Double.NaN;
            upper[k] = left > 0 ? Math.min(1, left * factor) : Double.NaN;
        }
        return new Curve(name, members.length, times, atRisk, events, part, lower, upper);
    }

    /** When rows began to be watched, when they ceased to be, and when they had the event, each sorted. */
    private record Spans(double[] starts, double[] stops, double[] ended) {

        static Spans of(Survival survival, IntStream rows) {
            int[] members = rows.toArray();
            return new Spans(
                    sorted(survival.start(), Arrays.stream(members)),
                    sorted(survival.stop(), Arrays.stream(members)),
                    sorted(survival.stop(), Arrays.stream(members).filter(i -> survival.events()[i])));
        }

        private static double[] sorted(double[] times, IntStream rows) {
            return rows.mapToDouble(i -> times[i]).sorted().toArray();
        }

        /** How many have begun before a time and not ended before it. */
        int atRisk(double time) {
            return below(starts, time) - below(stops, time);
        }

        int events(double time) {
            return upTo(ended, time) - below(ended, time);
        }
    }

    /** How many of sorted numbers are less than one. */
    static int below(double[] sorted, double bound) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            boolean less = sorted[middle] < bound;
            low = less ? middle + 1 : low;
            high = less ? high : middle;
        }
        return low;
    }

    static int upTo(double[] sorted, double bound) {
        return below(sorted, Math.nextUp(bound));
    }

    private static LogRank logRank(Survival survival, int[] groups, int count) {
        double[] observed = new double[count];
        double[] expected = new double[count];
        double[][] covariance = new double[count][count];
        for (int s = 0; s < survival.strataCount(); s++) {
            int stratum = s;
            addStratum(
                    survival,
                    groups,
                    IntStream.range(0, survival.rows())
                            .filter(i -> survival.strata()[i] == stratum)
                            .toArray(),
                    observed,
                    expected,
                    covariance);
        }
        // The differences add up to 0, so one of them follows from the others; groups that were never at risk say
        // nothing.
        List<Integer> told = new ArrayList<>(IntStream.range(0, count)
                .filter(g -> covariance[g][g] > 0)
                .boxed()
                .toList());
        if (told.size() < 2) {
            throw new InvalidInputException(
                    "no two groups were at risk at the time of an event, so they cannot be compared");
        }
        told.remove(told.size() - 1);
        double[] matrix = new double[told.size() * told.size()];
        double[] difference = new double[told.size()];
        for (int a = 0; a < told.size(); a++) {
            difference[a] = observed[told.get(a)] - expected[told.get(a)];
            for (int b = 0; b < told.size(); b++) {
                matrix[a * told.size() + b] = covariance[told.get(a)][told.get(b)];
            }
        }
        double statistic = Cholesky.quadratic(matrix, difference);
        return new LogRank(observed, expected, CoxTable.Test.of(statistic, told.size()));
    }

    private static void addStratum(
            Survival survival,
            int[] groups,
            int[] members,
            double[] observed,
            double[] expected,
            double[][] covariance) {
        int count = observed.length;
        Spans[] spans = new Spans[count];
        for (int g = 0; g < count; g++) {
            int group = g;
            spans[g] = Spans.of(survival, Arrays.stream(members).filter(i -> groups[i] == group));
            observed[g] += spans[g].ended.length;
        }
        double[] times = Arrays.stream(spans)
                .flatMapToDouble(one -> Arrays.stream(one.ended))
                .sorted()
                .distinct()
                .toArray();
        double[] atRisk = new double[count];
        for (double time : times) {
            double all = 0;
            double events = 0;
            for (int g = 0; g < count; g++) {
                atRisk[g] = spans[g].atRisk(time);
                all += atRisk[g];
                events += spans[g].events(time);
            }
            double spread = all > 1 ? events * (all - events) / (all - 1) : 0;
            for (int g = 0; g < count; g++) {
                expected[g] += events * atRisk[g] / all;
                for (int h = 0; h < count; h++) {
                    covariance[g][h] += spread * atRisk[g] / all * ((g == h ? 1 : 0) - atRisk[h] / all);
                }
            }
        }
    }
}
