package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;
import dev.starling.method.adfs.EdgeSampling;
import dev.starling.network.Network;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Edges that come and go: time is cut into stretches of equal length, and in each of them an edge is up or down. A
 * message along an edge that is down waits for the next stretch in which it is up.
 */
public sealed interface Outages {

    /** How long a stretch is, in idealised time. */
    double stretch();

    /** The rule on a network, with a seed. */
    Links on(Network network, long seed);

    /** Which edges are up. */
    @FunctionalInterface
    interface Links {
        /** Whether an edge is up in the stretch of a number. */
        boolean isUp(int one, int other, long number);
    }

    /**
     * Every edge for itself is down in a stretch with the same probability.
     *
     * @param probability at most 0.99, at which a message waits for a hundred stretches on average
     */
    record AtRandom(double probability, double stretch) implements Outages {

        private static final double LIKELIEST = 0.99;

        /** Checks both. */
        public AtRandom {
            if (!(probability >= 0 && probability <= LIKELIEST)) {
                throw new InvalidInputException("outages with probability " + probability
                        + "; it must be between 0 and " + LIKELIEST + ", for example 0.1");
            }
            TimeSlots.require("outages", stretch);
        }

        @Override
        public Links on(Network network, long seed) {
            KeyedRandom chance = new KeyedRandom(seed);
            return (one, other, number) ->
                    chance.uniform(KeyedRandom.Purpose.OUTAGE, KeyedRandom.edge(one, other), number) >= probability;
        }
    }

    /** Edges take turns, a matching of them at a time, so that a node has at most one neighbour at any time. */
    record InTurns(double stretch) implements Outages {

        /** Checks the length of a turn. */
        public InTurns {
            TimeSlots.require("turns", stretch);
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
