package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;

/**
 * Nodes that are slow for a while: in every slot of time each node is slow independently, with the same probability.
 *
 * @param probability the probability that a node is slow in a slot
 * @param factor how many times longer its work then takes
 * @param slotLength the length of a slot, in idealised time
 */
public record Stragglers(double probability, double factor, double slotLength) {

    private static final double SLOWEST = 1e6;

    /** Checks all three numbers. */
    public Stragglers {
        if (!(probability >= 0 && probability <= 1)) {
            throw new InvalidInputException(
                    "stragglers with probability " + probability + "; it must be between 0 and 1, for example 0.1");
        }
        if (!(factor >= 1 && factor <= SLOWEST)) {
            throw new InvalidInputException(
                    "stragglers " + factor + " times slower; it must be between 1 and 1e6, for example 10");
        }
        TimeSlots.require("stragglers", slotLength);
    }

    /**
     * The time at which work is done that a node began at a given time and that takes the given duration at normal
     * speed.
     */
    double worked(KeyedRandom random, int node, double begun, double duration) {
        double now = begun;
        double left = duration;
        for (long number = TimeSlots.at(begun, slotLength); ; number++) {
            double pace = random.uniform(KeyedRandom.Purpose.STRAGGLER, node, number) < probability ? factor : 1;
            double end = (number + 1) * slotLength;
            if (now + left * pace <= end) {
                return now + left * pace;
            }
            if (end > now) {
                left -= (end - now) / pace;
                now = end;
            }
        }
    }
}
