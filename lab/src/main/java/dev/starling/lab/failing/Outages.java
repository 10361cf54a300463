package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.network.Network;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Edges that come and go: time is divided into slots of equal length, and in each of them an edge is up or down. A
 * message along an edge that is down waits for the next slot in which it is up.
 */
public sealed interface Outages {

    /** The length of a slot, in idealised time. */
    double slotLength();

    /** Applies the rule to a network, with a seed. */
    Links on(Network network, long seed);

    /** Which edges are up. */
    @FunctionalInterface
    interface Links {
        /** Whether an edge is up in the slot with this number. */
        boolean isUp(int one, int other, long number);
    }

    /**
     * Each edge is down in a slot independently, with the same probability.
     *
     * @param probability at most 0.99, at which a message waits for a hundred slots on average
     */
    record AtRandom(double probability, double slotLength) implements Outages {

        private static final double LIKELIEST = 0.99;

        /** Checks both numbers. */
        public AtRandom {
            if (!(probability >= 0 && probability <= LIKELIEST)) {
                throw new InvalidInputException("outages with probability " + probability
                        + "; it must be between 0 and " + LIKELIEST + ", for example 0.1");
            }
            TimeSlots.require("outages", slotLength);
        }

        @Override
        public Links on(Network network, long seed) {
            KeyedRandom random = new KeyedRandom(seed);
            return (one, other, number) ->
                    random.uniform(KeyedRandom.Purpose.OUTAGE, KeyedRandom.edge(one, other), number) >= probability;
        }
    }

    /** Edges take turns, one matching at a time, so that a node has at most one neighbour at any time. */
    record InTurns(double slotLength) implements Outages {

        /** Checks the length of a slot. */
        public InTurns {
            TimeSlots.require("turns", slotLength);
        }

        @Override
        public Links on(Network network, long seed) {
            List<List<Integer>> matchings = EdgeSampling.matchings(network).groups();
            Map<Long, Integer> turns = new HashMap<>();
            for (int turn = 0; turn < matchings.size(); turn++) {
                for (int edge : matchings.get(turn)) {
                    turns.put(KeyedRandom.edge(network.tail(edge), network.head(edge)), turn);
                }
            }
            return (one, other, number) -> turns.get(KeyedRandom.edge(one, other)) == number % matchings.size();
        }
    }
}
