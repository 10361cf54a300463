package dev.starling.node;

/**
 * One exchange of messages: a vector that a node sends to some of its neighbours, and the neighbours from which it then
 * awaits one vector each. A program owns and reuses its exchanges: each is valid until the program next advances.
 *
 * <p>Messages between two nodes arrive in the order in which they were sent, and a node waits for exactly the messages
 * it named. What a node computes therefore depends only on the messages, never on when they arrive.
 */
public final class Exchange {

    /** The purpose of an exchange. */
    public enum Kind {
        /** A communication round of the algorithm: it takes the delay τ in idealised time. */
        ROUND,
        /**
         * Coordination outside the algorithm, such as planning and certificates; it does not count in idealised time.
         */
        CONTROL,
        /**
         * A question to the node's driver about something that no message contains: a measured delay, a request to
         * stop. The answer is absorbed like a message; a driver that saves states saves it before it sends anything
         * else.
         */
        ASK,
        /** The program has ended. */
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
    private boolean atRest;
    private String question = "";

    /** Creates an exchange that sends and awaits nothing until it is {@link #set}. */
    public Exchange() {}

    /**
     * Sends {@code payload[0..length)} to the nodes {@code to} and awaits one message from each of {@code from}.
     *
     * @param work the computation that preceded the exchange, in proximal steps
     */
    public Exchange set(Kind kind, int[] to, double[] payload, int length, int[] from, double work) {
        this.kind = kind;
        this.to = to;
        this.payload = payload;
        this.length = length;
        this.from = from;
        this.work = work;
        this.frozen = false;
        this.atRest = false;
        return this;
    }

    /** Sends a vector to the nodes {@code to} and awaits nothing. */
    public Exchange tell(int[] to, double[] payload, int length) {
        return set(Kind.CONTROL, to, payload, length, NOBODY, 0);
    }

    /** Local work after which nothing is sent. */
    public Exchange pause(double work) {
        return set(Kind.ROUND, NOBODY, NOTHING, 0, NOBODY, work);
    }

    /** Asks the driver a question; the answer is then the only message to be absorbed. */
    public Exchange ask(String what) {
        set(Kind.ASK, NOBODY, NOTHING, 0, NOBODY, 0);
        question = what;
        return this;
    }

    /** Declares that the payload will not be written to again, so that it may be passed on without a copy. */
    public Exchange frozen() {
        frozen = true;
        return this;
    }

    /**
     * Declares a point of rest: once all nodes have completed the same number of these, no message is in transit, so
     * that their saved states are consistent with each other.
     */
    public Exchange atRest() {
        atRest = true;
        return this;
    }

    /** Ends the program. */
    public Exchange end() {
        return set(Kind.END, NOBODY, NOTHING, 0, NOBODY, 0);
    }

    /** The purpose of this exchange. */
    public Kind kind() {
        return kind;
    }

    /** The neighbours that the payload is sent to. */
    public int[] to() {
        return to;
    }

    /** The neighbours from which one message each is awaited, in the order in which they are absorbed. */
    public int[] from() {
        return from;
    }

    /** The array whose first {@link #length()} entries are sent. */
    public double[] payload() {
        return payload;
    }

    /** The number of entries that are sent. */
    public int length() {
        return length;
    }

    /** The computation since the last exchange, in proximal steps: its cost in idealised time. */
    public double work() {
        return work;
    }

    /** Whether the payload will not be written to again. */
    public boolean isFrozen() {
        return frozen;
    }

    /** Whether states that all nodes save after this exchange are consistent with each other. */
    public boolean isRest() {
        return atRest;
    }

    /** The question to the driver. */
    public String question() {
        return question;
    }
}
