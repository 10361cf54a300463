package dev.starling.lab.paper;

import dev.starling.lab.bound.WorstCase;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.lab.general.GeneralAdfs;
import dev.starling.node.EstimatingProgram;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A run of a method on the functions of the paper's Theorem 1: how long it takes, and how close it comes to the
 * smallest error that any method can have.
 *
 * @param time the idealised time after which every node's relative error stays within the precision; empty if it does
 *     not
 * @param closest the smallest ratio of an error to the smallest possible one, over all nodes and rounds: if it is below
 *     1, the theorem does not cover the method
 * @param moments the largest error of any node over time
 */
public record WorstCaseTrial(OptionalDouble time, double closest, List<Moment> moments) {

    /** Errors below this fraction of the precision are affected by rounding and say nothing about the bound. */
    private static final double ROUNDING = 1e-6;

    /** The times of successive points of a curve differ by at least this factor. */
    private static final double SPACING = 1.01;

    /** The largest error of any node at a time. */
    public record Moment(double time, double error) {}

    /** Copies the list. */
    public WorstCaseTrial {
        moments = List.copyOf(moments);
    }

    /**
     * Runs S-ADFS on the theorem's own functions.
     *
     * @param delay τ
     * @param precision the relative error to reach
     * @param limit the idealised time at which it is cut off
     */
    public static WorstCaseTrial adfs(WorstCase worst, double delay, double precision, double limit, long seed) {
        return new Watch(worst, delay, precision, limit)
                .run(GeneralAdfs.programs(worst.problem(), worst.network(), delay, seed));
    }

    /** Runs any method on the same problem as a linear model with squared loss. */
    public static WorstCaseTrial linear(
            WorstCase worst, String method, double delay, double precision, double limit, long seed) {
        return new Watch(worst, delay, precision, limit)
                .run(ComparedMethods.named(method).programs(worst.linearProblem(), worst.network(), delay, seed));
    }

    /** Observes every node after every round. */
    private static final class Watch implements Observer {
        private final WorstCase worst;
        private final double delay;
        private final double precision;
        private final double limit;
        private final double[] errors;
        private final double[] reached;
        private final double[] theta;
        private final List<Moment> moments = new ArrayList<>();
        private final StopSignal enough = StopSignal.manual();
        private double closest = Double.POSITIVE_INFINITY;

        Watch(WorstCase worst, double delay, double precision, double limit) {
            this.worst = worst;
            this.delay = delay;
            this.precision = precision;
            this.limit = limit;
            this.errors = new double[worst.network().size()];
            this.reached = new double[errors.length];
            this.theta = new double[worst.optimum().length];
            Arrays.fill(errors, 1);
            Arrays.fill(reached, Double.POSITIVE_INFINITY);
            moments.add(new Moment(0, 1));
        }

        WorstCaseTrial run(List<? extends EstimatingProgram> programs) {
            new Simulator(this).run(worst.network(), programs, Delays.uniform(delay), enough);
            double last = Arrays.stream(reached).max().orElseThrow();
            return new WorstCaseTrial(
                    Double.isFinite(last) ? OptionalDouble.of(last) : OptionalDouble.empty(), closest, moments);
        }

        /** A program that ends has given its functions to another node, so there is no estimate to wait for. */
        @Override
        public void afterEnd(int node) {
            errors[node] = 0;
            reached[node] = 0;
        }

        @Override
        public void afterRound(int node, EstimatingProgram program, double clock, long rounds) {
            program.estimate(theta);
            errors[node] = worst.relativeError(theta);
            reached[node] = errors[node] > precision ? Double.POSITIVE_INFINITY : Math.min(reached[node], clock);
            double least = worst.smallestError(clock, delay);
            if (least > ROUNDING * precision) {
                closest = Math.min(closest, errors[node] / least);
            }
            if (node == 0 && clock >= SPACING * moments.get(moments.size() - 1).time()) {
                moments.add(new Moment(clock, Arrays.stream(errors).max().orElseThrow()));
            }
            if (clock > limit || Arrays.stream(reached).allMatch(Double::isFinite)) {
                enough.request();
            }
        }
    }
}
