package dev.starling.lab.baseline.sparse;

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
 * DSBA, decentralized stochastic backward aggregation (Shen, Mokhtari, Zhou, Zhao, Qian, "Towards more efficient
 * stochastic decentralized learning: faster convergence and sparse communication", 2018): EXTRA's recursion with SAGA's
 * gradients, each taken at the new point, by a proximal step on one random sample.
 *
 * <p>With B_j(z) = m ℓ'(x_jᵀz)x_j, a table φ_j of their last values, W = I − (0.9/λ_max)L and W̃ = (I+W)/2, z^{t+1}
 * solves (1+ασ)z + αB_j(z) = ψ, where ψ = Wz⁰ + α(φ_j − mean φ) in the first step, then ψ = W̃(2z^t − z^{t−1}) + α(φ_j
 * + (1−1/m)δ + σz^t); δ = B_j(z^{t+1}) − φ_j, φ_j = B_j(z^{t+1}). The regulariser stays out of the table, so that a
 * scalar per sample is enough.
 *
 * <p>Its paper proves convergence for α = 1/(24L); the authors of ADFS ran it with α = 1/(4L), the largest that was
 * stable, and so does this class, with L = max_ij m_iL_ij. The number of steps per digit is of the order of m + κ +
 * 1/γ, κ = L/σ; a step costs 1 + τ, and m_i once for the first table.
 */
public final class Dsba extends GossipProgram {

    private static final double MIXING = 0.9;
    private static final double STEP_DIVISOR = 4;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new Dsba(setup, parameters, on.seed()));
    }

    /**
     * The parameters of DSBA.
     *
     * @param stepSize α
     * @param mixing 0.9/λ_max, so that W = I − mixing·L
     * @param rate 1/(m + κ + 1/γ), the order of its theoretical rate
     */
    public record Parameters(double stepSize, double mixing, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.largestScaledSmoothness();
            double rate = 1 / (facts.mostSamples() + smoothness / facts.smallestSigma() + 1 / gossip.gap());
            // If all rows are zero, only the regulariser is left, for which any step size works.
            double stepSize = stepFactor / (STEP_DIVISOR * Math.max(smoothness, facts.smallestSigma()));
            return new Parameters(stepSize, MIXING / gossip.largest(), rate);
        }
    }

    private final Parameters parameters;
    private final RestorableUniformRandomProvider own;
    private final double[] z = answer(vector(features));
    private final double[] lookahead = vector(features);
    private final double[] slopes = vector(samples.count());
    private final double[] change = vector(2);
    private final double[] laplacian = new double[features];
    private final double[] psi = new double[features];

    private Dsba(NodeSetup setup, Parameters parameters, long seed) {
        super(setup);
        this.parameters = parameters;
        this.own = stream(Streams.own(seed, setup.node()));
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = samples.slope(j, 0);
        }
    }

    @Override
    public Exchange advance() {
        return around.round(exchange, lookahead, steps == 0 ? samples.count() : 1);
    }

    @Override
    public void absorb(double[][] messages) {
        around.laplacian(lookahead, messages, laplacian);
        int sample = WeightedDraw.uniform(own, samples.count());
        if (steps == 0) {
            firstTarget();
        } else {
            target();
        }
        samples.add(sample, parameters.stepSize() * samples.count() * slopes[sample], psi);
        resolve(sample);
        steps++;
    }

    private void firstTarget() {
        for (int c = 0; c < psi.length; c++) {
            psi[c] = lookahead[c] - parameters.mixing() * laplacian[c];
        }
        for (int j = 0; j < slopes.length; j++) {
            samples.add(j, -parameters.stepSize() * slopes[j], psi);
        }
    }

    /** δ is stored as the index of its sample and the change of that sample's slope. */
    private void target() {
        double step = parameters.stepSize();
        for (int c = 0; c < psi.length; c++) {
            psi[c] = lookahead[c] - parameters.mixing() / 2 * laplacian[c] + step * sigma * z[c];
        }
        samples.add((int) change[0], step * (samples.count() - 1) * change[1], psi);
    }

    /** z = (ψ − αm·s·x)/(1+ασ), where s is the slope at the margin xᵀz. */
    private void resolve(int sample) {
        double shrink = 1 / (1 + parameters.stepSize() * sigma);
        double scale = parameters.stepSize() * samples.count() * shrink;
        double weight = samples.weight(sample);
        double point = samples.dot(sample, psi) * shrink;
        double step = scale * weight * samples.squaredNorm(sample);
        double slope = weight * samples.loss().proxSlope(point, step, samples.label(sample), point);
        for (int c = 0; c < z.length; c++) {
            double old = z[c];
            z[c] = shrink * psi[c];
            lookahead[c] = 2 * z[c] - old;
        }
        samples.add(sample, -scale * slope, z);
        samples.add(sample, -2 * scale * slope, lookahead);
        change[0] = sample;
        change[1] = slope - slopes[sample];
        slopes[sample] = slope;
    }
}
