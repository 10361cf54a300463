package dev.starling.node;

import dev.starling.data.InvalidInputException;

/**
 * Encodes objections in the messages of collectives. The first entry of a message says whether a vector follows it, or
 * an objection: the number of the node that objects, and its text.
 */
final class Objection {

    /** The first entry of a message that is no objection. */
    static final int NONE = 0;

    /** The number of entries of the longest objection. */
    static final int LONGEST = 2 + EncodedText.LONGEST;

    private static final int OBJECTION = 1;

    private Objection() {}

    /** The message of a node that objects, or that passes on the objection of another. */
    static double[] of(InvalidInputException e, int self) {
        double[] text = EncodedText.of(e.getMessage());
        double[] message = new double[2 + text.length];
        message[0] = OBJECTION;
        message[1] = e instanceof ObjectionException objection ? objection.node() : self;
        System.arraycopy(text, 0, message, 2, text.length);
        return message;
    }

    /** Whether a message is an objection. */
    static boolean isIn(double[] message) {
        return message[0] != NONE;
    }

    /** Throws the objection if a message is one. */
    static void throwIfIn(double[] message) {
        if (isIn(message)) {
            throw new ObjectionException((int) message[1], EncodedText.text(message, 2));
        }
    }

    /**
     * Validates a message that may come from another machine: an objection, or a vector of at least this many entries.
     */
    static double[] checked(double[] message, int length, int from) {
        boolean values = message.length >= 1 && message[0] == NONE && message.length >= length;
        boolean objection = message.length >= 3 && message[0] == OBJECTION;
        if (!values && !objection) {
            throw new InvalidInputException("node " + from + " sent a vector of " + message.length
                    + " entries that does not belong to this job; do all nodes run the same version?");
        }
        return message;
    }
}
