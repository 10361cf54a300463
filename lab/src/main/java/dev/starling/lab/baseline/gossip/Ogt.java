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
 * OGT (Song, Shi, Pu, Yan, "Optimal gradient tracking for decentralized optimization", 2024): accelerated gradient
 * tracking that updates its gradients only now and then instead of gossiping several rounds for each, with a Chebyshev
 * acceleration of the gossip that needs no inner loop either.
 *
 * <p>x = (½−α)y + αz + ½u; (1+β)z̃' = W̃(z̃ + βx − η(ζ(∇f(x) − ∇f(q)) + g)); y' = x + γ(z' − z); ũ' = W̃(x or ũ), q' =
 * x or q, depending on the coin ξ; g̃' = W̃g̃ + ∇f(q') − ∇f(q). A tilde marks a vector stacked on that of the previous
 * round, and W̃ = ((1+η̃)W, −η̃I; I, 0) with W = I − L/λ_max and η̃ = 1/(1+√(1−(1−γ_L)²)), γ_L the graph's eigengap. ξ
 * is 1 with probability p, and ζ is 1/p with probability p and otherwise 0, the same at all nodes. All vectors start at
 * 0, except g̃, which starts at ∇f(0).
 *
 * <p>In the paper α and γ are of the order of 1/√κ, p is of the order of θ̃ = 1 − √η̃ and η of the order of θ̃/√(μM),
 * with μ = min_i σ_i and M = max_i(σ_i+M_i). The constants here are those for which the proof for the mean of all nodes
 * goes through, with twice the smoothness and half the convexity, because gradients are taken at different points: α =
 * √(μ/8M), γ = 2α(1+α), p = θ̃, η = p/(2γM), β = μη/2. It is not proven that disagreement stays small enough with p
 * equal to θ̃, but it does even for nodes with very different samples. The expected error then shrinks by the fraction
 * min(pα/(1+2α), β/(1+β)) per round; a round costs τ, and m_i more whenever one of the two coins comes up.
 */
public final class Ogt extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Ogt(setup, parameters, on.seed()));
    }

    /**
     * The parameters of OGT.
     *
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param inertia η̃
     * @param probability p
     * @param coupling α
     * @param momentum γ
     * @param stepSize η
     * @param pull β
     * @param rate the fraction by which the expected error shrinks in a step
     */
    public record Parameters(
            double mixing,
            double inertia,
            double probability,
            double coupling,
            double momentum,
            double stepSize,
            double pull,
            double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double second = 1 - gossip.gap();
            double inertia = 1 / (1 + Math.sqrt(1 - second * second));
            double probability = 1 - Math.sqrt(inertia);
            double smoothness = facts.largestBatchSmoothness();
            double convexity = facts.smallestSigma();
            double coupling = Math.sqrt(convexity / (8 * smoothness));
            double momentum = 2 * coupling * (1 + coupling);
            double stepSize = stepFactor * probability / (2 * momentum * smoothness);
            double pull = convexity * stepSize / 2;
            double rate = Math.min(probability * coupling / (1 + 2 * coupling), pull / (1 + pull));
            return new Parameters(1 / gossip.largest(), inertia, probability, coupling, momentum, stepSize, pull, rate);
        }
    }

    private final Parameters parameters;
    private final RestorableUniformRandomProvider shared;
    private final double[] y = answer(vector(features));
    private final double[] snapshotGradient = vector(features);

    /** z, u and g in one vector, in the current and in the previous round. */
    private final double[] current = vector(3 * features);

    private final double[] previous = vector(3 * features);
    private final double[] sent = new double[3 * features];
    private final double[] laplacian = new double[3 * features];
    private final double[] x = new double[features];
    private final double[] gradient = new double[features];
    private boolean updating;

    private Ogt(NodeSetup setup, Parameters parameters, long seed) {
        super(setup);
        this.parameters = parameters;
        this.shared = stream(Streams.shared(seed));
        samples.gradient(y, sigma, snapshotGradient);
        System.arraycopy(snapshotGradient, 0, current, 2 * features, features);
        System.arraycopy(snapshotGradient, 0, previous, 2 * features, features);
    }

    @Override
    public Exchange advance() {
        double coupling = parameters.coupling();
        for (int c = 0; c < features; c++) {
            x[c] = (0.5 - coupling) * y[c] + coupling * current[c] + 0.5 * current[features + c];
        }
        boolean correcting = WeightedDraw.toss(shared, parameters.probability());
        updating = WeightedDraw.toss(shared, parameters.probability());
        double work = steps == 0 ? samples.count() : 0;
        if (correcting || updating) {
            samples.gradient(x, sigma, gradient);
            work += samples.count();
        }
        for (int c = 0; c < features; c++) {
            double direction = current[2 * features + c]
                    + (correcting ? (gradient[c] - snapshotGradient[c]) / parameters.probability() : 0);
            double move = parameters.pull() * x[c] - parameters.stepSize() * direction;
            sent[c] = current[c] + move;
            previous[c] += move;
            sent[features + c] = updating ? x[c] : current[features + c];
            previous[features + c] = updating ? x[c] : previous[features + c];
            sent[2 * features + c] = current[2 * features + c];
        }
        return around.round(exchange, sent, work);
    }

    @Override
    public void absorb(double[][] messages) {
        around.laplacian(sent, messages, laplacian);
        double inertia = parameters.inertia();
        double shrink = 1 / (1 + parameters.pull());
        for (int c = 0; c < sent.length; c++) {
            double mixed = sent[c] - parameters.mixing() * laplacian[c];
            laplacian[c] = (1 + inertia) * mixed - inertia * previous[c];
        }
        for (int c = 0; c < features; c++) {
            double next = shrink * laplacian[c];
            y[c] = x[c] + parameters.momentum() * (next - current[c]);
            current[c] = next;
            previous[c] = shrink * sent[c];
            current[features + c] = laplacian[features + c];
            previous[features + c] = sent[features + c];
            double change = updating ? gradient[c] - snapshotGradient[c] : 0;
            current[2 * features + c] = laplacian[2 * features + c] + change;
            previous[2 * features + c] = sent[2 * features + c] + change;
            snapshotGradient[c] += change;
        }
        steps++;
    }
}
