package dev.starling.lab.baseline.gossip;

import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.GossipProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

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
 * <p>With ℓ = max_i(σ_i+M_i) and μ = min_i σ_i: τ₂ = √(μ/ℓ), τ₁ = 1/(1/τ₂+½), η = 1/(ℓτ₂), α = ν = μ/2, σ₂ =
 * √(μ/ℓ)/(16χ), σ₁ = 1/(1/σ₂+½), β = 1/(2ℓ), θ = ν/(4σ₂), γ = ν/(14σ₂χ²), δ = 1/(17ℓ), ζ = ½. The squared error shrinks
 * by a fraction of the order of σ₂ per step, which takes a gradient and one round for both products: m_i + τ.
 *
 * <p>W and χ are those of {@link ChangingGossip}: W = L/λ_max and χ = λ_max/λ_min⁺ if all edges are always available.
 *
 * <p>ADOM+VR (Metelev, Chezhegov, Rogozin, Kovalev, Beznosikov, Gasnikov, "Decentralized finite-sum optimization over
 * time-varying networks", 2024) takes its gradients from b samples and a {@link Snapshot} w: x_g = τ₁x + τ₀w +
 * (1−τ₀−τ₁)x_f, and w becomes x_f with probability p₁, x_g with p₂. With m = max_i m_i and ℓ = max_i(σ_i + Σ_jL_ij): b
 * = max(√m, m√(μ/ℓ)), τ₀ = 1/(2b), τ₂ = min(½, max(1, √m/b)√(μ/ℓ)), τ₁ = (1−τ₀)/(1/τ₂+½), η = 1/(ℓ(τ₂+2τ₁/(1−τ₁))), α =
 * ν = μ/4, ζ = ¼, p₁ = 1/Λ, p₂ = 1/(Λbτ₁), Λ = (m/b)(½+1/(bτ₁)); the rest as above. It differs from the authors' code
 * in that α is ν instead of 1/10, nothing starts at random, and samples are drawn in proportion to L_ij.
 */
public final class AdomPlus extends GossipProgram {

    public static List<? extends EstimatingProgram> programs(Setting on, boolean sampled) {
        BaselineFacts facts = on.facts();
        ChangingGossip gossip = ChangingGossip.of(on.network(), on.rounds(), facts.sigmas());
        Parameters parameters = Parameters.of(gossip.conditioning(), facts, sampled, on.step());
        return on.nodes(setup -> new AdomPlus(setup, parameters, gossip, on.seed()));
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
     * @param damping γδ
     * @param consensusStep ζ
     * @param nu ν, which is also α
     * @param beta β
     * @param batch b; 0 for whole gradients
     * @param snapshotMomentum τ₀
     * @param fromFast p₁
     * @param fromMiddle p₂
     */
    public record Parameters(
            double primalMomentum,
            double primalStep,
            double dualMomentum,
            double dualStep,
            double eta,
            double theta,
            double gamma,
            double damping,
            double consensusStep,
            double nu,
            double beta,
            int batch,
            double snapshotMomentum,
            double fromFast,
            double fromMiddle) {

        public static Parameters of(double chi, BaselineFacts facts, boolean sampled, double stepFactor) {
            double smoothness = sampled ? facts.largestSampledSmoothness() : facts.largestBatchSmoothness();
            double nu = facts.smallestSigma() / (sampled ? 4 : 2);
            double root = Math.sqrt(facts.smallestSigma() / smoothness);
            double dual = root / (16 * chi);
            double gamma = nu / (14 * dual * chi * chi);
            double samples = facts.mostSamples();
            double batch = sampled ? Math.ceil(Math.max(Math.sqrt(samples), samples * root)) : 0;
            double old = sampled ? 1 / (2 * batch) : 0;
            double primal = sampled ? Math.min(0.5, Math.max(1, Math.sqrt(samples) / batch) * root) : root;
            double momentum = (1 - old) / (1 / primal + 0.5);
            double slowed = sampled ? primal + 2 * momentum / (1 - momentum) : primal;
            double renewal = samples / batch * (0.5 + 1 / (batch * momentum));
            return new Parameters(
                    momentum,
                    primal,
                    1 / (1 / dual + 0.5),
                    dual,
                    stepFactor / (smoothness * slowed),
                    nu / (4 * dual),
                    gamma,
                    gamma / (17 * smoothness),
                    sampled ? 0.25 : 0.5,
                    nu,
                    1 / (2 * smoothness),
                    (int) batch,
                    old,
                    1 / renewal,
                    1 / (renewal * batch * momentum));
        }

        /** The least fraction by which the squared error shrinks in a step: half of σ₂. */
        public double rate() {
            return dualStep / 2;
        }
    }

    private final Parameters parameters;
    private final ChangingGossip.Row gossip;
    private final RestorableUniformRandomProvider shared;
    private final Snapshot snapshot;
    private final double[] x = vector(features);
    private final double[] xFast = answer(vector(features));
    private final double[] y = vector(features);
    private final double[] yFast = vector(features);
    private final double[] z = vector(features);
    private final double[] zFast = vector(features);
    private final double[] memory = vector(features);
    private final double[] xMiddle = new double[features];

    /** What the last step's new snapshot cost. */
    private final double[] renewalWork = vector(1);

    private final double[] gradient = new double[features];

    /** y_g + z_g, followed by v. */
    private final double[] message = new double[2 * features];

    private final double[] products = new double[2 * features];

    private AdomPlus(NodeSetup setup, Parameters parameters, ChangingGossip gossip, long seed) {
        super(setup);
        this.parameters = parameters;
        this.gossip = gossip.row(setup.node(), stream(Streams.edges(seed)));
        this.shared = stream(Streams.shared(seed));
        this.snapshot = new Snapshot(this, samples, Streams.own(seed, setup.node()));
        if (parameters.batch() > 0) {
            snapshot.take(x);
            renewalWork[0] = samples.count();
        }
    }

    @Override
    public Exchange advance() {
        for (int c = 0; c < features; c++) {
            xMiddle[c] = parameters.primalMomentum() * x[c]
                    + parameters.snapshotMomentum() * snapshot.point[c]
                    + (1 - parameters.snapshotMomentum() - parameters.primalMomentum()) * xFast[c];
            message[c] = between(parameters.dualMomentum(), y[c], yFast[c])
                    + between(parameters.dualMomentum(), z[c], zFast[c]);
            message[features + c] = parameters.gamma() / parameters.nu() * message[c] + memory[c];
        }
        return gossip.next().round(exchange, message, gradient());
    }

    /** Computes the gradient at x_g, or an estimate, and returns what it costs. */
    private double gradient() {
        if (parameters.batch() == 0) {
            samples.gradient(xMiddle, sigma, gradient);
            return samples.count();
        }
        snapshot.gradient(xMiddle, sigma, parameters.batch(), gradient);
        return parameters.batch() + renewalWork[0];
    }

    private static double between(double momentum, double slow, double fast) {
        return momentum * slow + (1 - momentum) * fast;
    }

    @Override
    public void absorb(double[][] messages) {
        gossip.times(message, messages, products);
        renew();
        for (int c = 0; c < x.length; c++) {
            moveConsensus(c);
            movePrimalAndDual(c);
        }
        steps++;
    }

    /** All nodes move their snapshots at once. */
    private void renew() {
        double drawn = parameters.batch() == 0 ? 2 : shared.nextDouble();
        renewalWork[0] = 0;
        if (drawn < parameters.fromFast() + parameters.fromMiddle()) {
            snapshot.take(drawn < parameters.fromFast() ? xFast : xMiddle);
            renewalWork[0] = samples.count();
        }
    }

    private void moveConsensus(int c) {
        double middle = between(parameters.dualMomentum(), z[c], zFast[c]);
        double product = products[features + c];
        z[c] += parameters.damping() * (middle - z[c]) - product;
        memory[c] = message[features + c] - product;
        zFast[c] = middle - parameters.consensusStep() * products[c];
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
}
