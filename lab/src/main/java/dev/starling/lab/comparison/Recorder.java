package dev.starling.lab.comparison;

import dev.starling.lab.variant.SelfCertifying;
import dev.starling.node.EstimatingProgram;
import dev.starling.runtime.Driver;
import dev.starling.runtime.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Takes snapshots of a running method at given idealised times: for every node, its first round at or after each of
 * them. A snapshot is passed on once all nodes are in it.
 */
final class Recorder implements Observer {

    /** The states of all nodes at one of the times. */
    static final class Snapshot {
        private final int[] watched;
        private final int features;
        private int missing;

        /** Those of the watched nodes, in the order in which they were recorded. */
        final List<double[]> estimates = new ArrayList<>();

        double time;
        double steps;
        long rounds;
        long latency;
        long bytes;

        /** The gap that all nodes certify; NaN if there is none. */
        double certified;

        private long roundOfFirst = -1;

        private Snapshot(int[] watched, int features, int nodes) {
            this.watched = watched;
            this.features = features;
            this.missing = nodes;
        }

        private void add(int node, EstimatingProgram program, Driver driver) {
            time = Math.max(time, driver.clock());
            steps += driver.work();
            rounds = Math.max(rounds, driver.rounds());
            latency = Math.max(latency, driver.latency().orElseThrow());
            bytes += driver.bytesSent();
            certify(program, driver);
            if (Arrays.binarySearch(watched, node) >= 0) {
                double[] estimate = new double[features];
                program.estimate(estimate);
                estimates.add(estimate);
            }
            missing--;
        }

        /** Combines the nodes' certified gaps, which only count if they are from the same round. */
        private void certify(EstimatingProgram program, Driver driver) {
            roundOfFirst = roundOfFirst < 0 ? driver.rounds() : roundOfFirst;
            boolean together = driver.rounds() == roundOfFirst && program instanceof SelfCertifying;
            certified = together ? Math.max(certified, ((SelfCertifying) program).certifiedGap()) : Double.NaN;
        }
    }

    private final double[] times;
    private final int[] next;
    private final boolean[] ended;
    private final double[] work;
    private final int features;
    private final int watchedNodes;
    private final Consumer<Snapshot> finished;
    private final Runnable everyRound;

    /** Snapshots from which some nodes are still missing, the earliest first. */
    private final List<Snapshot> open = new ArrayList<>();

    private int closed;
    private int running;

    Recorder(
            double[] times,
            int nodes,
            int features,
            int watchedNodes,
            Consumer<Snapshot> finished,
            Runnable everyRound) {
        this.times = times;
        this.next = new int[nodes];
        this.ended = new boolean[nodes];
        this.work = new double[nodes];
        this.running = nodes;
        this.features = features;
        this.watchedNodes = watchedNodes;
        this.finished = finished;
        this.everyRound = everyRound;
    }

    @Override
    public void afterRound(int node, EstimatingProgram program, double clock, long rounds) {
        throw new UnsupportedOperationException("a recorder needs the driver");
    }

    @Override
    public void afterRound(int node, EstimatingProgram program, Driver driver) {
        everyRound.run();
        work[node] = driver.work();
        while (next[node] < times.length && driver.clock() >= times[next[node]]) {
            int position = next[node] - closed;
            while (open.size() <= position) {
                open.add(new Snapshot(watched(), features, running));
            }
            open.get(position).add(node, program, driver);
            next[node]++;
            close();
        }
    }

    /** The computation of all nodes until their last rounds, in proximal steps. */
    double steps() {
        return Arrays.stream(work).sum();
    }

    private void close() {
        while (!open.isEmpty() && open.get(0).missing == 0) {
            closed++;
            finished.accept(open.remove(0));
        }
    }

    /** Nodes whose programs end at once have given their samples to another node: they are in no snapshot. */
    @Override
    public void afterEnd(int node) {
        ended[node] = true;
        running--;
        int position = closed;
        for (Snapshot snapshot : open) {
            if (position++ >= next[node]) {
                snapshot.missing--;
            }
        }
        close();
    }

    private int[] watched() {
        return WatchedNodes.spread(
                IntStream.range(0, ended.length).filter(node -> !ended[node]).toArray(), watchedNodes);
    }
}
