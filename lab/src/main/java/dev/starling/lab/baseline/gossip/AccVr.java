package dev.starling.lab.baseline.gossip;

import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Chebyshev;
import dev.starling.lab.baseline.node.Gossip;
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
 * Acc-VR-EXTRA and Acc-VR-DIGing with Chebyshev gossip (Li, Lin, Fang, "Variance reduced EXTRA and DIGing and their
 * optimal acceleration for strongly convex decentralized optimization", 2022, Algorithm 2): Katyusha's gradients inside
 * EXTRA's or DIGing's primal-dual recursion, optimal in sample gradients and in rounds without proximal steps.
 *
 * <p>y = θ₁z + θ₂w + (1−θ₁−θ₂)x; s = ∇f(w) + a mean over b samples of (∇f_ij(y) − ∇f_ij(w))/p_ij, p_ij ∝ L_ij; (1 +
 * μα/θ₁)z' = z + (μα/θ₁)y − (αs + Uλ + θ₁V²z)/θ₁; λ' = λ + θ₁Uz'; x' = y + θ₁(z' − z); w' = x' with probability p =
 * b/m, else w. All start at 0, nodes toss the same coin, and the regulariser is handled exactly.
 *
 * <p>With P = P_K(L), K = ⌈1/√γ⌉, of largest eigenvalue λ: EXTRA has U² = V² = P/(2λ), DIGing U = (1 − 1/√2)P/λ and V²
 * = I − (I−U)². Nodes send z and, with DIGing, also Uz of the previous step; since U² + V² = 2U² or 2U, either way one
 * communication per step is enough.
 *
 * <p>With M = max_i(σ_i+M_i), L = max_i Σ_jL_ij, μ = min_i σ_i, m = max_i m_i and 1/κ the smallest non-zero eigenvalue
 * of U²: α = 1/(10M), θ₁ = ½min(1, √(κμ/M)), b = ⌈max(√(mL/M), m√(μ/(κM)))⌉, θ₂ = L/(2Mb). The paper's theorem gives
 * these up to constants; the constants here are those for which its proof goes through: with weight c = θ₁/2 on the
 * part of the Lyapunov function that belongs to the multipliers λ, the error shrinks by the smallest of p/2,
 * θ₁p/(2p+4θ₂), μα/(θ₁+μα) and c(1−ν)/(αMκ), (1−ν)/ν = 0.00356/c, so that reducing it by a factor e takes of the order
 * of √(κM/μ) steps. A step costs b + Kτ, and m_i more whenever w moves.
 */
public final class AccVr extends AveragingProgram {

    /** The recursion that brings the nodes together. */
    public enum Consensus {
        EXTRA,
        DIGING;

        private static final double LARGEST_IN_DIGING = 1 - Math.sqrt(0.5);

        /** The factor of P_K(L): the product is U² with EXTRA, U with DIGing. */
        private double scale(Chebyshev gossip) {
            return (this == EXTRA ? 0.5 : LARGEST_IN_DIGING) / gossip.largest();
        }

        /** κ. */
        private double conditioning(Chebyshev gossip) {
            double smallest = scale(gossip) * gossip.smallest();
            return 1 / (this == EXTRA ? smallest : smallest * smallest);
        }

        /** How many vectors a message holds. */
        private int vectors() {
            return this == EXTRA ? 1 : 2;
        }
    }

    public static List<? extends EstimatingProgram> programs(Setting on, Consensus consensus) {
        Parameters parameters = parameters(consensus, on.gossip(), on.facts(), on.step());
        return on.nodes(setup -> new AccVr(setup, parameters, consensus, on.seed()));
    }

    public static Parameters parameters(Consensus consensus, Gossip graph, BaselineFacts facts, double stepFactor) {
        Chebyshev gossip = Chebyshev.of(graph, (int) Math.ceil(graph.roundsPerDigit()));
        return Parameters.of(gossip, consensus.scale(gossip), consensus.conditioning(gossip), facts, stepFactor);
    }

    /**
     * The parameters of both methods.
     *
     * @param gossip P_K
     * @param scale the factor of P_K(L)
     * @param convexity μ
     * @param stepSize α
     * @param momentum θ₁
     * @param negativeMomentum θ₂
     * @param batch b
     * @param renewal p
     * @param rate the fraction by which the expected error shrinks in a step
     */
    public record Parameters(
            Chebyshev gossip,
            double scale,
            double convexity,
            double stepSize,
            double momentum,
            double negativeMomentum,
            int batch,
            double renewal,
            double rate) {

        private static final double STEP = 0.1;
        private static final double WEIGHT_OF_MULTIPLIERS = 0.00356;

        private static Parameters of(
                Chebyshev gossip, double scale, double spread, BaselineFacts facts, double stepFactor) {
            double smoothness = facts.largestBatchSmoothness();
            double convexity = facts.smallestSigma();
            double stochastic = facts.largest(Conditioning::smoothnessSum);
            double samples = facts.mostSamples();
            double conditioning = smoothness / convexity;
            double momentum = Math.min(1, Math.sqrt(spread / conditioning)) / 2;
            double batch = Math.ceil(
                    Math.max(Math.sqrt(samples * stochastic / smoothness), samples / Math.sqrt(spread * conditioning)));
            double negativeMomentum = stochastic / (2 * smoothness * batch);
            double renewal = Math.min(1, batch / samples);
            return new Parameters(
                    gossip,
                    scale,
                    convexity,
                    stepFactor * STEP / smoothness,
                    momentum,
                    negativeMomentum,
                    (int) batch,
                    renewal,
                    rate(conditioning, spread, momentum, negativeMomentum, renewal));
        }

        private static double rate(
                double conditioning, double spread, double momentum, double negativeMomentum, double renewal) {
            double snapshots = Math.min(renewal / 2, momentum * renewal / (2 * renewal + 4 * negativeMomentum));
            double primal = STEP / (conditioning * momentum + STEP);
            double weight = momentum / 2;
            double dual = weight * WEIGHT_OF_MULTIPLIERS / (weight + WEIGHT_OF_MULTIPLIERS) / (STEP * spread);
            return Math.min(snapshots, Math.min(primal, dual));
        }
    }

    private final Parameters parameters;
    private final Consensus consensus;
    private final RestorableUniformRandomProvider shared;
    private final Snapshot snapshot;
    private final double[] x = answer(vector(features));
    private final double[] y = vector(features);
    private final double[] gradient = vector(features);

    /** What is sent: z and, with DIGing, Uz of the previous step. */
    private final double[] sent;

    /** Uλ; with DIGing, that of the previous step. */
    private final double[] multipliers = vector(features);

    private AccVr(NodeSetup setup, Parameters parameters, Consensus consensus, long seed) {
        super(setup, parameters.gossip(), consensus.vectors() * setup.problem().features());
        this.parameters = parameters;
        this.consensus = consensus;
        this.shared = stream(Streams.shared(seed));
        this.snapshot = new Snapshot(this, samples, Streams.own(seed, setup.node()));
        this.sent = vector(consensus.vectors() * features);
    }

    @Override
    public Exchange work() {
        double work = parameters.batch();
        if (steps == 0 || WeightedDraw.toss(shared, parameters.renewal())) {
            snapshot.take(x);
            work += samples.count();
        }
        double first = parameters.momentum();
        double second = parameters.negativeMomentum();
        for (int c = 0; c < features; c++) {
            y[c] = first * sent[c] + second * snapshot.point[c] + (1 - first - second) * x[c];
        }
        snapshot.gradient(y, sigma, parameters.batch(), gradient);
        return average(sent, work);
    }

    @Override
    public void averaged(double[] near) {
        double step = parameters.stepSize() / parameters.momentum();
        double pull = parameters.convexity() * step;
        for (int c = 0; c < features; c++) {
            double disagreement = parameters.scale() * (sent[c] - near[c]);
            double multiplier = multiplier(c, disagreement, near);
            double next =
                    (sent[c] + pull * y[c] - step * gradient[c] - multiplier / parameters.momentum()) / (1 + pull);
            x[c] = y[c] + parameters.momentum() * (next - sent[c]);
            sent[c] = next;
        }
        steps++;
    }

    /** Uλ + θ₁V²z: with EXTRA, Uλ moves by θ₁U²z, with DIGing by that of the previous step. */
    private double multiplier(int c, double disagreement, double[] near) {
        if (consensus == Consensus.EXTRA) {
            multipliers[c] += parameters.momentum() * disagreement;
            return multipliers[c] + parameters.momentum() * disagreement;
        }
        int before = features + c;
        multipliers[c] += parameters.momentum() * parameters.scale() * (sent[before] - near[before]);
        sent[before] = disagreement;
        return multipliers[c] + 2 * parameters.momentum() * disagreement;
    }
}
