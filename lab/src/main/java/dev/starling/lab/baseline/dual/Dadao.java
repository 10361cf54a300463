package dev.starling.lab.baseline.dual;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.conversation.EffectiveResistance;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * DADAO (Nabli, Oyallon, "DADAO: decoupled accelerated decentralized asynchronous optimization", 2023): gradients and
 * gossip happen at the times of independent Poisson processes, and momentum acts continuously between them, so that no
 * node ever waits for any but the one it communicates with.
 *
 * <p>Between events, x' = η(x̃−x), x̃' = η(x−x̃), y' = α(ỹ−y), ỹ' = −θ(y+z+νx̃), z' = α(z̃−z), z̃' = α̃(z−z̃), which a
 * matrix exponential solves exactly. A node takes a gradient at rate 1: with g = ∇f_i(x) − νx − ỹ, x −= γg, x̃ −= γ̃g,
 * ỹ += (δ+δ̃)g. Edge (k,l) is used at rate λ_kl: with h = y_k + z_k − y_l − z_l, z_k −= βh, z̃_k −= β̃h, and with
 * opposite signs at l.
 *
 * <p>The constants are those of the authors' own program. With ℓ = max_i(σ_i+M_i), ν = min_i σ_i/2 and q = √(ν/ℓ): α =
 * δ = q/4, α̃ = η = q/8, θ = 1/(2q), β = 1/2, β̃ = 2χ₁/q, δ̃ = 1, γ = 1/(4ℓ), γ̃ = 1/(4ℓq). The λ_kl are the weights
 * μ_kl² times the factor that makes 2χ₁χ₂ = 1, the least that the theorem allows, where χ₁ is 1/λ_min⁺ of their
 * Laplacian and χ₂ is half of the largest effective resistance of an edge. The expected squared error shrinks by a
 * factor e^(−q/8) in a unit of the processes' time. A gradient costs m_i, and using an edge costs τ at its ends.
 */
