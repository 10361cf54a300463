package dev.starling.lab.baseline;

import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * DVR, dual-free decentralized variance reduction (Hendrikx, Bach, Massoulié, "Dual-free stochastic decentralized
 * optimization with variance reduction", 2020, Algorithm 1), with or without Chebyshev gossip: Bregman coordinate
 * descent on the dual that ADFS works on, so that a step takes the gradient of one sample and no proximal step.
 *
 * <p>With probability p_comm a step communicates: θ_i −= (η/p_comm)(Wθ)_i/σ_i. Otherwise every node draws a sample j
 * with p_ij ∝ 1 + L_ij/σ_i and moves its point z_ij to (1−r)z_ij + rθ_i, r = αη/p_ij, and θ_i −= (∇f_ij(z_ij after) −
 * ∇f_ij(z_ij before))/σ_i. Only the margin xᵀz_ij is kept.
 *
 * <p>α = 2λ_min⁺(AᵀD⁻¹A), D_i = σ_i + 2M_i, η = min(p_comm/λ_max(Aᵀdiag(σ)⁻¹A), min_ij p_ij/(α(1+L_ij/σ_i))), p_comm
 * such that both are equal; AAᵀ = W is L, or P_K(L) with K = ⌈1/√γ⌉. The expected squared error shrinks by αη/2 a step:
 * a factor e takes of the order m + κ_s + τκ_b/γ, or κ_b/√γ with Chebyshev gossip. A computation costs 1, a
 * communication τ or Kτ, the first gradients m_i.
 *
 * <p>Any z_ij may be the start, with θ_i = −Σ_j∇f_ij(z_ij)/σ_i; margins start at 2y for a classification, as in the
 * authors' code, and at y for a regression, where slopes are small or zero and θ_i is not far away.
 */
public final class Dvr implements Algorithm {

    private final boolean chebyshev;

    /**
     * DVR.
     *
     * @param chebyshev whether a communication is K rounds of Chebyshev gossip instead of one plain round
     */
    public Dvr(boolean chebyshev) {
        this.chebyshev = chebyshev;
    }

    @Override
    public String name() {
        return chebyshev ? "dvr-chebyshev" : "dvr";
    }

    @Override
    public String description() {
        return "dual variance reduction" + (chebyshev ? " with Chebyshev gossip" : "");
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        BaselineFacts facts = BaselineFacts.of(name(), problem, network);
        Gossip gossip = Gossip.of(network);
        Parameters parameters =
                chebyshev ? Parameters.chebyshev(network, gossip, facts) : Parameters.plain(network, gossip, facts);
        return IntStream.range(0, problem.size())
                .parallel()
                .mapToObj(i -> new Program(i, problem.nodes().get(i), LaplacianRow.of(network, i), parameters, seed))
                .toList();
    }

    /**
     * The parameters of DVR.
     *
     * @param gossip W as a polynomial of L; c₃L for a plain round, whose scale cancels in everything below
     * @param communicationProbability p_comm
     * @param communicationStep η/p_comm
     * @param computationConstant C = max_i Σ_j (1+L_ij/σ_i)
     * @param rate αη/2
     */
    record Parameters(
            Chebyshev gossip,
            double communicationProbability,
            double communicationStep,
            double computationConstant,
            double rate) {

        static Parameters plain(Network network, Gossip graph, BaselineFacts facts) {
            Chebyshev gossip = Chebyshev.of(graph, 1);
            if (network.size() == 1) {
                return single(gossip, facts);
            }
            double largest = gossip.scale() * Spectrum.largest(network, facts.sigmas());
            double smallest = gossip.scale() * Spectrum.smallest(network, diagonal(facts));
            return balanced(gossip, largest, smallest, facts);
        }

        static Parameters chebyshev(Network network, Gossip graph, BaselineFacts facts) {
            Chebyshev gossip = Chebyshev.of(graph, (int) Math.ceil(graph.roundsPerDigit()));
            if (network.size() == 1) {
                return single(gossip, facts);
            }
            double worst = 0;
            for (double entry : diagonal(facts)) {
                worst = Math.max(worst, entry);
            }
            return balanced(gossip, gossip.largest() / facts.smallestSigma(), gossip.smallest() / worst, facts);
        }

        private static Parameters single(Chebyshev gossip, BaselineFacts facts) {
            double constant = computationConstant(facts);
            return new Parameters(gossip, 0, 0, constant, 0.5 / constant);
        }

        /** p_comm/λ_max = p_comp/(αC) with p_comm + p_comp = 1; both are η. */
        private static Parameters balanced(Chebyshev gossip, double largest, double smallest, BaselineFacts facts) {
            double alpha = 2 * smallest;
            double constant = computationConstant(facts);
            double stepSize = 1 / (largest + alpha * constant);
            return new Parameters(gossip, largest * stepSize, 1 / largest, constant, alpha * stepSize / 2);
        }

        private static double computationConstant(BaselineFacts facts) {
            return facts.nodes().stream()
                    .mapToDouble(node -> node.samples() + node.smoothnessSum() / node.sigma())
                    .max()
                    .orElseThrow();
        }

        private static double[] diagonal(BaselineFacts facts) {
            return facts.nodes().stream()
                    .mapToDouble(node -> node.sigma() + 2 * node.curvature())
                    .toArray();
        }
    }

    private static final class Program extends BaselineProgram {

        private static final double NOT_DRAWN = -1;

        private final Samples samples;
        private final double sigma;
        private final LaplacianRow around;
        private final Parameters parameters;
        private final RestorableUniformRandomProvider shared;
        private final RestorableUniformRandomProvider own;
        private final WeightedDraw draw;
        private final double logOfComputing;
        private final double[] ratios;
        private final double[] theta;
        private final double[] margins;
        private final double[] slopes;
        private final double[] computationsLeft;
        private final double[] present;
        private final double[] previous;
        private final double[] laplacian;

        Program(int node, LocalProblem problem, LaplacianRow around, Parameters parameters, long seed) {
            super(node, problem);
            int d = problem.features();
            this.samples = Samples.of(problem);
            this.sigma = problem.sigma();
            this.around = around;
            this.parameters = parameters;
            this.shared = stream(Streams.shared(seed));
            this.own = stream(Streams.own(seed, node));
            this.logOfComputing = StrictMath.log1p(-parameters.communicationProbability());
            this.theta = vector(d);
            this.margins = vector(samples.count());
            this.slopes = vector(samples.count());
            this.computationsLeft = vector(1);
            this.present = vector(d);
            this.previous = vector(d);
            this.laplacian = new double[d];
            this.ratios = new double[samples.count()];
            this.draw = new WeightedDraw(prepare());
            computationsLeft[0] = NOT_DRAWN;
        }

        /** Sets the start and r_j = αη/p_ij = C_i/(C(1+L_ij/σ_i)); returns what p_ij is proportional to. */
        private double[] prepare() {
            double[] weights = new double[samples.count()];
            double sum = 0;
            for (int j = 0; j < weights.length; j++) {
                weights[j] = 1 + samples.smoothness(j) / sigma;
                sum += weights[j];
                margins[j] = (samples.loss().isClassification() ? 2 : 1) * samples.label(j);
                slopes[j] = samples.slope(j, margins[j]);
                samples.add(j, -slopes[j] / sigma, theta);
            }
            for (int j = 0; j < weights.length; j++) {
                ratios[j] = Math.min(1, sum / (parameters.computationConstant() * weights[j]));
            }
            return weights;
        }

        @Override
        public Exchange advance() {
            if (phase > 0) {
                return around.round(exchange, present, 0);
            }
            double work = steps == 0 ? samples.count() : 0;
            if (computationsLeft[0] == NOT_DRAWN) {
                computationsLeft[0] = computationsBeforeNextRound();
            }
            // A node that seldom communicates shows itself after every pass over its samples.
            int now = (int) Math.min(computationsLeft[0], samples.count());
            for (int k = 0; k < now; k++) {
                compute(draw.draw(own));
            }
            steps += now;
            computationsLeft[0] -= now;
            if (computationsLeft[0] > 0) {
                return exchange.pause(work + now);
            }
            computationsLeft[0] = NOT_DRAWN;
            phase = 1;
            VectorSums.copy(theta, present);
            VectorSums.copy(theta, previous);
            return around.round(exchange, present, work + now);
        }

        /** Geometric, by inversion, the same number at every node. */
        private double computationsBeforeNextRound() {
            double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
            return Math.floor(Math.min(0x1p52, StrictMath.log(uniform) / logOfComputing));
        }

        private void compute(int sample) {
            double ratio = ratios[sample];
            margins[sample] = (1 - ratio) * margins[sample] + ratio * samples.dot(sample, theta);
            double slope = samples.slope(sample, margins[sample]);
            samples.add(sample, (slopes[sample] - slope) / sigma, theta);
            slopes[sample] = slope;
        }

        @Override
        public void absorb(double[][] messages) {
            if (phase == 0) {
                return;
            }
            around.laplacian(present, messages, laplacian);
            parameters.gossip().step((int) phase - 1, present, previous, laplacian);
            phase++;
            if (phase > parameters.gossip().rounds()) {
                phase = 0;
                steps++;
                for (int c = 0; c < theta.length; c++) {
                    theta[c] -= parameters.communicationStep() / sigma * (theta[c] - present[c]);
                }
            }
        }

        @Override
        public void estimate(double[] into) {
            VectorSums.copy(theta, into);
        }
    }
}
