package dev.starling.runtime;

/**
 * Decides, again and again, how many workers drive the nodes: all, or one alone where several mostly wait for each
 * other. It goes by what it has seen: how many exchanges nodes made in how much time.
 */
final class Judge {

    /** The shortest period, in nanoseconds, that is long enough to tell. */
    static final long SHORT = 4_000_000;

    static final long LONGEST = 1_000_000_000;

    /** If workers together worked this many times as long as a period took, nobody needs to ask. */
    private static final double PLENTY = 1.6;

    /** For how many short periods a verdict stands, at first and at most. */
    private static final int SHORTEST_VERDICT = 8;

    private static final int LONGEST_VERDICT = 64;

    /** While one worker alone gets faster by this factor from one period to the next, its code is being compiled. */
    private static final double FASTER = 1.25;

    /** It is compiled when that many periods in a row were hardly faster than the one before. */
    private static final int STEADY = 2;

    /** One worker warms up for at most this many times as long as was asked for. */
    private static final int MOST_WARMING = 3;

    private enum State {
        BEFORE_ROUNDS,
        WARMING,
        TOGETHER,
        TRYING_ALONE,
        ALONE,
        TRYING_TOGETHER
    }

    private final int workers;
    private final long warming;
    private State state;
    private long nanos;
    private long warmed;
    private int steady;
    private double rate;
    private int verdict = SHORTEST_VERDICT;

    /**
     * Creates a judge.
     *
     * @param workers the largest number of workers
     * @param warming for how many nanoseconds, at least, one should work alone while the code of a round is being
     *     compiled: until then it counts how often it runs, and several workers fight for the counters. This begins
     *     with the first round, since what comes before is other code.
     */
    Judge(int workers, long warming) {
        this.workers = workers;
        this.warming = warming;
        begin(warming > 0 ? State.BEFORE_ROUNDS : State.TOGETHER, SHORT);
        if (workers == 1) {
            nanos = Long.MAX_VALUE;
        }
    }

    private void begin(State next, long duration) {
        state = next;
        nanos = duration;
    }

    /** How many workers drive the nodes in the next period. */
    int count() {
        return switch (state) {
            case BEFORE_ROUNDS, TOGETHER, TRYING_TOGETHER -> workers;
            case WARMING, TRYING_ALONE, ALONE -> 1;
        };
    }

    /** How long the next period is, in nanoseconds. */
    long nanos() {
        return nanos;
    }

    /**
     * Takes note of how the period went.
     *
     * @param rounds how many communication rounds nodes have made so far
     * @param exchanges how many exchanges they made in the period
     * @param busy for how many nanoseconds workers worked, all together
     * @param duration how many nanoseconds it took
     */
    void saw(long rounds, long exchanges, long busy, long duration) {
        double before = rate;
        rate = (double) exchanges / Math.max(1, duration);
        switch (state) {
            case BEFORE_ROUNDS -> {
                if (rounds > 0) {
                    begin(State.WARMING, Math.max(1, warming / 4));
                }
            }
            case WARMING -> {
                warmed += duration;
                steady = rate < FASTER * before ? steady + 1 : 0;
                if ((warmed >= warming && steady >= STEADY) || warmed >= MOST_WARMING * warming) {
                    begin(State.TOGETHER, SHORT);
                }
            }
            case TOGETHER -> {
                if (busy > PLENTY * duration) {
                    begin(State.TOGETHER, Math.min(2 * duration, LONGEST));
                } else {
                    begin(State.TRYING_ALONE, SHORT);
                }
            }
            case TRYING_ALONE -> decide(rate > before ? State.ALONE : State.TOGETHER);
            case ALONE -> begin(State.TRYING_TOGETHER, SHORT);
            case TRYING_TOGETHER -> decide(rate > before ? State.TOGETHER : State.ALONE);
        }
    }

    /** The same verdict as before stands for longer. */
    private void decide(State next) {
        boolean again = next == State.ALONE ? state == State.TRYING_TOGETHER : state == State.TRYING_ALONE;
        verdict = again ? Math.min(2 * verdict, LONGEST_VERDICT) : SHORTEST_VERDICT;
        begin(next, verdict * SHORT);
    }
}
