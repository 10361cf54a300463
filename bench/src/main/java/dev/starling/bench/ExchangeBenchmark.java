package dev.starling.bench;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.node.State;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * A communication round between two nodes on two threads: each sends a vector and waits for the other's. Nothing is
 * computed in between. Meaningful only with two free cores.
 */
public class ExchangeBenchmark extends KernelBenchmark {

    private static final int ROUNDS = 50_000;

    private final Network pair = Topology.named("complete").build(2, 0);

    /** Length of the vector. */
    @Param({"28", "54", "1000"})
    public int features;

    /** Many rounds, so that the time to start two threads is negligible. */
    @Benchmark
    @OperationsPerInvocation(ROUNDS)
    public RunReport round() {
        List<Talker> talkers = List.of(new Talker(1, features), new Talker(0, features));
        return new Threads(2).run(pair, talkers, Delays.uniform(1), StopSignal.manual());
    }

    /** A node that only exchanges messages. */
    private static final class Talker implements NodeProgram {
        private final int[] other;
        private final double[] message;
        private final Exchange exchange = new Exchange();
        private int left = ROUNDS;

        Talker(int other, int features) {
            this.other = new int[] {other};
            this.message = new double[features];
        }

        @Override
        public Exchange advance() {
            if (left-- == 0) {
                return exchange.end();
            }
            message[0] += 1;
            return exchange.set(Exchange.Kind.ROUND, other, message, message.length, other, 0);
        }

        @Override
        public void absorb(double[][] messages) {
            message[0] = messages[0][0];
        }

        @Override
        public void state(State s) {
            throw new UnsupportedOperationException("a benchmark is not saved");
        }
    }
}
