package dev.starling.method.adfs.draws;

import dev.starling.node.State;
import dev.starling.node.Streams;
import java.io.IOException;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.rng.RandomProviderState;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/** A schedule drawn at random: rounds from a stream that all nodes share, samples from the node's own stream. */
public final class RandomSchedule implements Schedule {

    /** A pass is shuffled in runs of this many draws, which are neighbours in memory and are fetched together. */
    private static final int RUN = 64;

    /** This many runs make a window, within which draws are shuffled one by one; it fits into a core's own cache. */
    private static final int RUNS_PER_WINDOW = 16;

    private static final int[] NONE = {};

    /** Receives the samples that will soon be drawn, so that they can be fetched in memory order. */
    public interface Ahead {
        void soon(int[] samples, int count);
    }

    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;
    private double logComputationProbability;
    private final int samples;
    private final IntToDoubleFunction weight;
    private Ahead ahead = (soon, count) -> {};
    private Sampling sampling;

    /* Independent draws. */
    private AliasTable table;

    /*
     * Reshuffled draws: the present pass in the order of samples, the order of its runs and how many of them have been used; the window made of the last ones and the position in it; and the state of the stream before the pass was drawn.
     */
    private int[] pass = NONE;
    private int[] runs = NONE;
    private int runsUsed;
    private int[] window = NONE;
    private int windowLength;
    private int position;
    private RandomProviderState beforePass;
    private double totalWeight;

    /**
     * Creates a schedule at its start.
     *
     * @param weight the weight of each sample, to which its probability is proportional; not all zero
     */
    public RandomSchedule(
            long seed,
            int node,
            double communicationProbability,
            int samples,
            IntToDoubleFunction weight,
            Sampling sampling) {
        this.shared = Streams.shared(seed);
        this.own = Streams.own(seed, node);
        this.logComputationProbability = StrictMath.log1p(-communicationProbability);
        this.samples = samples;
        this.weight = weight;
        this.sampling = sampling;
        this.beforePass = own.saveState();
    }

    /** Makes the schedule announce draws to a listener before it makes them; returns this schedule. */
    public RandomSchedule announcingTo(Ahead listener) {
        ahead = listener;
        return this;
    }

    /**
     * Geometrically distributed, by inversion: the probability of k computations before a communication is p_comp^k
     * p_comm.
     */
    @Override
    public long stepsBeforeNextRound() {
        double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
        return (long) (StrictMath.log(uniform) / logComputationProbability);
    }

    @Override
    public void draw(int[] into, int count) {
        if (sampling == Sampling.INDEPENDENT) {
            if (table == null) {
                table = new AliasTable(samples, weight);
            }
            table.draw(own, into, count);
            ahead.soon(into, count);
            return;
        }
        for (int done = 0; done < count; ) {
            if (position == windowLength) {
                nextWindow();
            }
            int length = Math.min(count - done, windowLength - position);
            System.arraycopy(window, position, into, done, length);
            position += length;
            done += length;
        }
    }

    private void nextWindow() {
        if (runsUsed == runs.length) {
            drawPass();
        }
        windowLength = 0;
        position = 0;
        int last = Math.min(runsUsed + RUNS_PER_WINDOW, runs.length);
        for (; runsUsed < last; runsUsed++) {
            int from = runs[runsUsed] * RUN;
            int length = Math.min(RUN, samples - from);
            System.arraycopy(pass, from, window, windowLength, length);
            windowLength += length;
        }
        ahead.soon(window, windowLength);
        shuffle(window, windowLength);
    }

    /**
     * Draws a pass by systematic sampling: m equidistant points on the cumulative probabilities, cut into runs, which
     * are shuffled. A sample with a large probability fills runs of its own, so that it too is spread over the pass.
     */
    private void drawPass() {
        if (pass.length == 0) {
            allocate();
        }
        beforePass = own.saveState();
        double perPoint = samples / totalWeight;
        double offset = (own.nextLong() >>> 11) * 0x1p-53;
        double cumulated = 0;
        int k = 0;
        int lastPossible = 0;
        for (int j = 0; j < samples; j++) {
            double share = weight.applyAsDouble(j) * perPoint;
            cumulated += share;
            if (share > 0) {
                lastPossible = j;
            }
            while (k < samples && k + offset < cumulated) {
                pass[k++] = j;
            }
        }
        while (k < samples) {
            pass[k++] = lastPossible; // rounding in the sum may leave the last point out
        }
        for (int run = 0; run < runs.length; run++) {
            runs[run] = run;
        }
        shuffle(runs, runs.length);
        runsUsed = 0;
    }

    private void allocate() {
        pass = new int[samples];
        runs = new int[(samples + RUN - 1) / RUN];
        window = new int[Math.min(runs.length, RUNS_PER_WINDOW) * RUN];
        totalWeight = 0;
        for (int j = 0; j < samples; j++) {
            totalWeight += weight.applyAsDouble(j);
        }
    }

    private void shuffle(int[] array, int length) {
        for (int i = length - 1; i > 0; i--) {
            int other = (int) (((own.nextLong() >>> 32) * (i + 1)) >>> 32);
            int swap = array[i];
            array[i] = array[other];
            array[other] = swap;
        }
    }

    private void forgetPass() {
        pass = NONE;
        runs = NONE;
        window = NONE;
        runsUsed = 0;
        windowLength = 0;
        position = 0;
    }

    @Override
    public void drawIndependently() {
        sampling = Sampling.INDEPENDENT;
        forgetPass();
    }

    @Override
    public void reweigh(double communicationProbability) {
        logComputationProbability = StrictMath.log1p(-communicationProbability);
        table = null;
        forgetPass();
    }

    @Override
    public void state(State s) throws IOException {
        s.stream(shared);
        sampling = s.choice(sampling);
        int runsBefore = s.number(runsUsed);
        int positionBefore = s.number(position);
        // A pass and its windows are a function of the stream before the pass, so they need not be saved.
        s.stream(own, runsUsed == 0 ? own.saveState() : beforePass);
        if (s.isRestoring()) {
            forgetPass();
            while (runsUsed < runsBefore) {
                nextWindow();
            }
            position = positionBefore;
        }
    }
}
