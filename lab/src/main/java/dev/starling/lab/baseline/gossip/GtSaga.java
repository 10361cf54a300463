package dev.starling.lab.baseline.gossip;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * GT-SAGA (Xin, Khan, Kar, "Variance-reduced decentralized stochastic optimization with accelerated convergence", 2020,
 * Algorithm 1): gradient tracking with SAGA's gradient estimates.
 *
 * <p>x^{k+1} = Wx^k − αy^k; g^{k+1} = m(ℓ'(x_jᵀx^{k+1}) − s_j)x_j + Σ_l s_l x_l + σx^{k+1} for a uniform sample j,
 * whose scalar s_j in the table is then updated; y^{k+1} = Wy^k + g^{k+1} − g^k, with W = I − L/λ_max. The regulariser
 * is handled exactly, so that one scalar per sample is enough.
 *
 * <p>Its theorem is for step sizes that shrink with the square of the condition number. This class uses SAGA's own α =
 * 1/(3L), L = max_ij m_iL_ij + σ_i, for which it claims no theorem. A step costs 1 + τ, and m_i once for the first
 * table.
 */
public final class GtSaga extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new GtSaga(setup, parameters, on.seed()));
    }

    /**
     * The parameters of GT-SAGA.
     *
     * @param stepSize α
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param rate the order of its rate: min(1/(4M), αμ/4)
     */
    public record Parameters(double stepSize, double mixing, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts, double stepFactor) {
            double stepSize = stepFactor / (3 * smoothness(facts));
            double rate = Math.min(1 / (4 * facts.mostSamples()), stepSize * facts.meanSigma() / 4);
            return new Parameters(stepSize, 1 / gossip.largest(), rate);
        }

        private static double smoothness(BaselineFacts facts) {
            double largest = 0;
            for (int i = 0; i < facts.nodes().size(); i++) {
                Conditioning node = facts.nodes().get(i);
                largest = Math.max(largest, (double) node.samples() * facts.largestSmoothness()[i] + node.sigma());
            }
            return largest;
        }
    }

    private final Parameters parameters;
    private final RestorableUniformRandomProvider own;
    private final double[] position = vector(2 * features);
    private final double[] slopes = vector(samples.count());
    private final double[] slopeSum = vector(features);
    private final double[] gradient = vector(features);
    private final double[] x = new double[features];
    private final double[] laplacian = new double[2 * features];

    private GtSaga(NodeSetup setup, Parameters parameters, long seed) {
        super(setup);
        this.parameters = parameters;
        this.own = stream(Streams.own(seed, setup.node()));
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = samples.slope(j, 0);
            samples.add(j, slopes[j], slopeSum);
        }
        Vectors.copy(slopeSum, gradient);
        System.arraycopy(gradient, 0, position, features, features);
    }

    /** Sends x and y together in one vector. */
    @Override
    public Exchange advance() {
        return around.round(exchange, position, steps == 0 ? samples.count() : 1);
    }

    @Override
    public void absorb(double[][] messages) {
        around.laplacian(position, messages, laplacian);
        for (int c = 0; c < features; c++) {
            x[c] = position[c] - parameters.mixing() * laplacian[c] - parameters.stepSize() * position[features + c];
            position[c] = x[c];
        }
        int sample = WeightedDraw.uniform(own, samples.count());
        double slope = samples.slope(sample, samples.dot(sample, x));
        double change = slope - slopes[sample];
        slopes[sample] = slope;
        for (int c = 0; c < features; c++) {
            int at = features + c;
            double estimate = slopeSum[c] + sigma * x[c];
            position[at] += estimate - gradient[c] - parameters.mixing() * laplacian[at];
            gradient[c] = estimate;
        }
        addToTracker(sample, samples.count() * change);
        samples.add(sample, samples.count() * change, gradient);
        samples.add(sample, change, slopeSum);
        steps++;
    }

    private void addToTracker(int sample, double scale) {
        System.arraycopy(position, features, x, 0, features);
        samples.add(sample, scale, x);
        System.arraycopy(x, 0, position, features, features);
    }

    @Override
    public void estimate(double[] theta) {
        System.arraycopy(position, 0, theta, 0, features);
    }
}
