package dev.starling.lab.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One method's curves, one for each seed, and their statistics.
 *
 * @param method its name
 * @param curves one per seed, at least one
 */
public record MethodResult(String method, List<Curve> curves) {

    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;

    /** Copies the list. */
    public MethodResult {
        curves = List.copyOf(curves);
    }

    /**
     * The distribution over the seeds at one moment.
     *
     * @param median the median point, number by number
     * @param low the suboptimality that a tenth of the seeds are below
     * @param high the suboptimality that a tenth of the seeds are above
     */
    public record Moment(Point median, double low, double high) {}

    /** The medians over the seeds of all numbers, moment by moment, for as long as all of them ran. */
    public List<Moment> moments() {
        int length =
                curves.stream().mapToInt(curve -> curve.points().size()).min().orElse(0);
        List<Moment> moments = new ArrayList<>();
        for (int k = 0; k < length; k++) {
            Moment moment = moment(k);
            Point point = moment.median();
            Point before =
                    moments.isEmpty() ? null : moments.get(moments.size() - 1).median();
            // A method whose rounds are longer than the time between two snapshots is the same in both.
            if (before == null || point.time() > before.time() || point.suboptimality() != before.suboptimality()) {
                moments.add(moment);
            }
        }
        return moments;
    }

    /**
     * The last finite relative gap that the method's own nodes certified, as the median over the seeds; empty if there
     * is none.
     */
    public OptionalDouble certified() {
        return moments().stream()
                .mapToDouble(moment -> moment.median().certified())
                .filter(Double::isFinite)
                .reduce((earlier, later) -> later);
    }

    /** The median point at the end. */
    public Point last() {
        List<Moment> moments = moments();
        return moments.get(moments.size() - 1).median();
    }

    private Moment moment(int k) {
        double[] errors = values(k, Point::suboptimality);
        Point median = new Point(
                median(k, Point::time),
                median(k, Point::steps),
                median(k, Point::rounds),
                median(k, Point::latency),
                median(k, Point::bytes),
                median(k, Point::seconds),
                quantile(errors, 0.5),
                median(k, Point::worst),
                median(k, Point::gradient),
                median(k, Point::certified));
        return new Moment(median, quantile(errors, LOW), quantile(errors, HIGH));
    }

    private double median(int k, ToDoubleFunction<Point> number) {
        return quantile(values(k, number), 0.5);
    }

    private double[] values(int k, ToDoubleFunction<Point> number) {
        return curves.stream()
                .mapToDouble(curve -> number.applyAsDouble(curve.points().get(k)))
                .sorted()
                .toArray();
    }

    /** The median over the seeds of the time to a suboptimality; empty if at least half of them do not reach it. */
    public OptionalDouble timeTo(double target) {
        return spentTo(target, Point::time);
    }

    /** The same for any number, such as the bytes that all nodes have sent by then. */
    public OptionalDouble spentTo(double target, ToDoubleFunction<Point> number) {
        return spentTo(curve -> curve.within(target), number);
    }

    /** The same for any number, at the point where the gradient's norm reaches a target. */
    public OptionalDouble spentToGradient(double target, ToDoubleFunction<Point> number) {
        return spentTo(curve -> curve.withinGradient(target), number);
    }

    private OptionalDouble spentTo(Function<Curve, Optional<Point>> reached, ToDoubleFunction<Point> number) {
        double[] spent = curves.stream()
                .mapToDouble(
                        curve -> reached.apply(curve).map(number::applyAsDouble).orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toArray();
        double median = quantile(spent, 0.5);
        return Double.isFinite(median) ? OptionalDouble.of(median) : OptionalDouble.empty();
    }

    /** Errors of the nodes at the end of the first seed's run. */
    public List<Double> nodeErrors() {
        return curves.get(0).nodeErrors();
    }

    /** Whether no seed's run was stopped early. */
    public boolean isComplete() {
        return curves.stream().noneMatch(curve -> curve.end() == Curve.End.STOPPED);
    }

    /** A quantile of sorted values, with linear interpolation. */
    static double quantile(double[] sorted, double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        double rest = position - below;
        return rest == 0 ? sorted[below] : sorted[below] + rest * (sorted[below + 1] - sorted[below]);
    }
}
