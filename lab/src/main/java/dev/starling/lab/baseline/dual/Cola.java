package dev.starling.lab.baseline.dual;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.variant.SelfCertifying;
import dev.starling.loss.Loss;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;

/**
 * CoLA (He, Bian, Jaggi, "COLA: decentralized linear learning", 2018, Algorithm 1): CoCoA without a server. Every node
 * keeps the dual variables α_j of its own samples and an estimate v_k of the sum v = Σ_j α_j x_j over all n nodes,
 * mixes its estimate with its neighbours' and then improves its own variables as if no other node moved.
 *
 * <p>v_k' = (Wv)_k, Δ = argmin v_k'ᵀA_kΔ/σ + (n/2σ)‖A_kΔ‖² + Σ_j f_j*(−α_j−Δ_j), α += Δ, v_k = v_k' + nA_kΔ, where A_k
 * has the node's samples as columns, σ = Σσ_i and W = I − L/λ_max: the paper's algorithm with its safe parameters γ = 1
 * and σ' = n. The model is θ_k = v_k'/σ.
 *
 * <p>The inner problem is solved as accurately as the ∇f_i* of other methods (Θ = 0) and costs m_i as they do: the θ
 * with Σ_j∇f_j(θ) + (σ/n)θ = v_k'/n − A_kα_k gives α_j = −f_j'(x_jᵀθ). With β = 1 − γ and M = max_i M_i, the theorem
 * for smooth losses gives the rate ηs/(1+ηs), s = σ/(σ + n(1+β)M), η = 1 − 1/(1 + (1−β)²/(36β)); an iteration costs m_i
 * + τ.
 *
 * <p>A node can certify a duality gap from what it receives from its neighbours: see {@link Program#certifiedGap}.
 */
public final class Cola {

    private Cola() {}

    public static List<? extends EstimatingProgram> programs(Setting on) {
        return programs(on, DualGradient.ACCURACY);
    }

    /** CoLA whose inner problems are solved to a given relative accuracy. */
    public static List<? extends EstimatingProgram> programs(Setting on, double accuracy) {
        Gossip gossip = on.gossip();
        Parameters parameters = Parameters.of(gossip, on.facts());
        GapBound gapBound = GapBound.of(on.problem(), gossip);
        return on.nodes(setup -> new Program(setup, parameters, gapBound, accuracy));
    }

    /**
     * The parameters of CoLA.
     *
     * @param nodes n
     * @param totalSigma σ, the sum over all nodes
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param rate the least fraction by which the dual's suboptimality shrinks in an iteration
     */
    public record Parameters(int nodes, double totalSigma, double mixing, double rate) {

        public static Parameters of(Gossip gossip, BaselineFacts facts) {
            int nodes = facts.nodes().size();
            double sigma = 0;
            double curvature = 0;
            for (int i = 0; i < nodes; i++) {
                sigma += facts.nodes().get(i).sigma();
                curvature = Math.max(curvature, facts.nodes().get(i).curvature());
            }
            double gap = gossip.gap();
            double second = 1 - gap;
            double excess = gap * gap / (36 * second);
            double eta = second == 0 ? 1 : excess / (1 + excess);
            double descent = eta * sigma / (sigma + nodes * (1 + second) * curvature);
            return new Parameters(nodes, sigma, 1 / gossip.largest(), descent / (1 + descent));
        }
    }

    /**
     * Turns a node's own numbers into a bound on the gap of all nodes.
     *
     * @param totalWeight the sum of all samples' weights
     * @param gapFactor n
     * @param disagreementFactor (√n/γ)·√(Σ_k(2Λ_k)²), where Λ_k = Σ_j w_j max|ℓ'|·‖x_j‖ bounds the slope of node k's
     *     losses
     */
    private record GapBound(double totalWeight, double gapFactor, double disagreementFactor) {

        static GapBound of(Problem problem, Gossip gossip) {
            double squares = 0;
            for (LocalProblem node : problem.nodes()) {
                double steepness = 2 * steepness(node);
                squares += steepness * steepness;
            }
            double nodes = problem.size();
            return new GapBound(problem.totalWeight(), nodes, Math.sqrt(nodes * squares) / gossip.gap());
        }

