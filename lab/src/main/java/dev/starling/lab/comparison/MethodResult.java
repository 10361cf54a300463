package dev.starling.lab.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One method's curves, one for each seed, and what they have in common.
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
     * How the seeds spread at one moment.
     *
     * @param median the point in the middle, number by number
     * @param low the suboptimality that a tenth of the seeds are below
     * @param high the suboptimality that a tenth of the seeds are above
     */
    public record Moment(Point median, double low, double high) {}

    /** The seeds together: the median of all numbers, moment by moment, for as long as all of them ran. */
    public List<Moment> moments() {
        int length =
                curves.stream().mapToInt(curve -> curve.points().size()).min().orElse(0);
        List<Moment> moments = new ArrayList<>();
        for (int k = 0; k < length; k++) {
            Moment moment = moment(k);
            Point point = moment.median();
            Point before =
                    moments.isEmpty() ? null : moments.get(moments.size() - 1).median();
            // A method whose rounds are longer than the time between two pictures is on both of them.
            if (before == null || point.time() > before.time() || point.suboptimality() != before.suboptimality()) {
                moments.add(moment);
            }
        }
        return moments;
    }

    /**
     * The relative gap that the method's own nodes vouch for where they last could, by the median over the seeds; empty
     * if it has none to give.
     */
    public OptionalDouble certified() {
        return moments().stream()
                .mapToDouble(moment -> moment.median().certified())
                .filter(Double::isFinite)
                .reduce((earlier, later) -> later);
    }

    /** The seeds together at the end. */
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

    /** The median over the seeds of the time to a suboptimality; empty if half of them or more do not get there. */
    public OptionalDouble timeTo(double target) {
        return spentTo(curve -> curve.within(target), Point::time);
    }

    /** The same of the bytes that all nodes have sent by then. */
    public OptionalDouble bytesTo(double target) {
        return spentTo(curve -> curve.within(target), Point::bytes);
    }

    /** The median over the seeds of a number where the gradient's norm comes down to a target, likewise. */
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

    /** Whether every seed's run went on until it was there or out of time. */
    public boolean isComplete() {
        return curves.stream().noneMatch(curve -> curve.end() == Curve.End.STOPPED);
    }

    /** Quantile of sorted values, linear in between. */
    static double quantile(double[] sorted, double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        double rest = position - below;
        return rest == 0 ? sorted[below] : sorted[below] + rest * (sorted[below + 1] - sorted[below]);
    }
}
