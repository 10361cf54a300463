package dev.starling.lab.baseline;

import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a method in the simulator, with its error at all nodes taken every this many rounds of node 0: the mean over
 * the nodes of P(θ_i) − P*, as the paper plots it.
 */
final class Trial {

    /** The error at a moment; seconds are of processor time. */
    record Point(long round, long communications, long steps, double time, double seconds, double error) {}

    /** Of all random choices of the method. */
    static final long SEED = 7;

    private final Problem problem;
    private final double optimum;
    private final List<? extends EstimatingProgram> programs;
    private final Network network;
    private final double delay;
    private final List<Point> curve = new ArrayList<>();

    Trial(Algorithm algorithm, Problem problem, Network network, double delay, double optimum) {
        this.problem = problem;
        this.network = network;
        this.delay = delay;
        this.optimum = optimum;
        this.programs = algorithm.programs(problem, network, delay, SEED);
    }

    /** Runs until the error is small enough or the rounds of node 0 are used up. */
    List<Point> run(double error, long rounds, long every, double seconds) {
        StopSignal signal = StopSignal.manual();
        long[] seen = new long[1];
        long start = processorTime();
        long[] measuring = new long[1];
        Observer observer = (node, program, clock, count) -> {
            if (node != 0) {
                return;
            }
            seen[0]++;
            double elapsed = (processorTime() - start - measuring[0]) * 1e-9;
            if (seen[0] % every == 0 || seen[0] >= rounds) {
                long before = processorTime();
                Point point = new Point(seen[0], count, ((BaselineProgram) program).steps, clock, elapsed, error());
                curve.add(point);
                measuring[0] += processorTime() - before;
                if (point.error() <= error || elapsed > seconds) {
                    signal.request();
                }
            }
            if (seen[0] >= rounds) {
                signal.request();
            }
        };
        new Simulator(observer).run(network, programs, Delays.uniform(delay), signal);
        return curve;
    }

    List<? extends EstimatingProgram> programs() {
        return programs;
    }

    private double error() {
        double[] theta = new double[problem.features()];
        double sum = 0;
        for (EstimatingProgram program : programs) {
            program.estimate(theta);
            sum += problem.objective(theta) - optimum;
        }
        return sum / programs.size();
    }

    /** Of this thread, which is the one that simulates: it does not count what else the machine is busy with. */
    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
