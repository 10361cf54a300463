package dev.starling.node;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * The collective that merges with an arbitrary binary function. A message is [0, values…]; the first objection wins.
 */
final class Fold extends TreePhase {

    private final Supplier<double[]> own;
    private final BinaryOperator<double[]> merge;
    private final int longest;

    Fold(Collectives place, Supplier<double[]> own, BinaryOperator<double[]> merge, int longest, Exchange.Kind kind) {
        super(place, kind);
        this.own = own;
        this.merge = merge;
        this.longest = longest;
    }

    @Override
    double[] own() {
        return guarded(own);
    }

    @Override
    double work() {
        return 0;
    }

    @Override
    void merge(double[] other, int child) {
        double[] mine = message;
        double[] theirs = Objection.checked(other, 1, child);
        if (Objection.isIn(mine) || Objection.isIn(theirs)) {
            message = Objection.isIn(mine) ? mine : theirs;
        } else {
            message = guarded(() -> merge.apply(values(mine), values(theirs)));
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

    @Override
    int upLength() {
        return message.length;
    }

    @Override
    void conclude() {}

    @Override
    int shortestDown() {
        return 1;
    }

    @Override
    void onResult(double[] sent) {}

    private static double[] values(double[] message) {
        return Arrays.copyOfRange(message, 1, message.length);
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
}
