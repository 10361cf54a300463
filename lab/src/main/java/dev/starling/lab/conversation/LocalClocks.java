package dev.starling.lab.conversation;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import java.util.function.ToIntFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Simulates the idealised clocks of nodes that talk in random pairs, without the content of their messages, to find out
 * how long they take including the time that they wait for each other, for which there is no formula. A node whose
 * partner is behind waits for it, and the nodes that talk to that node next wait in turn.
 */
public final class LocalClocks {

    private static final int EXCHANGES_PER_NODE = 200;
    private static final long SEED = 0x10CA1L;

    private LocalClocks() {}

    /**
     * Returns the idealised time between two exchanges in the network, once the clocks have settled.
     *
     * @param drawn draws the edge of an exchange
     * @param between the idealised time that each node computes between two exchanges in the network
     * @param before the idealised time that both ends compute for an exchange before they send
     */
    public static double timePerExchange(
            Network network,
            ToIntFunction<UniformRandomProvider> drawn,
            double[] between,
            double before,
            Timing timing) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);
        double[] clocks = new double[network.size()];
        int[] last = new int[network.size()];
        int exchanges = EXCHANGES_PER_NODE * network.size();
        double settled = 0;
        for (int k = 1; k <= exchanges; k++) {
            int edge = drawn.applyAsInt(random);
            int tail = network.tail(edge);
            int head = network.head(edge);
            double one = clocks[tail] + (k - last[tail]) * between[tail] + before;
            double other = clocks[head] + (k - last[head]) * between[head] + before;
            double delay = timing.message(tail, head);
            clocks[tail] = Math.max(one, other + delay);
            clocks[head] = Math.max(other, one + delay);
            last[tail] = k;
            last[head] = k;
            if (k == exchanges / 2) {
                settled = latest(clocks, last, between, k);
            }
        }
        return (latest(clocks, last, between, exchanges) - settled) / (exchanges - exchanges / 2);
    }

    private static double latest(double[] clocks, int[] last, double[] between, int now) {
        double latest = 0;
        for (int i = 0; i < clocks.length; i++) {
            latest = Math.max(latest, clocks[i] + (now - last[i]) * between[i]);
        }
        return latest;
    }
}
