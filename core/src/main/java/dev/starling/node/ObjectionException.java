package dev.starling.node;

import dev.starling.data.InvalidInputException;

/** Thrown at every node of a network when one of them objects, for instance because its rows do not fit the others'. */
public final class ObjectionException extends InvalidInputException {

    private static final long serialVersionUID = 1;

    private final int node;

    /** Creates the objection of a node. */
    public ObjectionException(int node, String text) {
        super(text);
        this.node = node;
    }

    /** The node that objected. */
    public int node() {
        return node;
    }
}
