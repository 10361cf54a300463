package dev.starling.lab.comparison;

import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The conditions that all methods of a comparison run under. */
final class ComparisonSetup {

    /** The shortest time of interest, as a share of the whole. */
    private static final double EARLIEST = 1e-3;

    /** Below this many times the gap of the optimum, a difference from it says little. */
    private static final double NOISE = 2;

    private final Problem problem;
    private final Network network;
    private final Conditions conditions;
    private final Optimum optimum;
    private final double limit;
    private final double goal;
    private final double[] times;
    private final int watchedNodes;
    private final ComparisonListener listener;
    private final StopSignal signal;

    ComparisonSetup(
            Problem problem,
            Network network,
            Conditions conditions,
            Optimum optimum,
            double limit,
            double goal,
            int points,
            int watchedNodes,
            ComparisonListener listener,
            StopSignal signal) {
        this.problem = problem;
        this.network = network;
        this.conditions = conditions;
        this.optimum = optimum;
        this.limit = limit;
        this.goal = Math.max(goal, NOISE * optimum.gap());
        this.times = times(limit, points);
        this.watchedNodes = watchedNodes;
        this.listener = listener;
        this.signal = signal;
    }

    /** Half of the times equally far apart and half of them equally far on a logarithmic scale, in order. */
    static double[] times(double limit, int points) {
        int even = points / 2;
        int logarithmic = points - even;
        return DoubleStream.concat(
                        IntStream.rangeClosed(1, even).mapToDouble(k -> limit * k / even),
                        IntStream.range(0, logarithmic)
                                .mapToDouble(k -> limit * StrictMath.pow(EARLIEST, 1 - (double) k / logarithmic)))
                .sorted()
                .toArray();
    }

    /** One curve; none if the signal came before its start. */
    Optional<Curve> run(Algorithm algorithm, long seed) {
        if (signal.isRaised()) {
            return Optional.empty();
        }
        return Optional.of(new Entry(algorithm, seed).run());
    }

    /** One method with one seed, on its way. */
    private final class Entry {
        private final String method;
        private final long seed;
        private final List<? extends EstimatingProgram> programs;
        private final List<Point> points = new ArrayList<>();
        private final StopSignal stop = StopSignal.manual();
        private Curve.End end = Curve.End.STOPPED;
        private long started;
        private long evaluating;
        private double lastTime = -1;
        private double lastSteps = -1;

        Entry(Algorithm algorithm, long seed) {
            this.method = algorithm.name();
            this.seed = seed;
            this.programs = conditions.programs(algorithm, problem, network, seed);
        }

        Curve run() {
            begin();
            Recorder recorder = new Recorder(
                    times, problem.size(), problem.features(), watchedNodes, this::record, this::heedTheSignal);
            new Simulator(recorder).run(network, programs, conditions.delays(network, seed), stop);
            Curve curve = new Curve(method, seed, points, end, nodeErrors());
            listener.finished(curve);
            return curve;
        }

        private void heedTheSignal() {
            if (signal.isRaised()) {
                stop.request();
            }
        }

        private void begin() {
            started = System.nanoTime();
            List<double[]> estimates = new ArrayList<>();
            for (int node :
                    WatchedNodes.spread(IntStream.range(0, problem.size()).toArray(), watchedNodes)) {
                double[] estimate = new double[problem.features()];
                programs.get(node).estimate(estimate);
                estimates.add(estimate);
            }
            double[] errors = suboptimality(estimates);
            evaluating += System.nanoTime() - started;
            points.add(new Point(0, 0, 0, 0, 0, errors[0], errors[1]));
        }

        private void record(Recorder.Picture picture) {
            if (end != Curve.End.STOPPED) {
                return;
            }
            long now = System.nanoTime();
            double seconds = (now - started - evaluating) * 1e-9;
            Point last = points.get(points.size() - 1);
            boolean same = picture.time() == lastTime && picture.steps() == lastSteps;
            double[] errors =
                    same ? new double[] {last.suboptimality(), last.worst()} : suboptimality(picture.estimates());
            lastTime = picture.time();
            lastSteps = picture.steps();
            Point point = new Point(
                    picture.time(), picture.steps(), picture.rounds(), picture.bytes(), seconds, errors[0], errors[1]);
            points.add(point);
            evaluating += System.nanoTime() - now;
            if (errors[0] <= goal) {
                end = Curve.End.REACHED;
                stop.request();
            } else if (points.size() > times.length) {
                end = Curve.End.TIME;
                stop.request();
            }
            listener.advanced(method, seed, point, Math.min(1, point.time() / limit));
        }

        private List<Double> nodeErrors() {
            double[] estimate = new double[problem.features()];
            double norm = 0;
            for (double value : optimum.parameter()) {
                norm += value * value;
            }
            List<Double> errors = new ArrayList<>();
            for (EstimatingProgram program : programs) {
                program.estimate(estimate);
                double distance = 0;
                for (int c = 0; c < estimate.length; c++) {
                    double difference = estimate[c] - optimum.parameter().get(c);
                    distance += difference * difference;
                }
                errors.add(Math.sqrt(distance / (norm > 0 ? norm : 1)));
            }
            return errors;
        }
    }

    /** (P(θ) − P*)/P* on average and at the worst; a diverged estimate is infinitely far. */
    private double[] suboptimality(List<double[]> estimates) {
        double sum = 0;
        double worst = 0;
        double[] previous = {};
        double value = 0;
        for (double[] theta : estimates) {
            // On one machine all nodes have the same estimate.
            value = Arrays.equals(theta, previous) ? value : relative(objective(theta));
            previous = theta;
            sum += value;
            worst = Math.max(worst, value);
        }
        return new double[] {sum / estimates.size(), worst};
    }

    private double relative(double objective) {
        double scale = optimum.objective() > 0 ? optimum.objective() : 1;
        double relative = (objective - optimum.objective()) / scale;
        return Double.isNaN(relative) ? Double.POSITIVE_INFINITY : Math.max(relative, optimum.gap());
    }

    /** As {@link Problem#objective}, with the nodes' sums made side by side and added in the same order. */
    private double objective(double[] theta) {
        double[] sums = problem.nodes().parallelStream()
                .mapToDouble((LocalProblem node) -> node.lossSum(theta))
                .toArray();
        double loss = 0;
        for (double sum : sums) {
            loss += sum;
        }
        return (loss + problem.totalSigma() * problem.regulariser().value(theta)) / problem.totalWeight();
    }
}
