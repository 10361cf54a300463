package dev.starling.lab.failing;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.runtime.Disturbance;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailingNetworkTest {

    private static final Network GRID = Topology.named("grid").build(9, 1);
    private static final int MANY = 100_000;

    private static Disturbance grid(FailingNetwork failing) {
        return failing.on(GRID, 7);
    }

    private static double mean(IntToDoubleFunction value) {
        return IntStream.range(0, MANY).mapToDouble(value).average().orElseThrow();
    }

    @Test
    void aNetworkWithoutFailuresHasNoDisturbance() {
        assertThat(grid(FailingNetwork.NONE)).isSameAs(Disturbance.NONE);
    }

    @Test
    void jitterAddsAnExponentialDelay() {
        Disturbance late = grid(FailingNetwork.NONE.jitter(0.5));
        IntToDoubleFunction extra = k -> late.arrived(0, 1, k, 5) - k - 5;
        assertThat(IntStream.range(0, MANY).mapToDouble(extra)).allMatch(value -> value >= -1e-9);
        // An exponential number with mean 2.5 has the standard deviation 2.5, too.
        assertThat(mean(extra)).isCloseTo(2.5, within(5 * 2.5 / Math.sqrt(MANY)));
        assertThat(mean(k -> Math.pow(extra.applyAsDouble(k) - 2.5, 2))).isCloseTo(6.25, within(0.3));
    }

    @Test
    void lostMessagesAreSentAgainUntilTheyArrive() {
        Disturbance lossy = grid(FailingNetwork.NONE.loss(0.2));
        // Geometric: 1/(1 − 0.2) transmissions on average, with variance 0.2/0.8².
        double deviation = Math.sqrt(0.2) / 0.8;
        assertThat(mean(k -> lossy.transmissions(0, 1, k))).isCloseTo(1.25, within(5 * deviation / Math.sqrt(MANY)));
        for (int k = 0; k < 1000; k++) {
            int times = lossy.transmissions(0, 1, k);
            assertThat(lossy.arrived(0, 1, k, 5)).isEqualTo(k + 5 + (times - 1) * 10.0);
        }
    }

    @Test
    void aMessageWaitsUntilItsEdgeIsUpAgain() {
        Disturbance broken = grid(FailingNetwork.NONE.outages(new Outages.AtRandom(0.3, 100)));
        int waiting = 0;
        for (int k = 0; k < MANY; k++) {
            double sent = k * 100.0 + 40;
            double arrived = broken.arrived(0, 1, sent, 5);
            assertThat(arrived).isEqualTo(broken.arrived(1, 0, sent, 5));
            boolean waits = arrived != sent + 5;
            waiting += waits ? 1 : 0;
            assertThat(waits ? (arrived - 5) % 100 : 0).isZero();
        }
        assertThat(waiting / (double) MANY).isCloseTo(0.3, within(5 * Math.sqrt(0.21 / MANY)));
    }

    @Test
    void aNodeHasOneNeighbourAtATimeWhenEdgesTakeTurns() {
        Outages.Links links = new Outages.InTurns(10).on(GRID, 1);
        Set<Integer> seen = new HashSet<>();
        for (long turn = 0; turn < 8; turn++) {
            int[] neighbours = new int[GRID.size()];
            for (int edge = 0; edge < GRID.edges(); edge++) {
                if (links.isUp(GRID.tail(edge), GRID.head(edge), turn)) {
                    seen.add(edge);
                    neighbours[GRID.tail(edge)]++;
                    neighbours[GRID.head(edge)]++;
                }
            }
            assertThat(neighbours).containsOnly(0, 1);
        }
        assertThat(seen).hasSize(GRID.edges());
    }

    @Test
    void stragglersAreSlowSomeOfTheTime() {
        Disturbance slow = grid(FailingNetwork.NONE.stragglers(new Stragglers(0.25, 4, 10)));
        // Within a stretch work is done at full speed or at a quarter of it.
        assertThat(IntStream.range(0, 1000).mapToDouble(k -> slow.worked(3, 10.0 * k, 1) - 10.0 * k))
                .allMatch(taken -> Math.abs(taken - 1) < 1e-9 || Math.abs(taken - 4) < 1e-9);
        // A stretch of 10 does 10 with probability 3/4 and 2.5 otherwise: 8.125 on average.
        double work = 8.125 * MANY;
        assertThat(slow.worked(3, 0, work) / (10.0 * MANY)).isCloseTo(1, within(5 * 3.25 / 8.125 / Math.sqrt(MANY)));
    }

    @Test
    void workTakesTheSameTimeInOneOrTwoPieces() {
        Disturbance slow = grid(FailingNetwork.NONE.stragglers(new Stragglers(0.5, 3, 7)));
        for (int k = 0; k < 200; k++) {
            double whole = slow.worked(2, 0.3 * k, 50);
            assertThat(slow.worked(2, slow.worked(2, 0.3 * k, 20), 30)).isCloseTo(whole, within(1e-9));
        }
    }

    @Test
    void disturbancesDependOnlyOnTheSeed() {
        FailingNetwork all = FailingNetwork.NONE
                .jitter(1)
                .loss(0.1)
                .outages(new Outages.AtRandom(0.2, 50))
                .stragglers(new Stragglers(0.1, 10, 50));
        Disturbance one = all.on(GRID, 1);
        Disturbance again = all.on(GRID, 1);
        Disturbance other = all.on(GRID, 2);
        int different = 0;
        for (int k = 999; k >= 0; k--) {
            double first = one.arrived(4, 5, 3.7 * k, 5);
            assertThat(again.arrived(4, 5, 3.7 * k, 5)).isEqualTo(first);
            assertThat(again.worked(4, 3.7 * k, 5)).isEqualTo(one.worked(4, 3.7 * k, 5));
            different += other.arrived(4, 5, 3.7 * k, 5) != first ? 1 : 0;
        }
        assertThat(different).isGreaterThan(990);
    }

    @Test
    void invalidSettingsAreRefused() {
        assertThatRefused(() -> FailingNetwork.NONE.loss(1))
                .hasMessage("messages lost with probability 1.0; it must be between 0 and 0.99, for example 0.05");
        assertThatThrownBy(() -> FailingNetwork.NONE.jitter(-1))
                .hasMessage("jitter -1.0; it must be 0 or more, and finite, for example 0.5");
        assertThatThrownBy(() -> new Outages.AtRandom(0.1, 0.5))
                .hasMessage(
                        "outages that last 0.5; their length must be at least 1, the time of a step, and finite, for"
                                + " example 100");
        assertThatThrownBy(() -> new Stragglers(0.1, 0.5, 10))
                .hasMessage("stragglers 0.5 times slower; it must be between 1 and 1e6, for example 10");
    }
}
