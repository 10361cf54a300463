package dev.starling.lab.comparison;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The progress of one method with one seed.
 *
 * @param method its name
 * @param seed the seed of its random choices
 * @param points in order of time; the first is the start, at time 0
 * @param end why the curve ends
 * @param nodeErrors ‖θ_i − θ*‖/‖θ*‖ of every node at the end
 */
public record Curve(String method, long seed, List<Point> points, End end, List<Double> nodeErrors) {

    /** Why a curve ends. */
    public enum End {
        /**
         * The requested suboptimality or gradient was reached, or a suboptimality within the uncertainty of the
         * optimum.
         */
        REACHED,
        /** The idealised time was used up. */
        TIME,
        /** The method ended on its own. */
        ENDED,
        /** The comparison was stopped. */
        STOPPED
    }

    /** Copies the lists. */
    public Curve {
        points = List.copyOf(points);
        nodeErrors = List.copyOf(nodeErrors);
    }

    /** The first point from which on the suboptimality stays at or below a target; empty if there is none. */
    public Optional<Point> within(double target) {
        return below(target, Point::suboptimality);
    }

    /** The first point from which on the gradient's norm stays at or below a target; empty if there is none. */
    public Optional<Point> withinGradient(double target) {
        return below(target, Point::gradient);
    }

    private Optional<Point> below(double target, ToDoubleFunction<Point> number) {
        Optional<Point> reached = Optional.empty();
        for (Point point : points) {
            if (!(number.applyAsDouble(point) <= target)) {
                reached = Optional.empty();
            } else if (reached.isEmpty()) {
                reached = Optional.of(point);
            }
        }
        return reached;
    }

    /** The last point. */
    public Point last() {
        return points.get(points.size() - 1);
    }
}
