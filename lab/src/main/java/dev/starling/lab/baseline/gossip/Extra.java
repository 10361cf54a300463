package dev.starling.lab.baseline.gossip;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import java.util.List;

/**
 * EXTRA (Shi, Ling, Wu, Yin, "EXTRA: an exact first-order algorithm for decentralized consensus optimization", 2015):
 * decentralized gradient descent that corrects its own error using the last two iterates.
 *
 * <p>x¹ = Wx⁰ − α∇f(x⁰), x^{k+2} = W̃(2x^{k+1} − x^k) − α(∇f(x^{k+1}) − ∇f(x^k)) with W = I − L/λ_max and W̃ = (I+W)/2.
 * Its Theorem 3.3 proves convergence for every α &lt; 2λ_min(W̃)/max_i(σ_i+M_i), here 1/max_i(σ_i+M_i); this class uses
 * half of that. The number of iterations per digit is of the order of κ + 1/γ (Li, Lin, "Revisiting EXTRA for smooth
 * distributed optimization", 2020). An iteration costs m_i + τ.
 */
public final class Extra extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Extra(setup, parameters));
    }

    /**
     * The parameters of EXTRA.
     *
     * @param stepSize α
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param rate 1/(κ + 1/γ), the order of its theoretical rate
     */
    public record Parameters(double stepSize, double mixing, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.largestBatchSmoothness();
            double rate = 1 / (smoothness / facts.smallestSigma() + 1 / gossip.gap());
            return new Parameters(0.5 * stepFactor / smoothness, 1 / gossip.largest(), rate);
        }
    }

    private final Parameters parameters;
    private final double[] x = answer(vector(features));
    private final double[] lookahead = vector(features);
    private final double[] gradient = new double[features];
    private final double[] lastGradient = vector(features);
    private final double[] laplacian = new double[features];

    private Extra(NodeSetup setup, Parameters parameters) {
        super(setup);
        this.parameters = parameters;
    }

    @Override
    public Exchange advance() {
        samples.gradient(x, sigma, gradient);
        return around.round(exchange, lookahead, samples.count());
    }

    /** lookahead is x⁰ in the first round, then 2x^{k+1} − x^k; lastGradient is zero in the first. */
    @Override
    public void absorb(double[][] messages) {
        around.laplacian(lookahead, messages, laplacian);
        double mixing = steps == 0 ? parameters.mixing() : parameters.mixing() / 2;
        for (int c = 0; c < x.length; c++) {
            double next =
                    lookahead[c] - mixing * laplacian[c] - parameters.stepSize() * (gradient[c] - lastGradient[c]);
            lookahead[c] = 2 * next - x[c];
            x[c] = next;
        }
        Vectors.copy(gradient, lastGradient);
        steps++;
    }
}
