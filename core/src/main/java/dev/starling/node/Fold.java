package dev.starling.node;

import dev.starling.data.InvalidInputException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * The one collective: up the tree, then told down. A message is [0, values…] or, once a node has objected, [1, node,
 * text…]; the first objection in tree order wins. Messages are never written to again once they are sent, so a network
 * in one process shares them.
 */
final class Fold implements Phase<double[]> {

    private enum Stage {
        OWN,
        UP,
        DOWN,
        DONE
    }

    private static final int[] NOBODY = {};
    private static final int OBJECTION = 1;

    private final Collectives place;
    private final int[] parent;
    private final Supplier<double[]> own;
    private final BinaryOperator<double[]> merge;
    private final int longest;
    private final Exchange exchange = new Exchange();
    private Stage stage = Stage.OWN;
    private double[] message = {};

    Fold(Collectives place, Supplier<double[]> own, BinaryOperator<double[]> merge, int longest) {
        this.place = place;
        this.own = own;
        this.merge = merge;
        this.longest = longest;
        this.parent = place.parent() < 0 ? NOBODY : new int[] {place.parent()};
    }

    @Override
    public Exchange advance() {
        return switch (stage) {
            case OWN -> {
                message = guarded(own);
                yield exchange.await(place.children());
            }
            case UP ->
                exchange.set(Exchange.Kind.CONTROL, parent, message, message.length, parent, 0)
                        .frozen();
            case DOWN ->
                exchange.tell(place.children(), message, message.length)
                        .frozen()
                        .atRest();
            case DONE -> exchange.end();
        };
    }

    @Override
    public void absorb(double[][] messages) {
        switch (stage) {
            case OWN -> {
                for (int k = 0; k < messages.length; k++) {
                    message = merged(message, checked(messages[k], place.children()[k]));
                }
                stage = parent.length == 0 ? Stage.DOWN : Stage.UP;
            }
            case UP -> {
                message = checked(messages[0], parent[0]);
                stage = Stage.DOWN;
            }
            case DOWN -> stage = Stage.DONE;
            default -> throw new IllegalStateException("absorbed while " + stage);
        }
    }

    /** Messages may come from another machine. */
    private static double[] checked(double[] message, int from) {
        boolean values = message.length >= 1 && message[0] == 0;
        boolean objection = message.length >= 3 && message[0] == OBJECTION;
        if (!values && !objection) {
            throw new InvalidInputException("node " + from + " sent a vector of " + message.length
                    + " entries that is none of this job's; do all nodes run the same version?");
        }
        return message;
    }

    private double[] guarded(Supplier<double[]> values) {
        try {
            double[] vector = values.get();
            double[] result = new double[vector.length + 1];
            System.arraycopy(vector, 0, result, 1, vector.length);
            return result;
        } catch (InvalidInputException e) {
            int node = e instanceof ObjectionException objection ? objection.node() : place.node();
            double[] text = Words.of(e.getMessage());
            double[] result = new double[text.length + 2];
            result[0] = OBJECTION;
            result[1] = node;
            System.arraycopy(text, 0, result, 2, text.length);
            return result;
        }
    }

    private double[] merged(double[] mine, double[] theirs) {
        if (mine[0] != 0 || theirs[0] != 0) {
            return mine[0] != 0 ? mine : theirs;
        }
        return guarded(() -> merge.apply(values(mine), values(theirs)));
    }

    private static double[] values(double[] message) {
        return Arrays.copyOfRange(message, 1, message.length);
    }

    @Override
    public boolean isDone() {
        return stage == Stage.DONE;
    }

    @Override
    public double[] result() {
        if (message[0] != 0) {
            throw new ObjectionException((int) message[1], Words.text(message, 2));
        }
        return values(message);
    }

    @Override
    public int longestMessage() {
        return Math.max(1 + longest, 2 + Words.LONGEST);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        out.writeUTF(stage.name());
        SavedState.writeDoubles(out, message);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        stage = Stage.valueOf(in.readUTF());
        message = SavedState.readDoubles(in, longestMessage());
    }
}
