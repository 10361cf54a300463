package dev.starling.peer.node;

import dev.starling.algorithm.Algorithms;
import dev.starling.algorithm.DualProgram;
import dev.starling.network.Network;
import dev.starling.peer.transport.Link;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import dev.starling.theory.Pace;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** Measures what things take here: a proximal step, and a message to a neighbour. */
final class Measuring {

    private static final int FEWEST_STRETCHES = 30;
    private static final int MOST_STRETCHES = 1000;
    private static final long STEP_NANOS = 150_000_000;
    private static final long LONGEST_STEP_NANOS = 1_500_000_000;

    private static final int MOST_PROBES = 600;
    private static final int FEWEST_PROBES = 20;
    private static final long PROBE_NANOS = 700_000_000;
    private static final long PROBE_TIMEOUT_NANOS = 1_000_000_000;

    private Measuring() {}

    /** Microseconds of a proximal step: the best of a few stretches of the node alone, which is APCG. */
    static double stepMicros(LocalProblem problem, NodeFacts facts) {
        Network alone = Network.of(1, new int[0][]);
        Pace pace = Algorithms.tune(problem.loss(), alone, List.of(facts), 1);
        DualProgram program = Algorithms.program(problem, facts, alone, 0, pace, 1);
        double best = Double.POSITIVE_INFINITY;
        long begin = System.nanoTime();
        for (int k = 0; k < MOST_STRETCHES; k++) {
            long start = System.nanoTime();
            long spent = start - begin;
            if (spent > LONGEST_STEP_NANOS || (k >= FEWEST_STRETCHES && spent > STEP_NANOS)) {
                break;
            }
            double steps = program.advance().work();
            best = Math.min(best, (System.nanoTime() - start) / steps);
        }
        return Math.max(best, 1) * 1e-3;
    }

    /**
     * Microseconds of a message of so many bytes, one way: half the median round trip, of the later half of the probes
     * so that the code is warm; 0 if the link went down.
     */
    static double linkMicros(Link link, int bytes) {
        long[] trips = new long[MOST_PROBES];
        int count = 0;
        long begin = System.nanoTime();
        while (count < MOST_PROBES && (count < FEWEST_PROBES || System.nanoTime() - begin < PROBE_NANOS)) {
            if (!link.probe(bytes)) {
                return 0;
            }
            OptionalLong trip = awaitProbe(link);
            if (trip.isEmpty()) {
                return 0;
            }
            trips[count++] = trip.getAsLong();
        }
        long[] warm = Arrays.copyOfRange(trips, count / 2, count);
        Arrays.sort(warm);
        return warm[warm.length / 2] * 0.5e-3;
    }

    private static OptionalLong awaitProbe(Link link) {
        long start = System.nanoTime();
        OptionalLong trip = link.probeNanos();
        while (trip.isEmpty() && System.nanoTime() - start < PROBE_TIMEOUT_NANOS) {
            LockSupport.parkNanos(1_000_000);
            trip = link.probeNanos();
        }
        return trip;
    }
}
