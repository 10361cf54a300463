package dev.starling.lab.baseline.dual;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.lab.conversation.EffectiveResistance;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * ESDACD, edge synchronous dual accelerated coordinate descent (Hendrikx, Bach, Massoulié, "Accelerated decentralized
 * optimization with local updates for smooth and strongly convex objectives", 2019): one random edge (k,l) at a time,
 * whose ends compute θ = ∇f*(y) and exchange it, while all other nodes carry on.
 *
 * <p>h = −(η/p_kl)μ_kl²(θ_k − θ_l); v_k += h, v_l −= h; x changes by ρR_kl/p_kl times the same, with σ_A =
 * λ_min⁺(AᵀD⁻¹A), D_i = σ_i + M_i, ρ = min_kl p_kl √(σ_A/(μ_kl²R_kl(1/σ_k+1/σ_l))), η = ρ/σ_A, and R_kl the effective
 * resistance. The p_kl that maximise ρ are proportional to the inverse of that root. y is stored as f·u + z with f =
 * ((1−ρ)/(1+ρ))^(t+1), so that a node that is not on the edge has nothing to do. The expected squared error shrinks by
 * a factor 1 − ρ per step; a step takes m + τ at the two ends of its edge.
 */
public final class Esdacd extends BaselineProgram {

    private static final double FOLD_BELOW = 0x1p-300;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        return programs(on, DualGradient.ACCURACY);
    }

    /** ESDACD whose inner problems are solved to a given relative accuracy. */
    public static List<? extends EstimatingProgram> programs(Setting on, double accuracy) {
        Parameters parameters = Parameters.of(on.network(), on.facts());
        return on.nodes(
                setup -> new Esdacd(setup.node(), setup.problem(), on.network(), parameters, on.seed(), accuracy));
    }

    /**
     * The parameters of ESDACD.
     *
     * @param probabilities p_kl, one per edge
     * @param resistances R_kl = μ_kl² × effective resistance, one per edge
     * @param rate ρ
     * @param stepSize η
     */
    public record Parameters(double[] probabilities, double[] resistances, double rate, double stepSize) {

        public static Parameters of(Network network, BaselineFacts facts) {
            double[] resistances = EffectiveResistance.of(network);
            double[] probabilities = new double[network.edges()];
            double[] sigmas = facts.sigmas();
            double sum = 0;
            for (int e = 0; e < probabilities.length; e++) {
                double inverse = 1 / sigmas[network.tail(e)] + 1 / sigmas[network.head(e)];
                probabilities[e] = Math.sqrt(network.weight(e) * resistances[e] * inverse);
                sum += probabilities[e];
            }
            for (int e = 0; e < probabilities.length; e++) {
                probabilities[e] /= sum;
            }
            if (network.size() == 1) {
                return new Parameters(probabilities, resistances, 1, 1);
            }
            double convexity = Spectrum.smallest(network, facts.batchSmoothness());
            double rate = Math.sqrt(convexity) / sum;
            return new Parameters(probabilities, resistances, rate, rate / convexity);
        }
    }

    private final int node;
    private final Network network;
    private final Parameters parameters;
    private final DualGradient dualGradient;
    private final WeightedDraw edges;
    private final RestorableUniformRandomProvider shared;
    private final double decay;
    private final int work;
    private final int[] partner = new int[1];
    private final double[] factor = vector(1);
    private final double[] u;
    private final double[] z;
    private final double[] y;
    private final double[] theta;
    private int edge;

    private Esdacd(int node, LocalProblem problem, Network network, Parameters parameters, long seed, double accuracy) {
        super(node, problem);
        int d = problem.features();
        this.node = node;
        this.network = network;
        this.parameters = parameters;
        this.dualGradient = new DualGradient(this, Samples.of(problem), problem.sigma(), accuracy);
        this.edges = new WeightedDraw(parameters.probabilities());
        this.shared = stream(Streams.shared(seed));
        this.decay = (1 - parameters.rate()) / (1 + parameters.rate());
        this.work = problem.samples();
        this.u = vector(d);
        this.z = vector(d);
        this.theta = vector(d);
        this.y = new double[d];
        factor[0] = 1;
    }

    @Override
    public Exchange advance() {
        if (network.size() == 1) {
            dualGradient.solve(z, theta);
            return exchange.pause(work);
        }
        do {
            edge = edges.draw(shared);
            steps++;
            nextFactor();
        } while (network.tail(edge) != node && network.head(edge) != node);
        partner[0] = network.tail(edge) + network.head(edge) - node;
        for (int c = 0; c < y.length; c++) {
            y[c] = factor[0] * u[c] + z[c];
        }
        dualGradient.solve(y, theta);
        return exchange.set(Exchange.Kind.ROUND, partner, theta, theta.length, partner, work);
    }

    private void nextFactor() {
        factor[0] *= decay;
        if (factor[0] < FOLD_BELOW) {
            factor[0] /= FOLD_BELOW;
            for (int c = 0; c < u.length; c++) {
                u[c] *= FOLD_BELOW;
            }
        }
    }

    @Override
    public void absorb(double[][] messages) {
        if (messages.length == 0) {
            return;
        }
        double probability = parameters.probabilities()[edge];
        double ratio = parameters.rate() * parameters.resistances()[edge] / probability;
        double scale = parameters.stepSize() / probability * network.weight(edge);
        for (int c = 0; c < u.length; c++) {
            double h = -scale * (theta[c] - messages[0][c]);
            u[c] -= (1 - ratio) / (2 * factor[0]) * h;
            z[c] += (1 + ratio) / 2 * h;
        }
    }

    @Override
    public void estimate(double[] into) {
        Vectors.copy(theta, into);
    }
}
