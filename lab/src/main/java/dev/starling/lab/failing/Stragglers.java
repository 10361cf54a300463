package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;

/**
 * Nodes that are slow for a while: in every stretch of time each node for itself is so with the same probability.
 *
 * @param probability that a node is slow in a stretch
 * @param factor how many times longer its work then takes
 * @param stretch how long a stretch is, in idealised time
 */
public record Stragglers(double probability, double factor, double stretch) {

    private static final double SLOWEST = 1e6;

    /** Checks all three. */
    public Stragglers {
        if (!(probability >= 0 && probability <= 1)) {
            throw new InvalidInputException(
                    "stragglers with probability " + probability + "; it must be between 0 and 1, for example 0.1");
        }
        if (!(factor >= 1 && factor <= SLOWEST)) {
            throw new InvalidInputException(
                    "stragglers " + factor + " times slower; it must be between 1 and 1e6, for example 10");
        }
        TimeSlots.require("stragglers", stretch);
    }

    /** When work is done that was begun at a time and takes a node so long at its usual speed. */
    double worked(KeyedRandom chance, int node, double begun, double duration) {
        double now = begun;
        double left = duration;
        for (long number = TimeSlots.at(begun, stretch); ; number++) {
            double pace = chance.uniform(KeyedRandom.Purpose.STRAGGLER, node, number) < probability ? factor : 1;
            double end = (number + 1) * stretch;
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
