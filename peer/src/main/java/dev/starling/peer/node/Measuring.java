package dev.starling.peer.node;

import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.node.Collectives;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Surroundings;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** Measures how long things take here: a step of the method, and a message to a neighbour. */
final class Measuring {

    private static final StoppingRule ENDLESS = new StoppingRule(1e-14, Double.POSITIVE_INFINITY);
    private static final double[][] NO_MESSAGES = {};

    private static final double FEWEST_STEPS = 200_000;
    private static final long STEP_NANOS = 150_000_000;
    private static final long LONGEST_STEP_NANOS = 1_500_000_000;

    private static final int MOST_PROBES = 600;
    private static final int FEWEST_PROBES = 20;
    private static final long PROBE_NANOS = 700_000_000;
    private static final long PROBE_TIMEOUT_NANOS = 1_000_000_000;
    private static final long NAP_NANOS = 50_000_000;

    private Measuring() {}

    /**
     * The time of one unit of work, a step or a sample, in microseconds: the fastest of several measurements of this
     * node on its own.
     */
    static double stepMicros(LocalProblem problem, Tuned alone, Surroundings surroundings) {
        double best = Double.POSITIVE_INFINITY;
        double steps = 0;
        long begin = surroundings.nanos();
        long spent = 0;
        MethodNode program = null;
        while (spent < LONGEST_STEP_NANOS && (steps < FEWEST_STEPS || spent < STEP_NANOS)) {
            if (program == null || program.isDone()) {
                program = alone.node(
                        new Assignment(problem, Collectives.alone(), ENDLESS, 1, CertificateListener.NONE),
                        Optional.empty());
            }
            long start = surroundings.nanos();
            double work = program.advance().work();
            long end = surroundings.nanos();
            if (work > 0) {
                best = Math.min(best, (end - start) / work);
                steps += work;
            }
            program.absorb(NO_MESSAGES);
            spent = surroundings.nanos() - begin;
        }
        return Math.max(best, 1) * 1e-3;
    }

    /**
     * The one-way time of a message of this many numbers, in microseconds, once the link is up.
     *
     * @param check called before every attempt; throws to give up
     */
    static double linkMicros(Link link, int numbers, Surroundings surroundings, Waiting waiting, Runnable check) {
        while (true) {
            check.run();
            double micros = link.isUp() ? linkMicros(link, Double.BYTES * numbers, surroundings) : 0;
            if (micros > 0) {
                return micros;
            }
            waiting.toMeasure(link);
            surroundings.rest(NAP_NANOS);
        }
    }

    /**
     * Half the median round trip, over the second half of the probes, when the code is warm; 0 if the link went down.
     */
    private static double linkMicros(Link link, int bytes, Surroundings surroundings) {
        long[] trips = new long[MOST_PROBES];
        int count = 0;
        long begin = surroundings.nanos();
        while (count < MOST_PROBES && (count < FEWEST_PROBES || surroundings.nanos() - begin < PROBE_NANOS)) {
            if (!link.probe(bytes)) {
                return 0;
            }
            OptionalLong trip = awaitProbe(link, surroundings);
            if (trip.isEmpty()) {
                return 0;
            }
            trips[count++] = trip.getAsLong();
        }
        long[] warm = Arrays.copyOfRange(trips, count / 2, count);
        Arrays.sort(warm);
        return warm[warm.length / 2] * 0.5e-3;
    }

    private static OptionalLong awaitProbe(Link link, Surroundings surroundings) {
        long start = surroundings.nanos();
        OptionalLong trip = link.probeNanos();
        while (trip.isEmpty() && surroundings.nanos() - start < PROBE_TIMEOUT_NANOS) {
            surroundings.rest(1_000_000);
            trip = link.probeNanos();
        }
        return trip;
    }
}
