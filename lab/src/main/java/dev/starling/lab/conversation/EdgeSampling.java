package dev.starling.lab.conversation;

import dev.starling.data.InvalidInputException;
import dev.starling.method.adfs.tuning.SigmaSplit;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Which edges a communication round uses: one of several groups b of edges, drawn with probability q_b, or each edge
 * independently with the same probability q.
 *
 * <p>A round then moves along L_b instead of L. In the paper's terms P_b⁺ = U_b/p_b with p_b = q_b·p_comm, and the rate
 * needs ρ² ≤ σ_A p_b²/(λ_b r_b) for every b that may occur, where λ_b = λ_max(A_bᵀ diag(σ)⁻¹ A_b) and r_b = λ_max of
 * the block (A⁺A)_bb. So groups are drawn with q_b ∝ √(λ_b r_b), and C_comm = Σ_b √(λ_b r_b/σ_A).
 *
 * <p>The paper's W̃_b = A P_b⁺ A⁺ would let distant edges of b act on each other. The number r_b/p_b in its place needs
 * no message and keeps the bound: all that the proof requires of the point x is that q_A(y) − q_A(x) ≥ (ρη/2) gᵀA⁺A g
 * for g = P_b⁺∇q_A(y), and the step ρη r_b/p_b along g gives ρη(r_b − r_b/2)‖g‖² ≥ (ρη/2) gᵀA⁺A g. For all edges (r =
 * 1), single edges (r = R_kl), trees and matchings of a complete graph the two are the same.
 *
 * @param groups all edges as one group, or matchings that together cover all edges; empty if edges are drawn
 *     independently
 * @param projections r_b of each group; the bound 1 if edges are drawn independently
 * @param probability q if edges are drawn independently; otherwise 1
 */
public record EdgeSampling(List<List<Integer>> groups, List<Double> projections, double probability) {

    /** Copies the lists. */
    public EdgeSampling {
        groups = groups.stream().map(List::copyOf).toList();
        projections = List.copyOf(projections);
        if (!(probability > 0 && probability <= 1)) {
            throw new InvalidInputException(
                    "edge probability " + probability + " must be more than 0 and at most 1, for example 0.5");
        }
    }

    /** Uses every edge in every round. */
    public static EdgeSampling all(Network network) {
        return new EdgeSampling(
                List.of(IntStream.range(0, network.edges()).boxed().toList()), List.of(1.0), 1);
    }

    /** Uses one edge per round. */
    public static EdgeSampling pairs(Network network) {
        List<List<Integer>> edges =
                IntStream.range(0, network.edges()).mapToObj(List::of).toList();
        return new EdgeSampling(
                edges, Arrays.stream(EffectiveResistance.of(network)).boxed().toList(), 1);
    }

    /**
     * Uses a matching per round, so that a node talks to at most one neighbour. Of all candidate colourings it picks
     * the one with the most effective rounds for nodes that are alike.
     */
    public static EdgeSampling matchings(Network network) {
        BlockResistance blocks = new BlockResistance(network);
        double[] alike = new double[network.size()];
        Arrays.fill(alike, 1);
        return EdgeColouring.candidates(network).stream()
                .map(groups ->
                        new EdgeSampling(groups, groups.stream().map(blocks::of).toList(), 1))
                .min(Comparator.comparingDouble(sampling -> sampling.rootSum(network, alike)))
                .orElseThrow();
    }

    /** Draws each edge independently with probability q. */
    public static EdgeSampling independent(double probability) {
        return new EdgeSampling(List.of(), List.of(1.0), probability);
    }

    /**
     * Returns the sampling that a rule stands for: {@code random:Q}, {@code matchings} or {@code pairs}.
     *
     * @throws InvalidInputException if there is no such rule
     */
    public static Function<Network, EdgeSampling> named(String rule) {
        if (rule.startsWith("random:")) {
            EdgeSampling drawn = independent(InvalidInputException.parsed(
                    () -> Double.parseDouble(rule.substring("random:".length())),
                    number -> true,
                    () -> "rule '" + rule + "' must have a number after the colon, such as random:0.5"));
            return network -> drawn;
        }
        return switch (rule) {
            case "matchings" -> EdgeSampling::matchings;
            case "pairs" -> EdgeSampling::pairs;
            default ->
                throw InvalidInputException.unknownName("rule", rule, List.of("random:0.5", "matchings", "pairs"));
        };
    }

