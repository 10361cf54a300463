package dev.starling.node;

import java.io.IOException;

/**
 * The common part of all collectives: messages are merged on the way up the tree, and the root's result is sent down. A
 * message may be an {@link Objection}, which ends the collective at every node. Messages are never written to once they
 * are sent, so nodes in one process share them.
 */
abstract class TreePhase implements Phase<double[]> {

    private enum Stage {
        OWN,
        UP,
        DOWN,
        DONE
    }

    private static final int[] NOBODY = {};

    final Collectives place;
    private final Exchange.Kind kind;
    private final int[] parent;
    private final Exchange exchange = new Exchange();
    private Stage stage = Stage.OWN;

    /** First this node's own message, then that merged with its children's, finally the result for all nodes. */
    double[] message = {};

    TreePhase(Collectives place, Exchange.Kind kind) {
        this.place = place;
        this.kind = kind;
        this.parent = place.parent() < 0 ? NOBODY : new int[] {place.parent()};
    }

    /** This node's message, or its objection. */
    abstract double[] own();

    /** The cost of making this node's message, in idealised time. */
    abstract double work();

    /** Merges a child's message into this node's. */
    abstract void merge(double[] theirs, int child);

    /** The number of entries of the message that go up. */
    abstract int upLength();

    /** Turns the merged message into the result for all nodes; called only at the root. */
    abstract void conclude();

    /** The number of entries of the shortest message that can come down, apart from objections. */
    abstract int shortestDown();

    /** Called before the merged message goes up. */
    void onDeparture() {}

    /**
     * Called at every node once {@link #message} is the result for all nodes.
     *
     * @param sent what this node sent up; at the root, what it would have
     */
    abstract void onResult(double[] sent);

    @Override
    public final Exchange advance() {
        return switch (stage) {
            case OWN -> {
                message = own();
                yield exchange.set(kind, NOBODY, message, 0, place.children(), work());
            }
            case UP ->
                exchange.set(kind, parent, message, upLength(), parent, 0).frozen();
            case DOWN ->
                exchange.tell(place.children(), message, message.length)
                        .frozen()
                        .atRest();
            case DONE -> exchange.end();
        };
    }

    @Override
    public final void absorb(double[][] messages) {
        switch (stage) {
            case OWN -> {
                for (int k = 0; k < messages.length; k++) {
                    merge(messages[k], place.children()[k]);
                }
                onDeparture();
                if (parent.length == 0) {
                    stage = Stage.DOWN;
                    double[] merged = message;
                    conclude();
                    onResult(merged);
                } else {
                    stage = Stage.UP;
                }
            }
            case UP -> {
                double[] sent = message;
                message = Objection.checked(messages[0], shortestDown(), parent[0]);
                stage = Stage.DOWN;
                onResult(sent);
            }
            case DOWN -> stage = Stage.DONE;
            default -> throw new IllegalStateException("absorbed while " + stage);
        }
    }

    @Override
    public final boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public final void state(State s) throws IOException {
        stage = s.choice(stage);
        message = s.vector(message, longestMessage());
    }
}
