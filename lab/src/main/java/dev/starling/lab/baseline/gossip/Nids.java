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
 * NIDS (Li, Shi, Yan, "A decentralized proximal-gradient method with network independent step-sizes and separated
 * convergence rates", 2019), without its non-smooth part: like EXTRA, but gradients are mixed too, so that every node
 * can use the step size of plain gradient descent on its own function, whatever the graph.
 *
 * <p>x¹ = x⁰ − Λ∇f(x⁰), x^{k+1} = (I − cΛ(I−W))(2x^k − x^{k−1} − Λ(∇f(x^k) − ∇f(x^{k−1}))), Λ = diag(α_i), α_i =
 * 1/(σ_i+M_i) (the paper allows α_i below twice that), W = I − 2L/λ_max and c = 1/(2 max α_i), the paper's choice. The
 * squared error shrinks by the fraction min(min_i α_iσ_i, γ·min α/max α) per iteration, at a cost of m_i + τ.
 */
public final class Nids extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Nids(setup, parameters));
    }

    /**
     * The parameters of NIDS.
     *
     * @param stepSizes α_i
     * @param mixings α_i/(λ_max max α), so that row i of the mixing matrix is that of I − mixing·L
     * @param rate the fraction by which the squared error shrinks in an iteration
     */
    public record Parameters(double[] stepSizes, double[] mixings, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double[] stepSizes = facts.batchSmoothness();
            double largest = 0;
            double smallest = Double.POSITIVE_INFINITY;
            double rate = Double.POSITIVE_INFINITY;
            for (int i = 0; i < stepSizes.length; i++) {
                stepSizes[i] = stepFactor / stepSizes[i];
                largest = Math.max(largest, stepSizes[i]);
                smallest = Math.min(smallest, stepSizes[i]);
                rate = Math.min(rate, stepSizes[i] * facts.nodes().get(i).sigma());
            }
            double[] mixings = stepSizes.clone();
            for (int i = 0; i < mixings.length; i++) {
                mixings[i] /= largest * gossip.largest();
            }
            return new Parameters(stepSizes, mixings, Math.min(rate, gossip.gap() * smallest / largest));
        }
    }

    private final double stepSize;
    private final double mixing;
    private final double[] x = answer(vector(features));
    private final double[] lastX = vector(features);
    private final double[] lastGradient = vector(features);
    private final double[] gradient = new double[features];
    private final double[] lookahead = new double[features];
    private final double[] laplacian = new double[features];

    private Nids(NodeSetup setup, Parameters parameters) {
        super(setup);
        this.stepSize = parameters.stepSizes()[setup.node()];
        this.mixing = parameters.mixings()[setup.node()];
    }

    @Override
    public Exchange advance() {
        double work = samples.count();
        if (steps == 0) {
            samples.gradient(x, sigma, lastGradient);
            for (int c = 0; c < x.length; c++) {
                x[c] = lastX[c] - stepSize * lastGradient[c];
            }
            work += samples.count();
        }
        samples.gradient(x, sigma, gradient);
        for (int c = 0; c < x.length; c++) {
            lookahead[c] = 2 * x[c] - lastX[c] - stepSize * (gradient[c] - lastGradient[c]);
        }
        return around.round(exchange, lookahead, work);
    }

    @Override
    public void absorb(double[][] messages) {
        around.laplacian(lookahead, messages, laplacian);
        Vectors.copy(x, lastX);
        Vectors.copy(gradient, lastGradient);
        for (int c = 0; c < x.length; c++) {
            x[c] = lookahead[c] - mixing * laplacian[c];
        }
        steps++;
    }
}
