package dev.starling.lab.failing;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.runtime.Disturbance;
import java.util.Optional;

/**
 * What goes wrong in a network: messages that take longer than they should, messages that are lost and sent again,
 * edges that come and go, and nodes that are slow for a while. Immutable: every setting returns a new one.
 *
 * @param jitter how much longer a message takes on average, as a fraction of its undisturbed time: the time is
 *     multiplied by 1 + jitter·E, where E is exponentially distributed with mean 1
 * @param loss the probability that a transmission is lost; the message is sent again when twice its undisturbed time
 *     has passed without an answer
 * @param outages edges that come and go
 * @param stragglers nodes that are slow for a while
 */
public record FailingNetwork(double jitter, double loss, Optional<Outages> outages, Optional<Stragglers> stragglers) {

    /** Nothing goes wrong. */
    public static final FailingNetwork NONE = new FailingNetwork(0, 0, Optional.empty(), Optional.empty());

    private static final double GREATEST_LOSS = 0.99;

    /** A message is sent again after this many times its undisturbed time: there and back. */
    private static final double PATIENCE = 2;

    /** Checks the numbers. */
    public FailingNetwork {
        if (!(jitter >= 0) || Double.isInfinite(jitter)) {
            throw new InvalidInputException("jitter " + jitter + "; it must be 0 or more, and finite, for example 0.5");
        }
        if (!(loss >= 0 && loss <= GREATEST_LOSS)) {
            throw new InvalidInputException("messages lost with probability " + loss + "; it must be between 0 and "
                    + GREATEST_LOSS + ", for example 0.05");
        }
    }

    /** Returns a copy in which messages take longer at random. */
    public FailingNetwork jitter(double value) {
        return new FailingNetwork(value, loss, outages, stragglers);
    }

    /** Returns a copy in which messages are lost and sent again. */
    public FailingNetwork loss(double value) {
        return new FailingNetwork(jitter, value, outages, stragglers);
    }

    /** Returns a copy in which edges come and go. */
    public FailingNetwork outages(Outages value) {
        return new FailingNetwork(jitter, loss, Optional.of(value), stragglers);
    }

    /** Returns a copy in which nodes are slow for a while. */
    public FailingNetwork stragglers(Stragglers value) {
        return new FailingNetwork(jitter, loss, outages, Optional.of(value));
    }

    /** Everything that goes wrong on a network, determined by a seed. */
    public Disturbance on(Network network, long seed) {
        return equals(NONE) ? Disturbance.NONE : new Failures(network, new KeyedRandom(seed));
    }

    private final class Failures implements Disturbance {
        private final KeyedRandom random;
        private final Optional<Outages.Links> links;

        Failures(Network network, KeyedRandom random) {
            this.random = random;
            this.links = outages.map(rule -> rule.on(network, random.seed()));
        }

        @Override
        public double worked(int node, double begun, double duration) {
            return stragglers.isEmpty() ? begun + duration : stragglers.get().worked(random, node, begun, duration);
        }

        @Override
        public double arrived(int from, int to, double sent, double duration) {
            double repeated = sent + (transmissions(from, to, sent) - 1) * PATIENCE * duration;
            return departure(from, to, repeated) + duration * (1 + jitter * exponential(from, to, sent));
        }

        @Override
        public int transmissions(int from, int to, double sent) {
            if (loss == 0) {
                return 1;
            }
            double luck = 1 - number(KeyedRandom.Purpose.LOSS, from, to, sent);
            return 1 + (int) (StrictMath.log(luck) / StrictMath.log(loss));
        }

        /** The time itself if the edge is up then, or the beginning of the next slot in which it is. */
        private double departure(int from, int to, double time) {
            if (links.isEmpty()) {
                return time;
            }
            double slotLength = outages.orElseThrow().slotLength();
            long first = TimeSlots.at(time, slotLength);
            long number = first;
            while (!links.get().isUp(from, to, number)) {
                number++;
            }
            return number == first ? time : number * slotLength;
        }

        private double exponential(int from, int to, double sent) {
            return jitter == 0 ? 0 : -StrictMath.log1p(-number(KeyedRandom.Purpose.JITTER, from, to, sent));
        }

        private double number(KeyedRandom.Purpose purpose, int from, int to, double sent) {
            return random.uniform(purpose, KeyedRandom.direction(from, to), Double.doubleToLongBits(sent));
        }
    }
}
