package dev.starling.lab.comparison;

import dev.starling.lab.variant.SelfCertifying;
import dev.starling.node.EstimatingProgram;
import dev.starling.runtime.Meter;
import dev.starling.runtime.Observer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Takes pictures of a running method at given idealised times: of every node its first round at or after each of them.
 * A picture is handed on when all nodes are on it.
 */
final class Recorder implements Observer {

    /** All nodes as they came by one of the times. */
    static final class Picture {
        private final List<double[]> estimates = new ArrayList<>();
        private final int[] watched;
        private final int features;
        private int missing;
        private double time;
        private double steps;
        private long rounds;
        private long bytes;
        private double certified;
        private long roundOfFirst = -1;

        private Picture(int[] watched, int features, int nodes) {
            this.watched = watched;
            this.features = features;
            this.missing = nodes;
        }

        private void add(int node, EstimatingProgram program, Meter meter) {
            time = Math.max(time, meter.clock());
            steps += meter.work();
            rounds = Math.max(rounds, meter.rounds());
            bytes += meter.bytesSent();
            certify(program, meter);
            if (Arrays.binarySearch(watched, node) >= 0) {
                double[] estimate = new double[features];
                program.estimate(estimate);
                estimates.add(estimate);
            }
            missing--;
        }

        /** Nodes vouch together for what they found in the same round. */
        private void certify(EstimatingProgram program, Meter meter) {
            roundOfFirst = roundOfFirst < 0 ? meter.rounds() : roundOfFirst;
            boolean together = meter.rounds() == roundOfFirst && program instanceof SelfCertifying;
            certified = together ? Math.max(certified, ((SelfCertifying) program).certifiedGap()) : Double.NaN;
        }

        /** The gap that all nodes vouch for; NaN if there is none. */
        double certified() {
            return certified;
        }

        /** Of the watched nodes, in the order in which they came by. */
        List<double[]> estimates() {
            return estimates;
        }

        double time() {
            return time;
        }

        double steps() {
            return steps;
        }

        long rounds() {
            return rounds;
        }

        long bytes() {
            return bytes;
        }
    }

    private final double[] times;
    private final int[] next;
    private final boolean[] ended;
    private final double[] work;
    private final int features;
    private final int watchedNodes;
    private final Consumer<Picture> finished;
    private final Runnable everyRound;

    /** Pictures that some nodes are still missing from, the earliest first. */
    private final ArrayDeque<Picture> open = new ArrayDeque<>();

    private int closed;
    private int running;

    Recorder(
            double[] times,
            int nodes,
            int features,
            int watchedNodes,
            Consumer<Picture> finished,
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
        throw new UnsupportedOperationException("a recorder needs the meter");
    }

    @Override
    public void afterRound(int node, EstimatingProgram program, Meter meter) {
        everyRound.run();
        work[node] = meter.work();
        while (next[node] < times.length && meter.clock() >= times[next[node]]) {
            int position = next[node] - closed;
            while (open.size() <= position) {
                open.addLast(new Picture(watched(), features, running));
            }
            picture(position).add(node, program, meter);
            next[node]++;
            close();
        }
    }

    /** Computation of all nodes until their last rounds, in proximal steps. */
    double steps() {
        return Arrays.stream(work).sum();
    }

    private void close() {
        while (!open.isEmpty() && open.peekFirst().missing == 0) {
            closed++;
            finished.accept(open.removeFirst());
        }
    }

    /** Programs that end before they start have given their samples to another: they are in no picture. */
    @Override
    public void afterEnd(int node) {
        ended[node] = true;
        running--;
        int position = closed;
        for (Picture picture : open) {
            if (position++ >= next[node]) {
                picture.missing--;
            }
        }
        close();
    }

    private Picture picture(int position) {
        int k = 0;
        for (Picture picture : open) {
            if (k++ == position) {
                return picture;
            }
        }
        throw new IllegalStateException("picture " + position + " of " + open.size());
    }

    private int[] watched() {
        return WatchedNodes.spread(
                IntStream.range(0, ended.length).filter(node -> !ended[node]).toArray(), watchedNodes);
    }
}
