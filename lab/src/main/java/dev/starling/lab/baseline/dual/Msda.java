package dev.starling.lab.baseline.dual;

import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Chebyshev;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import java.util.List;

/**
 * MSDA, multi-step dual accelerated gradient (Scaman, Bach, Bubeck, Lee, Massoulié, "Optimal algorithms for smooth and
 * strongly convex distributed optimization in networks", 2017, Algorithm 2): Nesterov's method on the dual, with
 * Chebyshev gossip.
 *
 * <p>θ_i = ∇f_i*(x_i); y' = x − ηP_K(L)θ; x = (1+μ)y' − μy, with K = ⌊1/√γ⌋, η = α(1+c₁^{2K})/(1+c₁^K)², μ =
 * ((1+c₁^K)√κ − 1 + c₁^K)/((1+c₁^K)√κ + 1 − c₁^K), where f_i is at least α-strongly convex and κ = max_i(σ_i+M_i)/α. An
 * iteration costs m_i + Kτ, and the squared error shrinks by a factor 1 − (1−c₁^K)/((1+c₁^K)√κ).
 */
public final class Msda extends AveragingProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        return programs(on, DualGradient.ACCURACY);
    }

    /** MSDA whose inner problems are solved to a given relative accuracy. */
    public static List<? extends EstimatingProgram> programs(Setting on, double accuracy) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Msda(setup, parameters, accuracy));
    }

    /**
     * The parameters of MSDA.
     *
     * @param gossip P_K
     * @param stepSize η
     * @param momentum μ
     * @param rate the fraction by which the squared error shrinks in an iteration
     */
    public record Parameters(Chebyshev gossip, double stepSize, double momentum, double rate) {

        public static Parameters of(Gossip graph, BaselineFacts facts, double stepFactor) {
            Chebyshev gossip = Chebyshev.of(graph, (int) Math.max(1, Math.floor(graph.roundsPerDigit())));
            double convexity = facts.smallestSigma();
            // η = α/λ_max(P_K) and μ = (√κ' − 1)/(√κ' + 1) with κ' = κ·λ_max(P_K)/λ_min⁺(P_K): the same numbers.
            double conditioning = facts.largestBatchSmoothness() / convexity * (gossip.largest() / gossip.smallest());
            double root = Math.sqrt(conditioning);
            return new Parameters(gossip, stepFactor * convexity / gossip.largest(), (root - 1) / (root + 1), 1 / root);
        }
    }

    private final Parameters parameters;
    private final DualGradient dualGradient;
    private final double[] theta = answer(vector(features));
    private final double[] x = vector(features);
    private final double[] y = vector(features);

    private Msda(NodeSetup setup, Parameters parameters, double accuracy) {
        super(setup, parameters.gossip(), setup.problem().features());
        this.parameters = parameters;
        this.dualGradient = new DualGradient(this, samples, sigma, accuracy);
    }

    @Override
    public Exchange work() {
        dualGradient.solve(x, theta);
        return average(theta, samples.count());
    }

    @Override
    public void averaged(double[] near) {
        double momentum = parameters.momentum();
        for (int c = 0; c < x.length; c++) {
            double next = x[c] - parameters.stepSize() * (theta[c] - near[c]);
            x[c] = (1 + momentum) * next - momentum * y[c];
            y[c] = next;
        }
        steps++;
    }
}