    /**
     * Returns the parameters of S-ADFS with these rounds, otherwise tuned as in {@link Tuning}. If some node is slow,
     * or has more to do than others, the regulariser is split accordingly, see {@link SigmaSplit}.
     */
    public PartialTuning tune(Network network, List<Conditioning> facts, Timing timing) {
        if (facts.size() == 1) {
            Tuning alone = Tuning.of(network, facts, timing.delay());
            double time = timing.step(0) * alone.computationConstant();
            return partial(alone, List.of(), List.of(1.0), facts, List.of(1.0), time);
        }
        return tuned(
                network,
                SigmaSplit.best(
                        facts, timing, split -> tuned(network, split, timing).timePerFactor()),
                timing);
    }

    /** Does the same with the regulariser split as given. */
    public PartialTuning tuned(Network network, List<Conditioning> facts, Timing timing) {
        double[] sigmas = facts.stream().mapToDouble(Conditioning::sigma).toArray();
        double rootSum = rootSum(network, sigmas);
        List<Double> probabilities = probabilities(network, sigmas);
        double delay = delay(network, probabilities, timing);
        double roughly = SigmaSplit.stepTime(facts, timing);
        Tuning tuning = Tuning.withSmoothness(network, facts, delay / roughly, rootSum * rootSum)
                .withDelay(delay);
        // The slowest node computes as rarely as the rate permits; the others as often as they can in the same time.
        double stepTime = IntStream.range(0, facts.size())
                .mapToDouble(i -> timing.step(i) * tuning.leastShare(facts.get(i)))
                .max()
                .orElseThrow();
        List<Double> shares = IntStream.range(0, facts.size())
                .mapToObj(i -> Math.min(1, stepTime / timing.step(i)))
                .toList();
        double time = stepTime * tuning.computationConstant() + delay * tuning.communicationConstant();
        return partial(tuning, groups, probabilities, facts, shares, time);
    }

    /** Returns the probability of each group in a round, or that of any edge if edges are drawn independently. */
    public List<Double> probabilities(Network network, double[] sigmas) {
        if (groups.isEmpty()) {
            return List.of(probability);
        }
        double rootSum = rootSum(network, sigmas);
        return roots(network, sigmas).stream().map(root -> root / rootSum).toList();
    }

    private PartialTuning partial(
            Tuning tuning,
            List<List<Integer>> drawn,
            List<Double> probabilities,
            List<Conditioning> facts,
            List<Double> shares,
            double time) {
        return new PartialTuning(
                tuning,
                drawn,
                probabilities,
                projections,
                facts.stream().map(Conditioning::sigma).toList(),
                shares,
                SigmaSplit.sum(shares.stream().mapToDouble(Double::doubleValue).toArray()),
                time,
                facts.stream().mapToLong(Conditioning::samples).sum());
    }

    /** Returns the average time of a round, which takes as long as the slowest of its edges. */
    private double delay(Network network, List<Double> probabilities, Timing timing) {
        if (timing.edges().isEmpty()) {
            return timing.delay();
        }
        if (groups.isEmpty()) {
            return slowest(IntStream.range(0, network.edges()).boxed().toList(), network, timing);
        }
        double mean = 0;
        for (int b = 0; b < groups.size(); b++) {
            mean += probabilities.get(b) * slowest(groups.get(b), network, timing);
        }
        return mean;
    }

    private static double slowest(List<Integer> edges, Network network, Timing timing) {
        return edges.stream()
                .mapToDouble(e -> timing.message(network.tail(e), network.head(e)))
                .max()
                .orElse(0);
    }

    /** Returns Σ_b √(λ_b r_b), or √(λ r)/q for edges that are drawn independently: C_comm without the factor 1/√σ_A. */
    private double rootSum(Network network, double[] sigmas) {
        double sum = 0;
        for (double root : roots(network, sigmas)) {
            sum += root;
        }
        return sum / probability;
    }

    /** Returns √(λ_b r_b) of every group. */
    private List<Double> roots(Network network, double[] sigmas) {
        if (groups.size() <= 1) {
            return List.of(Math.sqrt(Spectrum.largest(network, sigmas)));
        }
        List<Double> roots = new ArrayList<>();
        for (int b = 0; b < groups.size(); b++) {
            List<Double> ofEdges = groups.get(b).stream()
                    .map(e -> network.weight(e) * (1 / sigmas[network.tail(e)] + 1 / sigmas[network.head(e)]))
                    .toList();
            // Edges without a common node are separate blocks.
            roots.add(Math.sqrt(Collections.max(ofEdges) * projections.get(b)));
        }
        return roots;
    }
}
