package dev.starling.node;

import dev.starling.data.InvalidInputException;

/**
 * The first entry of a collective's message: whether a vector follows it, or the number of a node that objects and its
 * words.
 */
final class Objection {

    /** What begins a message that is none. */
    static final int NONE = 0;

    /** Entries of the longest. */
    static final int LONGEST = 2 + Words.LONGEST;

    private static final int OBJECTION = 1;

    private Objection() {}

    /** The message of a node that objects, or tells on what another one objects to. */
    static double[] of(InvalidInputException e, int self) {
        double[] text = Words.of(e.getMessage());
        double[] message = new double[2 + text.length];
        message[0] = OBJECTION;
        message[1] = e instanceof ObjectionException objection ? objection.node() : self;
        System.arraycopy(text, 0, message, 2, text.length);
        return message;
    }

    /** Whether somebody objects. */
    static boolean isIn(double[] message) {
        return message[0] != NONE;
    }

    /** Throws what a message says, if somebody objects. */
    static void throwIfIn(double[] message) {
        if (isIn(message)) {
            throw new ObjectionException((int) message[1], Words.text(message, 2));
        }
    }

    /** A message that may come from another machine: an objection, or a vector of at least so many entries. */
    static double[] checked(double[] message, int length, int from) {
        boolean values = message.length >= 1 && message[0] == NONE && message.length >= length;
        boolean objection = message.length >= 3 && message[0] == OBJECTION;
        if (!values && !objection) {
            throw new InvalidInputException("node " + from + " sent a vector of " + message.length
                    + " entries that is none of this job's; do all nodes run the same version?");
        }
        return message;
    }
}
