package dev.starling.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.node.State;
import dev.starling.node.Stoppable;
import dev.starling.runtime.Runner.RunReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class RunnersTest {

    static Stream<Runner> runners() {
        return Stream.of(new Simulator(), new Threads(1), new Threads(2), new Threads(3), new Threads(16));
    }

    /**
     * Averages with its neighbours: sends its value, takes the mean; the work of a round is its own number plus one.
     */
    private static class Averaging implements NodeProgram {
        private final Network network;
        private final int node;
        private final int rounds;
        private final double[] value = new double[1];
        private final Exchange exchange = new Exchange();
        private int done;

        Averaging(Network network, int node, int rounds) {
            this.network = network;
            this.node = node;
            this.rounds = rounds;
            value[0] = node;
        }

        @Override
        public Exchange advance() {
            int[] neighbours = network.neighbours(node);
            return done == rounds
                    ? exchange.end()
                    : exchange.set(Exchange.Kind.ROUND, neighbours, value, 1, neighbours, node + 1);
        }

        @Override
        public void absorb(double[][] messages) {
            double sum = value[0];
            for (double[] message : messages) {
                sum += message[0];
            }
            value[0] = sum / (messages.length + 1);
            done++;
        }

        @Override
        public void state(State s) {}
    }

    private static List<Averaging> averaging(Network network, int rounds) {
        List<Averaging> programs = new ArrayList<>();
        for (int node = 0; node < network.size(); node++) {
            programs.add(new Averaging(network, node, rounds));
        }
        return programs;
    }

    @ParameterizedTest
    @MethodSource("runners")
    void everyRunnerGivesTheResultOfRoundsByHand(Runner runner) {
        Network network = Topology.named("ring").build(7, 1);
        List<Averaging> programs = averaging(network, 25);
        runner.run(network, programs, Delays.uniform(1), StopSignal.manual());

        double[] expected = {0, 1, 2, 3, 4, 5, 6};
        for (int round = 0; round < 25; round++) {
            double[] next = new double[7];
            for (int i = 0; i < 7; i++) {
                int[] neighbours = network.neighbours(i);
                next[i] = (expected[i] + expected[neighbours[0]] + expected[neighbours[1]]) / 3;
            }
            expected = next;
        }
        for (int i = 0; i < 7; i++) {
            assertThat(programs.get(i).value[0]).isEqualTo(expected[i]);
        }
    }

    @ParameterizedTest
    @MethodSource("runners")
    void disturbancesChangeOnlyTimeAndMessages(Runner runner) {
        // Work of 1 and 2 takes 3 and 6, a message 9: a round trip, in which each has worked once, is 3 + 9 + 6 + 9.
        Disturbance inTheWay = new Disturbance() {
            @Override
            public double worked(int node, double begun, double duration) {
                return begun + 3 * duration;
            }

            @Override
            public double arrived(int from, int to, double sent, double duration) {
                return sent + duration + 4;
            }

            @Override
            public int transmissions(int from, int to, double sent) {
                return 2;
            }
        };
        Network network = Topology.named("line").build(2, 1);
        List<Averaging> programs = averaging(network, 10);
        RunReport report = runner.run(network, programs, Delays.uniform(5).disturbed(inTheWay), StopSignal.manual());

        assertThat(report.idealisedTime()).isEqualTo(5 * (3 + 9 + 6 + 9));
        assertThat(report.messages()).isEqualTo(40);
        assertThat(report.bytes()).isEqualTo(320);
        assertThat(programs.get(0).value[0]).isEqualTo(0.5);
    }

    @ParameterizedTest
    @MethodSource("runners")
    void everyRunnerKeepsTheSameIdealisedTime(Runner runner) {
        // On a line of two, the slower node takes 2 per round and its message 5: a round lasts 7.
        Network network = Topology.named("line").build(2, 1);
        RunReport report = runner.run(network, averaging(network, 10), Delays.uniform(5), StopSignal.manual());

        assertThat(report.completed()).isTrue();
        assertThat(report.rounds()).isEqualTo(10);
        assertThat(report.latency()).hasValue(10);
        assertThat(report.messages()).isEqualTo(20);
        assertThat(report.bytes()).isEqualTo(160);
        assertThat(report.idealisedTime()).isCloseTo(byHand(10, 5), within(1e-9));
    }

    /** clock_k = max(clock_k, clock_l + τ), written out for two nodes. */
    private static double byHand(int rounds, double tau) {
        double first = 0;
        double second = 0;
        for (int round = 0; round < rounds; round++) {
            first += 1;
            second += 2;
            double arrived = Math.max(first, second + tau);
            second = Math.max(second, first + tau);
            first = arrived;
        }
        return Math.max(first, second);
    }

    @Test
    void aStragglerAndASlowLinkSlowTheWholeRound() {
        Network network = Topology.named("line").build(3, 1);
        Delays delays = new Delays(node -> node == 1 ? 10 : 1, (from, to) -> from == 0 ? 100 : 1);
        RunReport report = new Simulator().run(network, averaging(network, 1), delays, StopSignal.manual());

        // Node 1 works 2 steps at 10 each; node 0's message leaves at 1 and takes 100.
        assertThat(report.idealisedTime()).isEqualTo(101);
    }

    @Test
    void tenThousandNodesFitIntoOneProcess() {
        Network network = Topology.named("grid").build(10_000, 1);
        RunReport report = new Simulator().run(network, averaging(network, 20), Delays.uniform(1), StopSignal.manual());

        assertThat(report.completed()).isTrue();
        assertThat(report.messages()).isEqualTo(20L * 2 * network.edges());
    }

    private static StopSignal after(double seconds) {
        long start = System.nanoTime();
        return StopSignal.manual().or(() -> System.nanoTime() - start >= seconds * 1e9);
    }

    @ParameterizedTest
    @MethodSource("runners")
    void aRaisedSignalEndsARunThatWouldNotEnd(Runner runner) {
        Network network = Topology.named("ring").build(4, 1);
        AtomicInteger absorbed = new AtomicInteger();
        List<Averaging> programs = averaging(network, Integer.MAX_VALUE);
        programs.set(2, new Averaging(network, 2, Integer.MAX_VALUE) {
            @Override
            public void absorb(double[][] messages) {
                super.absorb(messages);
                absorbed.getAndIncrement();
            }
        });
        StopSignal signal = StopSignal.manual().or(() -> absorbed.get() >= 100);
        RunReport report = runner.run(network, programs, Delays.uniform(1), signal);

        assertThat(report.completed()).isFalse();
        assertThat(report.rounds()).isGreaterThanOrEqualTo(100);
    }

    /** Two workers would take turns, since each of the nodes waits for the other. */
    @Test
    void workersThatOnlyWaitForEachOtherBecomeOne() {
        Network network = Topology.named("line").build(2, 1);
        Set<Thread> workers = new HashSet<>();
        List<Thread> latest = new ArrayList<>();
        List<Averaging> programs = new ArrayList<>();
        StopSignal signal = after(20);
        for (int node = 0; node < 2; node++) {
            programs.add(new Averaging(network, node, Integer.MAX_VALUE) {
                @Override
                public void absorb(double[][] messages) {
                    super.absorb(messages);
                    synchronized (latest) {
                        workers.add(Thread.currentThread());
                        if (!latest.isEmpty() && latest.get(0) != Thread.currentThread()) {
                            latest.clear();
                        }
                        latest.add(Thread.currentThread());
                        if (workers.size() == 2 && latest.size() == 1000) {
                            signal.request();
                        }
                    }
                }
            });
        }

        new Threads(2).run(network, programs, Delays.uniform(1), signal);

        assertThat(latest).hasSizeGreaterThanOrEqualTo(1000);
    }

    @Test
    void anInterruptEndsARunAndStaysVisible() {
        Network network = Topology.named("ring").build(4, 1);
        Thread.currentThread().interrupt();
        RunReport report = new Threads(2)
                .run(network, averaging(network, Integer.MAX_VALUE), Delays.uniform(1), StopSignal.manual());

        assertThat(report.completed()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("runners")
    void aProgramThatFailsFailsTheRun(Runner runner) {
        Network network = Topology.named("ring").build(4, 1);
        List<Averaging> programs = averaging(network, 100);
        programs.set(2, new Averaging(network, 2, 100) {
            @Override
            public void absorb(double[][] messages) {
                throw new IllegalStateException("broken node");
            }
        });

        assertThatThrownBy(() -> runner.run(network, programs, Delays.uniform(1), StopSignal.manual()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("broken node");
    }

    /** Waits for a message that its only neighbour does not send, in a part that cannot be cut short. */
    private static final class Unstoppable extends Averaging implements Stoppable {
        Unstoppable(Network network, int node, int rounds) {
            super(network, node, rounds);
        }

        @Override
        public int position() {
            return 0;
        }

        @Override
        public boolean canStop() {
            return false;
        }

        @Override
        public void stop() {
            throw new IllegalStateException("not now");
        }
    }

    @ParameterizedTest
    @MethodSource("runners")
    void aDeadlockIsReportedWhenTheRunIsStopped(Runner runner) {
        Network network = Topology.named("line").build(2, 1);
        List<Unstoppable> programs = List.of(new Unstoppable(network, 0, 3), new Unstoppable(network, 1, 2));
        StopSignal raised = StopSignal.manual();
        raised.request();

        assertThatThrownBy(() -> runner.run(network, programs, Delays.uniform(1), raised))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nodes cannot be stopped: every one waits for a message that nobody will send");
    }

    @Test
    void theSimulatorReportsADeadlock() {
        Network network = Topology.named("line").build(2, 1);
        List<Averaging> programs = averaging(network, 3);
        programs.set(1, new Averaging(network, 1, 2));

        assertThatThrownBy(() -> new Simulator().run(network, programs, Delays.uniform(1), StopSignal.manual()))
                .hasMessage("every node waits for a message that nobody will send");
    }
}
