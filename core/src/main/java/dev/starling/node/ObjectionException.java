package dev.starling.node;

import dev.starling.data.InvalidInputException;

/** Rows, or what nodes say about them, that do not fit together; every node of the network ends with it. */
public final class ObjectionException extends InvalidInputException {

    private static final long serialVersionUID = 1;

    private final int node;

    /** The objection of a node. */
    public ObjectionException(int node, String text) {
        super(text);
        this.node = node;
    }

    /** The node that objects. */
    public int node() {
        return node;
    }
}
