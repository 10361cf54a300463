package dev.starling.lab.baseline.gossip;

import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Chebyshev;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import java.util.List;

/**
 * OPAPC (Kovalev, Salim, Richtárik, "Optimal and practical algorithms for smooth and strongly convex decentralized
 * optimization", 2020, Algorithm 3): the accelerated proximal alternating predictor-corrector with Chebyshev gossip,
 * which is optimal among batch methods both in gradients and in rounds, and does not need ∇f_i*.
 *
 * <p>x_g = τx + (1−τ)x_f, G = ∇f(x_g) − μx_g; x_½ = (x − η(G + y))/(1+ημ); y += θP_K(L)x_½; x' = (x − η(G + y))/(1+ημ);
 * x_f = x_g + (2τ/(2−τ))(x' − x), with K = ⌈1/√γ⌉, κ = max_i(σ_i+M_i)/μ, μ = min_i σ_i, χ = λ_max/λ_min⁺ of P_K(L), τ =
 * min(1, ½√(χ/κ)), η = 1/(4τ max_i(σ_i+M_i)), θ = 1/(ηλ_max(P_K(L))). All vectors start at 0.
 *
 * <p>The squared error is divided by 1 + ¼min(1/√(κχ), 1/χ) in every iteration, at a cost of m_i + Kτ.
 */
public final class Opapc extends AveragingProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Opapc(setup, parameters));
    }

    /**
     * The parameters of OPAPC.
     *
     * @param gossip P_K
     * @param convexity μ
     * @param coupling τ
     * @param stepSize η
     * @param dualStepSize θ
     * @param rate the fraction by which the squared error shrinks in an iteration
     */
    public record Parameters(
            Chebyshev gossip, double convexity, double coupling, double stepSize, double dualStepSize, double rate) {

        public static Parameters of(Gossip graph, BaselineFacts facts, double stepFactor) {
            Chebyshev gossip = Chebyshev.of(graph, (int) Math.ceil(graph.roundsPerDigit()));
            double smoothness = facts.largestBatchSmoothness();
            double convexity = facts.smallestSigma();
            double conditioning = smoothness / convexity;
            double spread = gossip.largest() / gossip.smallest();
            double coupling = Math.min(1, Math.sqrt(spread / conditioning) / 2);
            double stepSize = stepFactor / (4 * coupling * smoothness);
            double shrinkage = Math.min(1 / Math.sqrt(conditioning * spread), 1 / spread) / 4;
            return new Parameters(
                    gossip,
                    convexity,
                    coupling,
                    stepSize,
                    1 / (stepSize * gossip.largest()),
                    shrinkage / (1 + shrinkage));
        }
    }

    private final Parameters parameters;
    private final double[] x = vector(features);
    private final double[] output = answer(vector(features));
    private final double[] y = vector(features);
    private final double[] middle = vector(features);
    private final double[] shifted = vector(features);
    private final double[] half = vector(features);

    private Opapc(NodeSetup setup, Parameters parameters) {
        super(setup, parameters.gossip(), setup.problem().features());
        this.parameters = parameters;
    }

    @Override
    public Exchange work() {
        double coupling = parameters.coupling();
        for (int c = 0; c < x.length; c++) {
            middle[c] = coupling * x[c] + (1 - coupling) * output[c];
        }
        samples.gradient(middle, sigma, shifted);
        for (int c = 0; c < x.length; c++) {
            shifted[c] -= parameters.convexity() * middle[c];
            half[c] = moved(c);
        }
        return average(half, samples.count());
    }

    private double moved(int c) {
        double stepSize = parameters.stepSize();
        return (x[c] - stepSize * (shifted[c] + y[c])) / (1 + stepSize * parameters.convexity());
    }

    @Override
    public void averaged(double[] near) {
        double extrapolation = 2 * parameters.coupling() / (2 - parameters.coupling());
        for (int c = 0; c < x.length; c++) {
            y[c] += parameters.dualStepSize() * (half[c] - near[c]);
            double next = moved(c);
            output[c] = middle[c] + extrapolation * (next - x[c]);
            x[c] = next;
        }
        steps++;
    }
}
