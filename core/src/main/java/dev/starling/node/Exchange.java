package dev.starling.node;

/**
 * What a node says and hears at one moment: one vector to some of its neighbours, and from whom it then awaits one
 * vector each. A program owns and reuses its exchanges: one is valid until the program next advances.
 *
 * <p>Messages between two nodes arrive in the order they were sent, and a node waits for exactly the messages it named,
 * so what every node computes depends on the messages alone and never on when they arrive.
 */
public final class Exchange {

    /** What an exchange is for. */
    public enum Kind {
        /** A communication round of the algorithm: it takes the delay τ in idealised time. */
        ROUND,
        /** A check on the algorithm (certificates) or an agreement before it, which idealised time leaves out. */
        CONTROL,
        /**
         * A question to whoever drives the node, about something that no message tells: a measured delay, a request to
         * stop. The answer is absorbed like a message; a driver that saves states has it saved before it sends again.
         */
        ASK,
        /** Nothing more to say: the program has ended. */
        END
    }

    private static final int[] NOBODY = {};
    private static final double[] NOTHING = {};

    private Kind kind = Kind.CONTROL;
    private int[] to = NOBODY;
    private int[] from = NOBODY;
    private double[] payload = NOTHING;
    private int length;
    private double work;
    private boolean frozen;
    private boolean rest;
    private String question = "";

    /** An exchange to be filled in. */
    public Exchange() {}

    /** Says {@code payload[0..length)} to the nodes {@code to} and awaits one message from each of {@code from}. */
    public Exchange set(Kind kind, int[] to, double[] payload, int length, int[] from, double work) {
        this.kind = kind;
        this.to = to;
        this.payload = payload;
        this.length = length;
        this.from = from;
        this.work = work;
        this.frozen = false;
        this.rest = false;
        return this;
    }

    /** Says the vector to {@code to}, awaits nothing. */
    public Exchange tell(int[] to, double[] payload, int length) {
        return set(Kind.CONTROL, to, payload, length, NOBODY, 0);
    }

    /** Says nothing, awaits one message from each of {@code from}. */
    public Exchange await(int[] from) {
        return set(Kind.CONTROL, NOBODY, NOTHING, 0, from, 0);
    }

    /** Local work with nothing to say at the end of it. */
    public Exchange pause(double work) {
        return set(Kind.ROUND, NOBODY, NOTHING, 0, NOBODY, work);
    }

    /** Asks the driver; the answer is the only message that is then absorbed. */
    public Exchange ask(String what) {
        set(Kind.ASK, NOBODY, NOTHING, 0, NOBODY, 0);
        question = what;
        return this;
    }

    /** Says that nobody will write to the payload any more, so that it may be handed on without a copy. */
    public Exchange frozen() {
        frozen = true;
        return this;
    }

    /**
     * Says that this is a point of rest: once all nodes have completed as many of them, no message is under way, so
     * that their states belong together.
     */
    public Exchange atRest() {
        rest = true;
        return this;
    }

    /** The end of the program. */
    public Exchange end() {
        return set(Kind.END, NOBODY, NOTHING, 0, NOBODY, 0);
    }

    /** What the exchange is for. */
    public Kind kind() {
        return kind;
    }

    /** The neighbours that get the payload. */
    public int[] to() {
        return to;
    }

    /** The neighbours one message each is awaited from, in the order in which they are absorbed. */
    public int[] from() {
        return from;
    }

    /** The vector that is sent; its first {@link #length()} entries count. */
    public double[] payload() {
        return payload;
    }

    /** How many entries of the payload count. */
    public int length() {
        return length;
    }

    /** Computation since the last exchange, in proximal steps: what it costs in idealised time. */
    public double work() {
        return work;
    }

    /** Whether the payload stays as it is. */
    public boolean isFrozen() {
        return frozen;
    }

    /** Whether states saved after this exchange, at all nodes, belong together. */
    public boolean isRest() {
        return rest;
    }

    /** What is asked of the driver. */
    public String question() {
        return question;
    }
}
