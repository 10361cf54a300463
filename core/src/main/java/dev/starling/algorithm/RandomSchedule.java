package dev.starling.algorithm;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/** Steps drawn at random: rounds by a stream that all nodes share, samples by the node's own. */
final class RandomSchedule implements Schedule {

    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;
    private final AliasTable sampling;
    private final double logOfComputing;

    /**
     * A schedule at its start.
     *
     * @param weights what the probability of each sample is proportional to
     */
    RandomSchedule(long seed, int node, double communicationProbability, double[] weights) {
        this.shared = Streams.shared(seed);
        this.own = Streams.own(seed, node);
        this.sampling = new AliasTable(weights);
        this.logOfComputing = StrictMath.log1p(-communicationProbability);
    }

    /** Geometric, by inversion: the chance of k computations before a communication is p_comp^k p_comm. */
    @Override
    public long stepsBeforeNextRound() {
        double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
        return (long) (StrictMath.log(uniform) / logOfComputing);
    }

    @Override
    public void draw(int[] into, int count) {
        sampling.draw(own, into, count);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        SavedState.writeStream(out, shared);
        SavedState.writeStream(out, own);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        SavedState.readStream(in, shared);
        SavedState.readStream(in, own);
    }
}
