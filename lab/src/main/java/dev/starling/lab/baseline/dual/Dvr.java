package dev.starling.lab.baseline.dual;

import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Chebyshev;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.node.EstimatingProgram;
import java.util.List;

/**
 * DVR, dual-free decentralized variance reduction (Hendrikx, Bach, Massoulié, "Dual-free stochastic decentralized
 * optimization with variance reduction", 2020, Algorithm 1), with or without Chebyshev gossip: Bregman coordinate
 * descent on the dual that ADFS works on, in which a step takes the gradient of one sample instead of a proximal step.
 *
 * <p>With probability p_comm a step communicates: θ_i −= (η/p_comm)(Wθ)_i/σ_i. Otherwise every node draws a sample j
 * with p_ij ∝ 1 + L_ij/σ_i and moves its point z_ij to (1−r)z_ij + rθ_i, r = αη/p_ij, and θ_i −= (∇f_ij(z_ij after) −
 * ∇f_ij(z_ij before))/σ_i. Only the margin xᵀz_ij is stored.
 *
 * <p>α = 2λ_min⁺(AᵀD⁻¹A), D_i = σ_i + 2M_i, η = min(p_comm/λ_max(Aᵀdiag(σ)⁻¹A), min_ij p_ij/(α(1+L_ij/σ_i))), and
 * p_comm makes both terms equal; AAᵀ = W is L, or P_K(L) with K = ⌈1/√γ⌉. The expected squared error shrinks by a
 * fraction αη/2 per step: reducing it by a factor e takes a time of the order of m + κ_s + τκ_b/γ, with κ_b/√γ in place
 * of κ_b/γ for Chebyshev gossip. A computation costs 1, a communication τ or Kτ, the first gradients m_i.
 *
 * <p>Any z_ij can be the starting point, with θ_i = −Σ_j∇f_ij(z_ij)/σ_i. Margins start at 2y in classification, as in
 * the authors' code, and at y in regression: slopes are small or zero there, so that θ_i does not start far away.
 */
public final class Dvr {

    private Dvr() {}

    /** @param chebyshev whether a communication is K rounds of Chebyshev gossip instead of one plain round */
    public static List<? extends EstimatingProgram> programs(Setting on, boolean chebyshev) {
        BaselineFacts facts = on.facts();
        Gossip gossip = on.gossip();
        Parameters parameters = chebyshev
                ? Parameters.chebyshev(on.network(), gossip, facts)
                : Parameters.plain(on.network(), gossip, facts);
        Parameters tuned = parameters.withStep(on.step());
        return on.nodes(setup -> new DvrProgram(setup, tuned, on.seed()));
    }

    /**
     * The parameters of DVR.
     *
     * @param gossip W as a polynomial of L; for a plain round it is c₃L, and the factor c₃ cancels in everything below
     * @param communicationProbability p_comm
     * @param communicationStep η/p_comm
     * @param computationConstant C = max_i Σ_j (1+L_ij/σ_i)
     * @param rate αη/2
     */
    public record Parameters(
            Chebyshev gossip,
            double communicationProbability,
            double communicationStep,
            double computationConstant,
            double rate) {

        public static Parameters plain(Network network, Gossip graph, BaselineFacts facts) {
            Chebyshev gossip = Chebyshev.of(graph, 1);
            if (network.size() == 1) {
                return single(gossip, facts);
            }
            double largest = gossip.scale() * Spectrum.largest(network, facts.sigmas());
            double smallest = gossip.scale() * Spectrum.smallest(network, diagonal(facts));
            return balanced(gossip, largest, smallest, facts);
        }

        public static Parameters chebyshev(Network network, Gossip graph, BaselineFacts facts) {
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

        /** The parameters for another η. */
        public Parameters withStep(double factor) {
            return new Parameters(
                    gossip,
                    communicationProbability,
                    factor * communicationStep,
                    computationConstant / factor,
                    factor * rate);
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
            return facts.largest(node -> node.samples() + node.smoothnessSum() / node.sigma());
        }

        private static double[] diagonal(BaselineFacts facts) {
            return facts.nodes().stream()
                    .mapToDouble(node -> node.sigma() + 2 * node.curvature())
                    .toArray();
        }
    }
}
