package dev.starling.node;

import org.apache.commons.rng.RestorableUniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** The random streams of a run, all from one seed: those that all nodes share, and one of each node's own. */
public final class Streams {

    private static final long SHARED = -1;
    private static final long EDGES = -2;

    private Streams() {}

    /** The stream that is the same at every node: it decides whether a step computes or communicates. */
    public static RestorableUniformRandomProvider shared(long seed) {
        return stream(seed, SHARED);
    }

    /** Another stream that is the same at every node: it decides which edges a round uses. */
    public static RestorableUniformRandomProvider edges(long seed) {
        return stream(seed, EDGES);
    }

    /** A node's own stream: it decides which sample a step picks. */
    public static RestorableUniformRandomProvider own(long seed, int node) {
        return stream(seed, node);
    }

    private static RestorableUniformRandomProvider stream(long seed, long which) {
        long[] key = {mix(seed), mix(seed ^ mix(which)), mix(which + 1), mix(seed + 0x9E3779B97F4A7C15L * (which + 2))};
        return RandomSource.XO_SHI_RO_256_PP.create(key);
    }

    /** The finaliser of SplitMix64: a bijection that spreads nearby seeds apart. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
