package dev.starling.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the nodes of a run said and thought, exchange by exchange, up to the length at which a run that would go on is
 * stopped. Numbers are written such that two texts are the same only if all bits are.
 */
public record Transcript(List<List<String>> nodes) {

    private static final int LENGTH = 150;

    /** The transcript of a run. */
    public static Transcript of(Network network, int features, List<? extends NodeProgram> programs, Runner runner) {
        StopSignal signal = StopSignal.manual();
        AtomicInteger writing = new AtomicInteger(programs.size());
        Runnable finished = () -> {
            if (writing.decrementAndGet() == 0) {
                signal.request();
            }
        };
        List<Writer> writers = IntStream.range(0, programs.size())
                .mapToObj(node -> new Writer(programs.get(node), network.neighbours(node), features, finished))
                .toList();
        runner.run(network, writers, Delays.uniform(5), signal);
        return new Transcript(writers.stream().map(writer -> writer.lines).toList());
    }

    /** The transcript of a run whose nodes are replaced after every exchange by fresh ones with their saved state. */
    public static Transcript ofForgetful(
            Network network, int features, Supplier<List<? extends NodeProgram>> fresh, Runner runner) {
        // A list has the programs of all nodes: the k-th serves for the k-th time that each of them forgets.
        List<List<? extends NodeProgram>> lives = new ArrayList<>();
        List<ForgetfulProgram<NodeProgram>> programs = IntStream.range(0, network.size())
                .mapToObj(node -> {
                    int[] life = {0};
                    return new ForgetfulProgram<NodeProgram>(() -> {
                        if (life[0] == lives.size()) {
                            lives.add(fresh.get());
                        }
                        return lives.get(life[0]++).get(node);
                    });
                })
                .toList();
        return of(network, features, programs, runner);
    }

    /** Writes down what a program says, and what it thinks after it has heard the others. */
    private static final class Writer extends WrappedProgram<NodeProgram> {

        private final Set<Integer> neighbours;
        private final int features;
        private final Runnable finished;
        private final List<String> lines = new ArrayList<>();

        Writer(NodeProgram program, int[] neighbours, int features, Runnable finished) {
            super(program);
            this.neighbours = Arrays.stream(neighbours).boxed().collect(Collectors.toSet());
            this.features = features;
            this.finished = finished;
        }

        @Override
        public Exchange advance() {
            Exchange exchange = super.advance();
            assertThat(IntStream.concat(IntStream.of(exchange.to()), IntStream.of(exchange.from())))
                    .allMatch(neighbours::contains);
            if (exchange.kind() == Exchange.Kind.END && lines.size() < LENGTH) {
                lines.add("END in state " + Arrays.hashCode(SavedStates.of(this)));
                finished.run();
            } else if (lines.size() < LENGTH) {
                double[] said = Arrays.copyOf(exchange.payload(), exchange.length());
                lines.add(exchange.kind() + " to " + Arrays.toString(exchange.to()) + " from "
                        + Arrays.toString(exchange.from()) + " after " + exchange.work() + ": " + text(said));
            }
            return exchange;
        }

        @Override
        public void absorb(double[][] messages) {
            super.absorb(messages);
            if (lines.size() < LENGTH) {
                double[] estimate = new double[features];
                estimate(estimate);
                lines.add("at " + text(estimate) + " in state " + Arrays.hashCode(SavedStates.of(this)));
                if (lines.size() == LENGTH) {
                    finished.run();
                }
            }
        }

        private static String text(double[] numbers) {
            return Arrays.stream(numbers).mapToObj(Double::toHexString).collect(Collectors.joining(" "));
        }
    }
}
