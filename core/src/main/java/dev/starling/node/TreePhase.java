package dev.starling.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What every collective is: messages are merged up the tree, and what the root makes of them is told down. A message
 * may be an {@link Objection}, which ends it at every node. Messages are never written to again once they are sent, so
 * a network in one process shares them.
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

    /** This node's own, then with those of its children, then the one that all nodes are told. */
    double[] message = {};

    TreePhase(Collectives place, Exchange.Kind kind) {
        this.place = place;
        this.kind = kind;
        this.parent = place.parent() < 0 ? NOBODY : new int[] {place.parent()};
    }

    /** This node's message, or its objection. */
    abstract double[] own();

    /** What making it costs, in idealised time. */
    abstract double work();

    /** Takes a child's message into this node's. */
    abstract void merge(double[] theirs, int child);

    /** How much of a message goes up. */
    abstract int upLength();

    /** Makes of the merged messages what all nodes are told; at the root only. */
    abstract void conclude();

    /** Entries of the shortest message that can come down, an objection aside. */
    abstract int shortestDown();

    /** Takes note of what all nodes are told. */
    abstract void told();

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
                if (parent.length == 0) {
                    stage = Stage.DOWN;
                    conclude();
                    told();
                } else {
                    stage = Stage.UP;
                }
            }
            case UP -> {
                message = Objection.checked(messages[0], shortestDown(), parent[0]);
                stage = Stage.DOWN;
                told();
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
    public final void save(DataOutput out) throws IOException {
        out.writeUTF(stage.name());
        SavedState.writeDoubles(out, message);
    }

    @Override
    public final void restore(DataInput in) throws IOException {
        stage = Stage.valueOf(in.readUTF());
        message = SavedState.readDoubles(in, longestMessage());
    }
}
