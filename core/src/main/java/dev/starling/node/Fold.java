package dev.starling.node;

import dev.starling.data.InvalidInputException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * The one collective: up the tree, then told down. A message is [0, values…] or, once a node has objected, an
 * {@link Objection}; the first in tree order wins. Messages are never written to again once they are sent, so a network
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
                    message = merged(message, Objection.checked(messages[k], 1, place.children()[k]));
                }
                stage = parent.length == 0 ? Stage.DOWN : Stage.UP;
            }
            case UP -> {
                message = Objection.checked(messages[0], 1, parent[0]);
                stage = Stage.DOWN;
            }
            case DOWN -> stage = Stage.DONE;
            default -> throw new IllegalStateException("absorbed while " + stage);
        }
    }

    private double[] guarded(Supplier<double[]> values) {
        try {
            double[] vector = values.get();
            double[] result = new double[vector.length + 1];
            System.arraycopy(vector, 0, result, 1, vector.length);
            return result;
        } catch (InvalidInputException e) {
            return Objection.of(e, place.node());
        }
    }

    private double[] merged(double[] mine, double[] theirs) {
        if (Objection.isIn(mine) || Objection.isIn(theirs)) {
            return Objection.isIn(mine) ? mine : theirs;
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
        Objection.throwIfIn(message);
        return values(message);
    }

    @Override
    public int longestMessage() {
        return Math.max(1 + longest, Objection.LONGEST);
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
