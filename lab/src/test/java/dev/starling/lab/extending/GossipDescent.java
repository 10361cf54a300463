package dev.starling.lab.extending;

import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Decentralized gradient descent: average with the neighbours, then a step along one's own gradient. */
final class GossipDescent implements Algorithm {

    @Override
    public String name() {
        return "gossip-descent";
    }

    @Override
    public String description() {
        return "decentralized gradient descent, for comparison";
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        return IntStream.range(0, problem.size())
                .mapToObj(node -> new Node(problem.nodes().get(node), network.neighbours(node)))
                .toList();
    }

    private static final class Node implements EstimatingProgram {
        private final LocalProblem problem;
        private final int[] neighbours;
        private final double step;
        private final double[] theta;
        private final Exchange exchange = new Exchange();

        Node(LocalProblem problem, int[] neighbours) {
            this.problem = problem;
            this.neighbours = neighbours;
            this.step = 0.2 / problem.samples();
            this.theta = new double[problem.features()];
        }

        /** A pass over the node's samples, then θ to all neighbours: it costs one unit of time per sample. */
        @Override
        public Exchange advance() {
            double[] gradient = new double[theta.length];
            for (int j = 0; j < problem.samples(); j++) {
                int row = problem.row(j);
                double margin = problem.data().dot(row, theta);
                problem.data().addTo(row, problem.loss().derivative(margin, problem.label(j)), gradient);
            }
            for (int c = 0; c < theta.length; c++) {
                theta[c] -= step * (gradient[c] + problem.sigma() * theta[c]);
            }
            return exchange.set(Exchange.Kind.ROUND, neighbours, theta, theta.length, neighbours, problem.samples());
        }

        @Override
        public void absorb(double[][] messages) {
            for (int c = 0; c < theta.length; c++) {
                double sum = theta[c];
                for (double[] message : messages) {
                    sum += message[c];
                }
                theta[c] = sum / (1 + messages.length);
            }
        }

        @Override
        public void estimate(double[] estimate) {
            System.arraycopy(theta, 0, estimate, 0, theta.length);
        }

        @Override
        public void state(State s) throws IOException {
            s.vector(theta);
        }
    }
}
