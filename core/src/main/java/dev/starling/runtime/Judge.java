package dev.starling.runtime;

/**
 * Decides, again and again, how many workers drive the nodes: all, or one alone where several mostly wait for each
 * other. It goes by what it has seen: how far nodes came, in idealised time, in how much real time. Where idealised
 * time stands still, as in planning and in certificates, one exchange is not like another, and there is nothing to
 * compare.
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
        TOGETHER,
        TRYING_ALONE,
        ALONE,
        TRYING_TOGETHER
    }

    private final int workers;
    private State state;
    private long nanos;
    private double rate;
    private State standing = State.TOGETHER;
    private int verdict = SHORTEST_VERDICT;

    /**
     * Creates a judge.
     *
     * @param workers the largest number of workers
     */
    Judge(int workers) {
        this.workers = workers;
        begin(State.TOGETHER, workers == 1 ? Long.MAX_VALUE : SHORT);
    }

    private void begin(State next, long duration) {
        state = next;
        nanos = duration;
    }

    /** How many workers drive the nodes in the next period. */
    int count() {
        return switch (state) {
            case TOGETHER, TRYING_TOGETHER -> workers;
            case TRYING_ALONE, ALONE -> 1;
        };
    }

    /** How long the next period is, in nanoseconds. */
    long nanos() {
        return nanos;
    }

    /**
     * Takes note of how the period went.
     *
     * @param progress by how much idealised time advanced in the period, at all nodes together
     * @param busy for how many nanoseconds workers worked, all together
     * @param duration how many nanoseconds it took
     */
    void saw(double progress, long busy, long duration) {
        double before = rate;
        rate = progress / Math.max(1, duration);
        boolean plenty = busy > PLENTY * duration;
        switch (state) {
            case TOGETHER -> {
                if (plenty) {
                    begin(State.TOGETHER, Math.min(2 * duration, LONGEST));
                } else {
                    begin(rate > 0 ? State.TRYING_ALONE : State.TOGETHER, SHORT);
                }
            }
            case TRYING_ALONE -> decide(rate > before ? State.ALONE : State.TOGETHER);
            case ALONE -> begin(State.TRYING_TOGETHER, SHORT);
            case TRYING_TOGETHER -> {
                if (rate == 0) {
                    rate = before;
                } else {
                    decide(rate > before ? State.TOGETHER : State.ALONE);
                }
            }
        }
    }

    /** The same verdict as before stands for longer. */
    private void decide(State next) {
        verdict = next == standing ? Math.min(2 * verdict, LONGEST_VERDICT) : SHORTEST_VERDICT;
        standing = next;
        begin(next, verdict * SHORT);
    }
}
