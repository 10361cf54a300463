package dev.starling.lab.baseline;

import dev.starling.internal.Vectors;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import java.util.List;

/**
 * ADOM+ (Kovalev, Gasanov, Gasnikov, Richtárik, "Lower bounds and optimal algorithms for smooth and strongly convex
 * decentralized optimization over time-varying networks", 2021, Algorithm 1): three sequences, each accelerated, for
 * the parameters x, the gradients y and the consensus z, with error feedback m in place of accelerated gossip, which is
 * impossible over changing edges. No step uses anything of the graph but its current edges.
 *
 * <p>With x_g = τ₁x + (1−τ₁)x_f, y_g = σ₁y + (1−σ₁)y_f, z_g = σ₁z + (1−σ₁)z_f, G = ∇f(x_g) − νx_g and the W of the
 * current round,
 *
 * <p>x⁺ = x + ηα(x_g − x⁺) − η(G − y⁺) and y⁺ = y + θβ(G − y⁺) − θ((y_g + z_g)/ν + x⁺), two linear equations,
 *
 * <p>x_f = x_g + τ₂(x⁺ − x), y_f = y_g + σ₂(y⁺ − y), v = (γ/ν)(y_g + z_g) + m, z⁺ = z + γδ(z_g − z) − Wv, m⁺ = v − Wv,
 * z_f = z_g − ζW(y_g + z_g).
 *
 * <p>With ℓ = max_i(σ_i+M_i) and μ = min_i σ_i: τ₂ = √(μ/ℓ), τ₁ = 1/(1/τ₂+½), η = 1/(ℓτ₂), α = ν = μ/2, σ₂ = τ₂/(16χ),
 * σ₁ = 1/(1/σ₂+½), β = 1/(2ℓ), θ = ν/(4σ₂), γ = ν/(14σ₂χ²), δ = 1/17, ζ = ½. The squared error shrinks by a fraction of
 * the order of σ₂ per step, which takes a gradient and one round for both products: m_i + τ.
 *
 * <p>W and χ are those of {@link ChangingGossip}: W = L/λ_max and χ = λ_max/λ_min⁺ if all edges are always available.
 */
final class AdomPlus {

    private AdomPlus() {}

    static List<? extends EstimatingProgram> programs(Setting on) {
        BaselineFacts facts = on.facts();
        ChangingGossip gossip = ChangingGossip.of(on.network(), on.rounds(), facts.sigmas());
        Parameters parameters = Parameters.of(gossip.conditioning(), facts, on.step());
        return on.nodes(setup -> new Program(setup, parameters, gossip, on.seed()));
    }

    /**
     * The parameters of ADOM+ that depend on the problem.
     *
     * @param primalMomentum τ₁
     * @param primalStep τ₂
     * @param dualMomentum σ₁
     * @param dualStep σ₂
     * @param eta η
     * @param theta θ
     * @param gamma γ
     * @param nu ν, which is also α
     * @param beta β
     */
    record Parameters(
            double primalMomentum,
            double primalStep,
            double dualMomentum,
            double dualStep,
            double eta,
            double theta,
            double gamma,
            double nu,
            double beta) {

        /** δ. */
        static final double DAMPING = 1.0 / 17;

        /** ζ. */
        static final double CONSENSUS_STEP = 0.5;

        static Parameters of(double chi, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.largestBatchSmoothness();
            double nu = facts.smallestSigma() / 2;
            double primal = Math.sqrt(facts.smallestSigma() / smoothness);
            double dual = primal / (16 * chi);
            return new Parameters(
                    1 / (1 / primal + 0.5),
                    primal,
                    1 / (1 / dual + 0.5),
                    dual,
                    stepFactor / (smoothness * primal),
                    nu / (4 * dual),
                    nu / (14 * dual * chi * chi),
                    nu,
                    1 / (2 * smoothness));
        }

        /** The least fraction by which the squared error shrinks in a step: half of σ₂. */
        double rate() {
            return dualStep / 2;
        }
    }

    private static final class Program extends GossipProgram {

        private final Parameters parameters;
        private final ChangingGossip.Row gossip;
        private final double[] x = vector(features);
        private final double[] xFast = vector(features);
        private final double[] y = vector(features);
        private final double[] yFast = vector(features);
        private final double[] z = vector(features);
        private final double[] zFast = vector(features);
        private final double[] memory = vector(features);
        private final double[] xMiddle = new double[features];
        private final double[] gradient = new double[features];

        /** y_g + z_g, followed by v. */
        private final double[] message = new double[2 * features];

        private final double[] products = new double[2 * features];

        Program(NodeSetup setup, Parameters parameters, ChangingGossip gossip, long seed) {
            super(setup);
            this.parameters = parameters;
            this.gossip = gossip.row(setup.node(), stream(Streams.edges(seed)));
        }

        @Override
        public Exchange advance() {
            for (int c = 0; c < features; c++) {
                xMiddle[c] = between(parameters.primalMomentum(), x[c], xFast[c]);
                message[c] = between(parameters.dualMomentum(), y[c], yFast[c])
                        + between(parameters.dualMomentum(), z[c], zFast[c]);
                message[features + c] = parameters.gamma() / parameters.nu() * message[c] + memory[c];
            }
            samples.gradient(xMiddle, sigma, gradient);
            return gossip.next().round(exchange, message, samples.count());
        }

        private static double between(double momentum, double slow, double fast) {
            return momentum * slow + (1 - momentum) * fast;
        }

        @Override
        public void absorb(double[][] messages) {
            gossip.times(message, messages, products);
            for (int c = 0; c < x.length; c++) {
                moveConsensus(c);
                movePrimalAndDual(c);
            }
            steps++;
        }

        private void moveConsensus(int c) {
            double middle = between(parameters.dualMomentum(), z[c], zFast[c]);
            double product = products[features + c];
            z[c] += parameters.gamma() * Parameters.DAMPING * (middle - z[c]) - product;
            memory[c] = message[features + c] - product;
            zFast[c] = middle - Parameters.CONSENSUS_STEP * products[c];
        }

        /** The equations are (1+ηα)x⁺ − ηy⁺ = a and θx⁺ + (1+θβ)y⁺ = b. */
        private void movePrimalAndDual(int c) {
            double eta = parameters.eta();
            double theta = parameters.theta();
            double nu = parameters.nu();
            double slope = gradient[c] - nu * xMiddle[c];
            double a = x[c] + eta * (nu * xMiddle[c] - slope);
            double b = y[c] + theta * (parameters.beta() * slope - message[c] / nu);
            double ofX = 1 + eta * nu;
            double ofY = 1 + theta * parameters.beta();
            double determinant = ofX * ofY + eta * theta;
            double nextX = (ofY * a + eta * b) / determinant;
            double nextY = (ofX * b - theta * a) / determinant;
            double yMiddle = between(parameters.dualMomentum(), y[c], yFast[c]);
            xFast[c] = xMiddle[c] + parameters.primalStep() * (nextX - x[c]);
            yFast[c] = yMiddle + parameters.dualStep() * (nextY - y[c]);
            x[c] = nextX;
            y[c] = nextY;
        }

        @Override
        public void estimate(double[] theta) {
            Vectors.copy(xFast, theta);
        }
    }
}