public final class Dadao extends BaselineProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        BaselineFacts facts = on.facts();
        Parameters parameters = Parameters.of(on.network(), on.gossip(), facts);
        WeightedDraw events = parameters.events(on.network());
        return on.nodes(setup -> new Dadao(setup.node(), setup.problem(), on.network(), parameters, events, on.seed()));
    }

    /**
     * The parameters of DADAO.
     *
     * @param root q = √(ν/ℓ)
     * @param smoothness ℓ
     * @param nu ν
     * @param edgeRate λ_kl/μ_kl²
     * @param connectivity χ₁ of the λ_kl
     * @param intensity number of events per unit of time, over all nodes and edges
     */
    public record Parameters(
            double root, double smoothness, double nu, double edgeRate, double connectivity, double intensity) {

        public static Parameters of(Network network, Gossip gossip, BaselineFacts facts) {
            double smoothness = facts.largestBatchSmoothness();
            double nu = facts.smallestSigma() / 2;
            double resistance = 0;
            double weights = 0;
            double[] shares = EffectiveResistance.of(network);
            for (int e = 0; e < shares.length; e++) {
                resistance = Math.max(resistance, shares[e] / network.weight(e));
                weights += network.weight(e);
            }
            double edgeRate = Math.sqrt(resistance / gossip.smallest());
            double connectivity = network.edges() == 0 ? 0 : 1 / (gossip.smallest() * edgeRate);
            return new Parameters(
                    Math.sqrt(nu / smoothness),
                    smoothness,
                    nu,
                    edgeRate,
                    connectivity,
                    network.size() + edgeRate * weights);
        }

        /** The fraction by which the expected squared error shrinks from one event to the next. */
        public double rate() {
            return root / (8 * intensity);
        }

        /** Draws a node, for a gradient, or an edge: numbers from n on are edges. */
        public WeightedDraw events(Network network) {
            double[] rates = new double[network.size() + network.edges()];
            for (int k = 0; k < rates.length; k++) {
                rates[k] = k < network.size() ? 1 : edgeRate * network.weight(k - network.size());
            }
            return new WeightedDraw(rates);
        }

        /** The matrix of the flow between events; rows and columns are x, x̃, y, ỹ, z, z̃. */
        public double[][] flow() {
            double eta = root / 8;
            double alpha = root / 4;
            double alphaTilde = root / 8;
            double theta = 1 / (2 * root);
            return new double[][] {
                {-eta, eta, 0, 0, 0, 0},
                {eta, -eta, 0, 0, 0, 0},
                {0, 0, -alpha, alpha, 0, 0},
                {0, -theta * nu, -theta, 0, -theta, 0},
                {0, 0, 0, 0, -alpha, alpha},
                {0, 0, 0, 0, alphaTilde, -alphaTilde},
            };
        }
    }

    private static final int X = 0;
    private static final int X_TILDE = 1;
    private static final int Y = 2;
    private static final int Y_TILDE = 3;
    private static final int Z = 4;
    private static final int Z_TILDE = 5;

    private final int node;
    private final Network network;
    private final Samples samples;
    private final double sigma;
    private final Parameters parameters;
    private final WeightedDraw events;
    private final RestorableUniformRandomProvider shared;
    private final double[][] flow;
    private final double[][] state = new double[6][];

    /** The processes' time since the state was last brought up to date. */
    private final double[] elapsed = vector(1);

    private final int[] partner = new int[1];
    private final double[] gradient;
    private final double[] message;

    private Dadao(
            int node, LocalProblem problem, Network network, Parameters parameters, WeightedDraw events, long seed) {
        super(node, problem);
        int d = problem.features();
        this.node = node;
        this.network = network;
        this.samples = Samples.of(problem);
        this.sigma = problem.sigma();
        this.parameters = parameters;
        this.events = events;
        this.shared = stream(Streams.shared(seed));
        this.flow = parameters.flow();
        for (int k = 0; k < state.length; k++) {
            state[k] = vector(d);
        }
        this.gradient = new double[d];
        this.message = new double[d];
    }

    /** Skips through the events of the whole network to the next one that involves this node. */
    @Override
    public Exchange advance() {
        int event;
        do {
            event = nextEvent();
        } while (event != node && !isAt(event - network.size()));
        bringUpToDate();
        if (event == node) {
            gradientStep();
            return exchange.pause(samples.count());
        }
        for (int c = 0; c < message.length; c++) {
            message[c] = state[Y][c] + state[Z][c];
        }
        return exchange.set(Exchange.Kind.ROUND, partner, message, message.length, partner, 0);
    }

    /** Times between the events of independent Poisson processes are exponential. */
    private int nextEvent() {
        double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
        elapsed[0] -= StrictMath.log(uniform) / parameters.intensity();
        steps++;
        return events.draw(shared);
    }

    private boolean isAt(int edge) {
        if (edge < 0) {
            return false;
        }
        boolean tail = network.tail(edge) == node;
        if (!tail && network.head(edge) != node) {
            return false;
        }
        partner[0] = tail ? network.head(edge) : network.tail(edge);
        return true;
    }

    private void bringUpToDate() {
        double[][] transition = MatrixExponential.of(flow, elapsed[0]);
        double[] before = new double[state.length];
        for (int c = 0; c < message.length; c++) {
            for (int k = 0; k < before.length; k++) {
                before[k] = state[k][c];
            }
            for (int k = 0; k < before.length; k++) {
                state[k][c] = Vectors.dot(transition[k], before);
            }
        }
        elapsed[0] = 0;
    }

    private void gradientStep() {
        samples.gradient(state[X], sigma, gradient);
        double step = 1 / (4 * parameters.smoothness());
        double tildeStep = step / parameters.root();
        double dualStep = parameters.root() / 4 + 1;
        for (int c = 0; c < gradient.length; c++) {
            double slope = gradient[c] - parameters.nu() * state[X][c] - state[Y_TILDE][c];
            state[X][c] -= step * slope;
            state[X_TILDE][c] -= tildeStep * slope;
            state[Y_TILDE][c] += dualStep * slope;
        }
    }

    @Override
    public void absorb(double[][] messages) {
        if (messages.length == 0) {
            return;
        }
        double tildeStep = 2 * parameters.connectivity() / parameters.root();
        for (int c = 0; c < message.length; c++) {
            double difference = message[c] - messages[0][c];
            state[Z][c] -= difference / 2;
            state[Z_TILDE][c] -= tildeStep * difference;
        }
    }

    @Override
    public void estimate(double[] theta) {
        Vectors.copy(state[X], theta);
    }
}
