package dev.starling.lab.baseline.gossip;

import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * Decentralized ProxSkip, also known as Scaffnew (Mishchenko, Malinovsky, Stich, Richtárik, "ProxSkip: yes! Local
 * gradient steps provably lead to communication acceleration! Finally!", 2022): gradient descent at every node, with
 * communication only in a few steps, the same ones at all nodes, and a correction of each node's drift.
 *
 * <p>x̂ = x − γ(∇f(x) − h); with probability p, x⁺ = Wx̂ and h⁺ = h + (p/γ)(x⁺ − x̂), otherwise x⁺ = x̂ and h⁺ = h,
 * where W = I − L/λ_max. This is the paper's algorithm for a mixing matrix with its second step size at its largest,
 * p/γ.
 *
 * <p>With γ = 1/max_i(σ_i+M_i), ‖x − x*‖² + (γ/p)²‖h − h*‖² in the norm of (I−W)⁺ shrinks in expectation by a fraction
 * min(1/κ, p²γ_W) per step, γ_W = λ_min⁺/λ_max, so p = min(1, 1/√(κγ_W)) is the least frequent communication that does
 * not increase the number of steps: κ gradients and √(κ/γ_W) rounds for a factor e, as long as κγ_W ≥ 1. A step costs
 * m_i, and τ more if it communicates.
 */
public final class ProxSkip extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new ProxSkip(setup, parameters, on.seed()));
    }

    /**
     * The parameters of ProxSkip.
     *
     * @param stepSize γ
     * @param communicationProbability p
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param rate the fraction by which the squared error shrinks in a step
     */
    public record Parameters(double stepSize, double communicationProbability, double mixing, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.largestBatchSmoothness();
            double conditioning = smoothness / facts.smallestSigma();
            double probability = Math.min(1, 1 / Math.sqrt(conditioning * gossip.gap()));
            double rate = Math.min(1 / conditioning, probability * probability * gossip.gap());
            return new Parameters(stepFactor / smoothness, probability, 1 / gossip.largest(), rate);
        }
    }

    private final Parameters parameters;
    private final RestorableUniformRandomProvider shared;
    private final double[] x = answer(vector(features));
    private final double[] drift = vector(features);
    private final double[] gradient = new double[features];
    private final double[] laplacian = new double[features];
    private boolean communicating;

    private ProxSkip(NodeSetup setup, Parameters parameters, long seed) {
        super(setup);
        this.parameters = parameters;
        this.shared = stream(Streams.shared(seed));
    }

    @Override
    public Exchange advance() {
        samples.gradient(x, sigma, gradient);
        for (int c = 0; c < x.length; c++) {
            x[c] -= parameters.stepSize() * (gradient[c] - drift[c]);
        }
        communicating = WeightedDraw.toss(shared, parameters.communicationProbability());
        return communicating ? around.round(exchange, x, samples.count()) : exchange.pause(samples.count());
    }

    @Override
    public void absorb(double[][] messages) {
        steps++;
        if (!communicating) {
            return;
        }
        around.laplacian(x, messages, laplacian);
        double correction = parameters.communicationProbability() / parameters.stepSize();
        for (int c = 0; c < x.length; c++) {
            double change = -parameters.mixing() * laplacian[c];
            x[c] += change;
            drift[c] += correction * change;
        }
    }
}
