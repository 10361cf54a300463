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

    private enum State {
        AFTER_A_PILOT,
        TOGETHER,
        TRYING_ALONE,
        ALONE,
        TRYING_TOGETHER
    }

    private final int workers;
    private State state;
    private long nanos;
    private double rate;
    private int verdict = SHORTEST_VERDICT;

    /**
     * Creates a judge.
     *
     * @param workers the largest number of workers
     * @param piloted for how many nanoseconds the others follow the first worker: code that is not yet compiled for
     *     good counts how often it runs, and several workers fight for the counters
     */
    Judge(int workers, long piloted) {
        this.workers = workers;
        begin(piloted > 0 ? State.AFTER_A_PILOT : State.TOGETHER, piloted > 0 ? piloted : SHORT);
        if (workers == 1) {
            begin(State.TOGETHER, Long.MAX_VALUE);
        }
    }

    private void begin(State next, long duration) {
        state = next;
        nanos = duration;
    }

    /** How many workers drive the nodes in the next period. */
    int count() {
        return switch (state) {
            case AFTER_A_PILOT, TOGETHER, TRYING_TOGETHER -> workers;
            case TRYING_ALONE, ALONE -> 1;
        };
    }

    /** Whether the other workers work only while the first one waits. */
    boolean isPiloted() {
        return state == State.AFTER_A_PILOT;
    }

    /** How long the next period is, in nanoseconds. */
    long nanos() {
        return nanos;
    }

    /**
     * Takes note of how the period went.
     *
     * @param exchanges how many exchanges they made in the period
     * @param busy for how many nanoseconds workers worked, all together
     * @param duration how many nanoseconds it took
     */
    void saw(long exchanges, long busy, long duration) {
        double before = rate;
        rate = (double) exchanges / Math.max(1, duration);
        switch (state) {
            case AFTER_A_PILOT -> begin(State.TOGETHER, SHORT);
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
