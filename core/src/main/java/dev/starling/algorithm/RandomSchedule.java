package dev.starling.algorithm;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.rng.RandomProviderState;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/** Steps drawn at random: rounds by a stream that all nodes share, samples by the node's own. */
final class RandomSchedule implements Schedule {

    private static final int[] NONE = {};

    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;
    private final double logOfComputing;
    private final int samples;
    private final IntToDoubleFunction weight;
    private Sampling sampling;

    /* Independent draws. */
    private AliasTable table;

    /* Reshuffled draws: the present pass, where in it we are, and the stream as it was before the pass was drawn. */
    private int[] pass = NONE;
    private int position;
    private RandomProviderState beforePass;

    /**
     * A schedule at its start.
     *
     * @param weight what the probability of each sample is proportional to; not all zero
     */
    RandomSchedule(
            long seed,
            int node,
            double communicationProbability,
            int samples,
            IntToDoubleFunction weight,
            Sampling sampling) {
        this.shared = Streams.shared(seed);
        this.own = Streams.own(seed, node);
        this.logOfComputing = StrictMath.log1p(-communicationProbability);
        this.samples = samples;
        this.weight = weight;
        this.sampling = sampling;
        this.beforePass = own.saveState();
    }

    /** Geometric, by inversion: the chance of k computations before a communication is p_comp^k p_comm. */
    @Override
    public long stepsBeforeNextRound() {
        double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
        return (long) (StrictMath.log(uniform) / logOfComputing);
    }

    @Override
    public void draw(int[] into, int count) {
        if (sampling == Sampling.INDEPENDENT) {
            if (table == null) {
                table = new AliasTable(samples, weight);
            }
            table.draw(own, into, count);
            return;
        }
        for (int done = 0; done < count; ) {
            if (position == pass.length) {
                drawPass();
                position = 0;
            }
            int length = Math.min(count - done, pass.length - position);
            System.arraycopy(pass, position, into, done, length);
            position += length;
            done += length;
        }
    }

    /** Systematic sampling, m points at equal distances on the cumulated probabilities, then a shuffle. */
    private void drawPass() {
        beforePass = own.saveState();
        if (pass.length == 0) {
            pass = new int[samples];
        }
        double total = 0;
        for (int j = 0; j < samples; j++) {
            total += weight.applyAsDouble(j);
        }
        double perPoint = samples / total;
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
            pass[k++] = lastPossible; // rounding of the sum may leave the last point out
        }
        for (int i = samples - 1; i > 0; i--) {
            int other = (int) (((own.nextLong() >>> 32) * (i + 1)) >>> 32);
            int swap = pass[i];
            pass[i] = pass[other];
            pass[other] = swap;
        }
    }

    @Override
    public void drawIndependently() {
        sampling = Sampling.INDEPENDENT;
        pass = NONE;
        position = 0;
    }

    @Override
    public void save(DataOutput out) throws IOException {
        SavedState.writeStream(out, shared);
        out.writeBoolean(sampling == Sampling.INDEPENDENT);
        out.writeInt(pass.length);
        out.writeInt(position);
        // A pass is a function of the stream before it, so it need not be written out.
        SavedState.writeState(out, pass.length == 0 ? own.saveState() : beforePass);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        SavedState.readStream(in, shared);
        sampling = in.readBoolean() ? Sampling.INDEPENDENT : Sampling.RESHUFFLED;
        boolean midPass = in.readInt() > 0;
        int savedPosition = in.readInt();
        SavedState.readStream(in, own);
        pass = NONE;
        position = 0;
        if (midPass) {
            drawPass();
            position = savedPosition;
        }
    }
}