        private static double steepness(LocalProblem node) {
            Loss loss = node.loss();
            double sum = 0;
            for (int j = 0; j < node.samples(); j++) {
                double label = node.label(j);
                double slope = Math.max(-loss.smallestSlope(label), loss.largestSlope(label));
                double squaredNorm = node.data().squaredNorm(node.row(j));
                sum += squaredNorm == 0 ? 0 : node.weight(j) * slope * Math.sqrt(squaredNorm);
            }
            return sum;
        }

        /** Twice the larger of the two bounds: if each is at most half of some gap, their sum is at most that gap. */
        double gap(double localGap, double disagreement) {
            double apart = disagreement == 0 ? 0 : disagreementFactor * disagreement;
            return 2 * Math.max(gapFactor * localGap, apart) / totalWeight;
        }
    }

    /** CoLA at one node, which can certify a bound on the gap. */
    public static final class Program extends GossipProgram implements SelfCertifying {

        private final Parameters parameters;
        private final GapBound gapBound;
        private final DualGradient localSolver;
        private final double[] sum = vector(features);
        private final double[] mixed = vector(features);
        private final double[] own = vector(features);
        private final double[] inner = vector(features);
        private final double[] target = new double[features];
        private final double[] change = new double[features];

        private Program(NodeSetup setup, Parameters parameters, GapBound gapBound, double accuracy) {
            super(setup);
            this.parameters = parameters;
            this.gapBound = gapBound;
            double share = parameters.totalSigma() / parameters.nodes();
            this.localSolver = new DualGradient(this, samples, share, accuracy);
        }

        @Override
        public Exchange advance() {
            for (int c = 0; c < sum.length; c++) {
                target[c] = mixed[c] / parameters.nodes() - own[c];
            }
            localSolver.solve(target, inner);
            samples.gradient(inner, 0, change);
            for (int c = 0; c < sum.length; c++) {
                double next = -change[c];
                sum[c] = mixed[c] + parameters.nodes() * (next - own[c]);
                own[c] = next;
            }
            return around.round(exchange, sum, samples.count());
        }

        @Override
        public void absorb(double[][] messages) {
            around.laplacian(sum, messages, change);
            for (int c = 0; c < sum.length; c++) {
                mixed[c] = sum[c] - parameters.mixing() * change[c];
            }
            steps++;
        }

        /**
         * This node's bound on P(θ̄) − D(α), the duality gap of the mean θ̄ of all nodes' models, for the objective as
         * an average over samples. The largest of all nodes' bounds is a certificate. It is infinite for losses with
         * unbounded slopes, unless nodes agree to the last bit, and it does not include rounding errors.
         *
         * <p>As in the paper's local certificates, a node uses the gap of its own samples and its distance from its
         * neighbours. With w_k = v_k/σ, P(θ̄) − D(α) is the sum over nodes of ε_k = w_kᵀA_kα_k + Σ_j f_j*(−α_j) +
         * f_j(x_jᵀw_k), none of which is negative, up to the effect of w_k − θ̄, which is at most 2Λ_k‖w_k − θ̄‖ per
         * node; and Σ‖w_k − θ̄‖² ≤ Σ‖w_k − (Ww)_k‖²/γ². It uses w_kᵀA_kα_k, although v_kᵀw_k/n would give the same sum,
         * so that every ε_k vanishes at the optimum however different the nodes' rows are.
         */
        @Override
        public double certifiedGap() {
            double total = parameters.totalSigma();
            double localGap = Vectors.dot(sum, own) / total;
            Loss loss = samples.loss();
            for (int j = 0; j < samples.count(); j++) {
                double label = samples.label(j);
                double slope = loss.derivative(samples.dot(j, inner), label);
                double value = loss.value(samples.dot(j, sum) / total, label);
                localGap += samples.weight(j) * (loss.conjugate(slope, label) + value);
            }
            double squares = 0;
            for (int c = 0; c < sum.length; c++) {
                squares += (sum[c] - mixed[c]) * (sum[c] - mixed[c]);
            }
            return gapBound.gap(localGap, Math.sqrt(squares) / total);
        }

        @Override
        public void estimate(double[] theta) {
            for (int c = 0; c < mixed.length; c++) {
                theta[c] = mixed[c] / parameters.totalSigma();
            }
        }
    }
}
