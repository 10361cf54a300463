package dev.starling.lab.comparison;

import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What all methods of a comparison have in common, and the code that runs one of them. */
final class ComparisonSetup {

    /** The shortest time of interest, as a fraction of the limit. */
    private static final double EARLIEST = 1e-3;

    /** Differences from the optimum below this many times its own gap mean little. */
    private static final double NOISE = 2;

    private final Problem problem;
    private final Network network;
    private final Conditions conditions;
    private final Optimum optimum;
    private final double limit;
    private final Goal goal;
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
            Goal goal,
            int points,
            int watchedNodes,
            ComparisonListener listener,
            StopSignal signal) {
        this.problem = problem;
        this.network = network;
        this.conditions = conditions;
        this.optimum = optimum;
        this.limit = limit;
        this.goal = goal.notBelow(NOISE * optimum.gap());
        this.times = times(limit, points);
        this.watchedNodes = watchedNodes;
        this.listener = listener;
        this.signal = signal;
    }

    /** The times of points, in order: half of them equally spaced, half equally spaced on a logarithmic scale. */
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

    /** Runs one method with one seed; empty if the signal was raised before it started. */
    Optional<Curve> run(Algorithm algorithm, long seed) {
        if (signal.isRaised()) {
            return Optional.empty();
        }
        return Optional.of(new Run(algorithm, seed).run());
    }

    /** A running method with one seed. */
    private final class Run {
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
        private Errors errors;

        Run(Algorithm algorithm, long seed) {
            this.method = algorithm.name();
            this.seed = seed;
            this.programs = conditions.programs(algorithm, problem, network, seed);
        }

        Curve run() {
            begin();
            Recorder recorder = new Recorder(
                    times, problem.size(), problem.features(), watchedNodes, this::record, this::checkSignal);
            RunReport report = new Simulator(recorder).run(network, programs, conditions.delays(network, seed), stop);
            if (report.completed() && end == Curve.End.STOPPED) {
                finish(report, recorder.steps());
            }
            Curve curve = new Curve(method, seed, points, end, nodeErrors());
            listener.finished(curve);
            return curve;
        }

        private void checkSignal() {
            if (signal.isRaised()) {
                stop.request();
            }
        }

        private void begin() {
            started = System.nanoTime();
            errors = errors(estimates());
            evaluating += System.nanoTime() - started;
            points.add(point(0, 0, 0, 0, 0, 0, Double.NaN));
        }

        /** A point with the errors that were computed last. */
        private Point point(
                double time, double steps, long rounds, long latency, long bytes, double seconds, double certified) {
            return new Point(
                    time,
                    steps,
                    rounds,
                    latency,
                    bytes,
                    seconds,
                    errors.suboptimality(),
                    errors.worst(),
                    errors.gradient(),
                    certified);
        }

        private List<double[]> estimates() {
            List<double[]> estimates = new ArrayList<>();
            for (int node :
                    WatchedNodes.spread(IntStream.range(0, problem.size()).toArray(), watchedNodes)) {
                double[] estimate = new double[problem.features()];
                programs.get(node).estimate(estimate);
                estimates.add(estimate);
            }
            return estimates;
        }

        /** A method that ends on its own may have a later estimate than the last snapshot: adds it as a point. */
        private void finish(RunReport report, double steps) {
            double seconds = (System.nanoTime() - started - evaluating) * 1e-9;
            errors = errors(estimates());
            Point point = point(
                    report.idealisedTime(),
                    steps,
                    report.rounds(),
                    report.latency().orElseThrow(),
                    report.bytes(),
                    seconds,
                    Double.NaN);
            points.add(point);
            end = goal.isReached(point) ? Curve.End.REACHED : Curve.End.ENDED;
        }

        private void record(Recorder.Snapshot snapshot) {
            if (end != Curve.End.STOPPED) {
                return;
            }
            long now = System.nanoTime();
            double seconds = (now - started - evaluating) * 1e-9;
            boolean same = snapshot.time == lastTime && snapshot.steps == lastSteps;
            errors = same ? errors : errors(snapshot.estimates);
            lastTime = snapshot.time;
            lastSteps = snapshot.steps;
            Point point = point(
                    snapshot.time,
                    snapshot.steps,
                    snapshot.rounds,
                    snapshot.latency,
                    snapshot.bytes,
                    seconds,
                    snapshot.certified / optimum.scale());
            points.add(point);
            evaluating += System.nanoTime() - now;
            if (goal.isReached(point)) {
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

    private Errors errors(List<double[]> estimates) {
        return Errors.of(problem, optimum, estimates, goal.gradient().isPresent());
    }
}
