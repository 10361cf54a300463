package dev.starling.lab.baseline.gossip;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;

/**
 * A method without parameters (Kuruzov, Scutari, Gasnikov, "Achieving linear convergence with parameter-free algorithms
 * in decentralized optimization", 2024): every node finds its step by a line search on its own function, and nobody
 * knows how smooth functions are or how well the graph is connected, only degrees.
 *
 * <p>x̂_i = x_i − α_i(∇f_i(x_i) + d_i), where α_i is halved until f_i(x̂_i) ≤ f_i(x_i) + ⟨∇f_i(x_i), x̂_i − x_i⟩ +
 * ‖x̂_i − x_i‖²/(2α_i); g_i = Σ_k c_ik(x̂_i − x̂_k); x_i = x̂_i − α_ig_i, d_i += g_i, with c_ik = w_ik/(2 max(α_i,
 * α_k)) and the Metropolis weights w_ik = 1/(1 + max(deg i, deg k)). This is {@link Nids} with c on the edges.
 *
 * <p>Σd_i = 0 whatever the steps are. As Σ_k w_ik ≤ 1, the Laplacian C of the c_ik satisfies Λ^½CΛ^½ ≤ I, which is what
 * the theorem of NIDS needs. Steps only shrink, and never below half the inverse of a smoothness, so that at some time
 * they stay what they are; from then on the squared error shrinks by min(min_i α_iσ_i, λ_min⁺(Λ^½CΛ^½)) per iteration.
 *
 * <p>The paper's steps may also grow, and nodes agree on their minimum, among all nodes or among neighbours; here edges
 * have weights instead, so that a message is x̂ and α and there is one round per iteration. The first α is 1/σ_i, the
 * step for a regulariser alone. An iteration costs m_i for the gradient and for each try of the line search, and τ.
 */
public final class AdaptiveNids {

    private AdaptiveNids() {}

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        return on.nodes(setup -> new Program(setup, metropolis(on.network(), setup.node())));
    }

    /** The weights w_ik of a node's edges. */
    static double[] metropolis(Network network, int node) {
        int[] neighbours = network.neighbours(node);
        double[] weights = new double[neighbours.length];
        for (int k = 0; k < weights.length; k++) {
            weights[k] = 1.0 / (1 + Math.max(neighbours.length, network.neighbours(neighbours[k]).length));
        }
        return weights;
    }

    /** A node's program. */
    public static final class Program extends GossipProgram {

        /** What values of f lose to rounding, relative to it, so that a step at the optimum is not refused for ever. */
        private static final double ROUNDING = 0x1p-48;

        private final double[] weights;
        private final LocalProblem problem;
        private final double[] x = answer(vector(features));
        private final double[] dual = vector(features);
        private final double[] gradient = new double[features];
        private final double[] move = new double[features];
        private final double[] ahead = new double[features];

        /** x̂ and α. */
        private final double[] message = vector(features + 1);

        Program(NodeSetup setup, double[] weights) {
            super(setup);
            this.weights = weights;
            this.problem = setup.problem();
            message[features] = 1 / sigma;
        }

        /** α_i. */
        public double step() {
            return message[features];
        }

        @Override
        public Exchange advance() {
            samples.gradient(x, sigma, gradient);
            double value = value(x);
            double work = samples.count();
            boolean tooLong = true;
            for (; tooLong; work += samples.count()) {
                for (int c = 0; c < features; c++) {
                    move[c] = -step() * (gradient[c] + dual[c]);
                    ahead[c] = x[c] + move[c];
                }
                double allowed = Vectors.dot(gradient, move) + Vectors.dot(move, move) / (2 * step());
                tooLong = value(ahead) - value > allowed + ROUNDING * value;
                message[features] /= tooLong ? 2 : 1;
            }
            System.arraycopy(ahead, 0, message, 0, features);
            return around.round(exchange, message, work);
        }

        private double value(double[] at) {
            return problem.lossSum(at) + sigma / 2 * Vectors.dot(at, at);
        }

        @Override
        public void absorb(double[][] messages) {
            Arrays.fill(move, 0);
            for (int k = 0; k < weights.length; k++) {
                double weight = weights[k] / (2 * Math.max(step(), messages[k][features]));
                for (int c = 0; c < features; c++) {
                    move[c] += weight * (message[c] - messages[k][c]);
                }
            }
            for (int c = 0; c < features; c++) {
                x[c] = message[c] - step() * move[c];
                dual[c] += move[c];
            }
            steps++;
        }
    }
}
