package dev.starling.lab.comparison;

import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A synchronous method whose steps are computed by somebody else: in every round each node tells all its neighbours a
 * vector, and then takes its next step from what they have told.
 *
 * @param name what it is called in the comparison
 * @param steps computes the steps
 */
public record OwnMethod(String name, Steps steps) implements Algorithm {

    /** Computes what nodes do. */
    @FunctionalInterface
    public interface Steps {

        /**
         * Takes a node's next step.
         *
         * @param seed that of the run; a run has nodes of its own
         * @param node which node
         * @param messages what its neighbours have told, in the order of {@link Network#neighbours}; empty for the
         *     first step
         */
        Step next(long seed, int node, double[]... messages);
    }

    /**
     * What a node does next.
     *
     * @param message what it tells its neighbours in the next round
     * @param work what it computed since the last one, in gradients of single rows
     * @param estimate its parameter
     */
    public record Step(double[] message, double work, double... estimate) {}

    /**
     * A node's part of the objective, from which step sizes follow: f(θ) = Σ ℓ(xᵀθ) + σ/2 ‖θ‖².
     *
     * @param sigma σ
     * @param curvature the largest curvature of the sum of losses
     */
    public record Part(double sigma, double curvature) {}

    @Override
    public String description() {
        return "a method of your own";
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        return IntStream.range(0, problem.size())
                .mapToObj(node -> new Program(
                        network.neighbours(node), problem.features(), messages -> steps.next(seed, node, messages)))
                .toList();
    }

    private static final class Program implements EstimatingProgram {

        private final Exchange exchange = new Exchange();
        private final int[] neighbours;
        private final int features;
        private final Function<double[][], Step> next;
        private Step step;

        Program(int[] neighbours, int features, Function<double[][], Step> next) {
            this.neighbours = neighbours;
            this.features = features;
            this.next = next;
        }

        private Step step() {
            if (step == null) {
                step = next.apply(new double[0][]);
            }
            return step;
        }

        @Override
        public Exchange advance() {
            double[] message = step().message();
            return exchange.set(Exchange.Kind.ROUND, neighbours, message, message.length, neighbours, step.work());
        }

        @Override
        public void absorb(double[][] messages) {
            // They may be longer than what was sent, and are valid only now.
            int length = step().message().length;
            step = next.apply(Arrays.stream(messages, 0, neighbours.length)
                    .map(message -> Arrays.copyOf(message, length))
                    .toArray(double[][]::new));
        }

        @Override
        public void estimate(double[] theta) {
            System.arraycopy(step().estimate(), 0, theta, 0, features);
        }

        @Override
        public void state(State s) {
            throw new UnsupportedOperationException("the state of a method of your own is not here to be saved");
        }
    }
}
