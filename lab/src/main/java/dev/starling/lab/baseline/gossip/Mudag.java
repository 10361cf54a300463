package dev.starling.lab.baseline.gossip;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.FastMix;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import java.util.List;

/**
 * MUDAG (Ye, Luo, Zhou, Zhang, "Multi-consensus decentralized accelerated gradient descent", 2023): Nesterov's method
 * on the mean of the f_i, with enough gossip to keep the nodes close to what a single machine would do, so that only
 * the conditioning of the mean matters, not that of the worst node.
 *
 * <p>x' = FastMix(y − ηs), y' = x' + ((1−α)/(1+α))(x' − x), s' = FastMix(s + ∇f(y') − ∇f(y)), with s = ∇f(0) initially,
 * η = 1/L and α = √(μ/L) for L = mean of σ_i + M_i and μ = mean of σ_i.
 *
 * <p>The theorem requires FastMix to contract to a fraction ρ of the order of L/(M√κ), κ = L/μ, M = max_i(σ_i+M_i),
 * that is, a number K of rounds of the order of log(√κM/L)/√γ. The constant used here is 1/47: if X, Y and S are the
 * distances of x, y and s from their means, each times (1−α/2)^{−t/2}, and V is Nesterov's Lyapunov function scaled
 * likewise, then Y ≤ 10ρηS, S ≤ 4S₀ + 23ρM√(n/μ)√V and V ≤ max(V₀, 24M²Y²/(nμ)), which is V₀ up to what S₀ adds as soon
 * as (47ρM/L)²κ ≤ 1. The error then shrinks by a factor 1 − α/2 per iteration, at a cost of m_i + 2Kτ.
 */
public final class Mudag extends AveragingProgram {

    private static final double CONTRACTION = 1.0 / 47;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Mudag(setup, parameters));
    }

    /**
     * The parameters of MUDAG.
     *
     * @param stepSize η
     * @param momentum (1−α)/(1+α)
     * @param rate α/2, the fraction by which the error shrinks in an iteration
     */
    public record Parameters(FastMix gossip, double stepSize, double momentum, double rate) {

        public static Parameters of(Gossip graph, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.meanBatchSmoothness();
            double convexity = facts.meanSigma();
            double largest = facts.largestBatchSmoothness();
            double contraction = CONTRACTION * smoothness / largest * Math.sqrt(convexity / smoothness);
            double alpha = Math.min(1, Math.sqrt(stepFactor * convexity / smoothness));
            return new Parameters(
                    FastMix.of(graph, contraction), stepFactor / smoothness, (1 - alpha) / (1 + alpha), alpha / 2);
        }
    }

    private final Parameters parameters;
    private final double[] x = answer(vector(features));
    private final double[] y = vector(features);
    private final double[] tracker = vector(features);
    private final double[] lastGradient = vector(features);
    private final double[] gradient = new double[features];

    /** 1 while the gradients are averaged, 0 while the iterates are. */
    private final double[] tracking = vector(1);

    private Mudag(NodeSetup setup, Parameters parameters) {
        super(setup, parameters.gossip(), setup.problem().features());
        this.parameters = parameters;
    }

    @Override
    public Exchange work() {
        if (tracking[0] == 1) {
            track();
            return average(tracker, samples.count());
        }
        double work = 0;
        if (steps == 0) {
            track();
            work = samples.count();
        }
        for (int c = 0; c < features; c++) {
            y[c] -= parameters.stepSize() * tracker[c];
        }
        return average(y, work);
    }

    /** s += ∇f(y) − the previous gradient, which is initially 0. */
    private void track() {
        samples.gradient(y, sigma, gradient);
        for (int c = 0; c < features; c++) {
            tracker[c] += gradient[c] - lastGradient[c];
            lastGradient[c] = gradient[c];
        }
    }

    @Override
    public void averaged(double[] near) {
        if (tracking[0] == 1) {
            Vectors.copy(near, tracker);
            tracking[0] = 0;
            return;
        }
        for (int c = 0; c < features; c++) {
            y[c] = near[c] + parameters.momentum() * (near[c] - x[c]);
            x[c] = near[c];
        }
        tracking[0] = 1;
        steps++;
    }
}
