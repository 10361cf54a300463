package dev.starling.lab.failing;

/**
 * Random numbers that are a function of their key, that is, of what they are used for: the same no matter who asks,
 * when and how often.
 */
record KeyedRandom(long seed) {

    /** A number in [0, 1) for a purpose, a place and a time. */
    double uniform(Purpose purpose, long place, long time) {
        long bits = mix(mix(mix(seed + purpose.number) ^ place) ^ time);
        return (bits >>> 11) * 0x1p-53;
    }

    /** What a number is used for. */
    enum Purpose {
        JITTER(0),
        LOSS(1),
        OUTAGE(2),
        STRAGGLER(3);

        private final int number;

        Purpose(int number) {
            this.number = number;
        }
    }

    /** The same number for both directions of an edge. */
    static long edge(int one, int other) {
        return direction(Math.min(one, other), Math.max(one, other));
    }

    static long direction(int from, int to) {
        return ((long) from << Integer.SIZE) | to;
    }

    /** The finaliser of SplitMix64, after its increment. */
    private static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
