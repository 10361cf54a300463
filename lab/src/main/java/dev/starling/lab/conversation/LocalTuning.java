package dev.starling.lab.conversation;

import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.method.adfs.tuning.FamilyForecast;
import dev.starling.method.adfs.tuning.SigmaSplit;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.Arrays;
import java.util.List;

/**
 * The parameters of locally synchronous ADFS, in which a step is one edge of the augmented graph: a pure function of
 * the network, the facts of the nodes and the delay.
 *
 * <p>With the strong convexity σ_A of {@link Tuning}, a virtual edge has p_ij ∝ √(1 + L_ij/σ_i), a communication edge
 * p_kl ∝ μ_kl √(R_kl(1/σ_k + 1/σ_l)), C_comp = Σ_i S_i/√c and C_comm = Σ_kl μ_kl √(R_kl(1/σ_k + 1/σ_l))/√σ_A, where the
 * sums are over the whole network; p_comm = C_comm/(C_comm + C_comp) and ρ = 1/(C_comm + C_comp). As in {@link Tuning},
 * C_comp is raised where ρ ≤ c·p_ij requires it.
 *
 * @param tuning τ, c, σ_A, the two constants, p_comm, ρ and η = ρ/σ_A
 * @param nodeProbabilities the probability that a step is a computation, for each node
 * @param edgeProbabilities p_kl, the probability of each communication edge
 * @param resistances R_kl of each communication edge
 * @param sigmas σ_i of every node
 * @param timePerFactor the predicted idealised time in which the error shrinks by a factor e
 * @param samples the number of samples of all nodes
 */
public record LocalTuning(
        Tuning tuning,
        List<Double> nodeProbabilities,
        List<Double> edgeProbabilities,
        List<Double> resistances,
        List<Double> sigmas,
        double timePerFactor,
        long samples)
        implements FamilyForecast {

    /** Copies the lists. */
    public LocalTuning {
        nodeProbabilities = List.copyOf(nodeProbabilities);
        edgeProbabilities = List.copyOf(edgeProbabilities);
        resistances = List.copyOf(resistances);
        sigmas = List.copyOf(sigmas);
    }

    /**
     * Returns the tuning with the c that minimises the predicted time. If some node is slow, or has more to do than
     * others, the regulariser is split accordingly, see {@link SigmaSplit}.
     */
    public static LocalTuning of(Network network, List<Conditioning> facts, Timing timing) {
        double[] resistances = EffectiveResistance.of(network);
        if (facts.size() == 1) {
            return of(network, facts, timing, 1, resistances);
        }
        return tuned(
                network,
                SigmaSplit.best(
                        facts,
                        timing,
                        split -> tuned(network, split, timing, resistances).timePerFactor()),
                timing,
                resistances);
    }

    /** Returns the tuning for a given c, which must be less than 1 unless there is only one node. */
    public static LocalTuning of(Network network, List<Conditioning> facts, double delay, double balance) {
        return of(network, facts, Timing.even(delay), balance, EffectiveResistance.of(network));
    }

    /**
     * Returns the constants of the program that the paper's authors have published with its conference version: c =
     * 1/2, Σ_j L_ij in place of M_i, every edge as often as any other, at least half of the steps computing.
     */
    public static LocalTuning ofConference(Network network, List<Conditioning> facts, double delay) {
        double[] resistances = EffectiveResistance.of(network);
        double sigma = facts.stream().mapToDouble(Conditioning::sigma).min().orElseThrow();
        double[] conditioning = facts.stream()
                .mapToDouble(node -> 1 + node.smoothnessSum() / node.sigma())
                .sorted()
                .toArray();
        double worst = conditioning[conditioning.length - 1];
        double convexity = 0.5 * Spectrum.of(network).smallest() / (worst * sigma);
        double rootSum = facts.stream().mapToDouble(Conditioning::rootSum).sum();
        double resistance = Arrays.stream(resistances).max().orElseThrow();
        double communicating = Math.sqrt(0.5 * sigma * convexity / resistance) / network.edges();
        double computing = Math.sqrt(0.5 * conditioning[0] / worst) / rootSum;
        double share = Math.min(0.5, computing / (computing + communicating));
        double rate = Math.min(computing * (1 - share), communicating * share);
        double[] edges = new double[network.edges()];
        Arrays.fill(edges, 1);
        double perRoot = (1 - share) / rootSum;
        return new LocalTuning(
                new Tuning(delay, 0.5, convexity, 1 / computing, 1 / communicating, share, rate, rate / convexity),
                facts.stream().map(node -> perRoot * node.rootSum()).toList(),
                Arrays.stream(edges).mapToObj(edge -> share / edges.length).toList(),
                Arrays.stream(resistances).boxed().toList(),
                facts.stream().map(Conditioning::sigma).toList(),
                timePerStep(network, facts, Timing.even(delay), perRoot, edges, share) / rate,
                facts.stream().mapToLong(Conditioning::samples).sum());
    }

    private static LocalTuning tuned(Network network, List<Conditioning> facts, Timing timing, double[] resistances) {
        double perNode = 2 * SigmaSplit.sum(roots(network, facts, resistances)) / facts.size();
        double delay = timing.delay() / SigmaSplit.stepTime(facts, timing);
        double balance =
                Tuning.withSmoothness(network, facts, delay, perNode * perNode).balance();
        return of(network, facts, timing, balance, resistances);
    }

    private static LocalTuning of(
            Network network, List<Conditioning> facts, Timing timing, double balance, double[] resistances) {
        double rootSum = 0;
        double smallestRoot = Double.POSITIVE_INFINITY;
        for (Conditioning node : facts) {
            rootSum += node.rootSum();
            smallestRoot = Math.min(smallestRoot, node.smallestRoot());
        }
        double computation = Math.max(rootSum / Math.sqrt(balance), rootSum / (smallestRoot * balance));
        double[] edges = roots(network, facts, resistances);
        double total = SigmaSplit.sum(edges);
        double convexity = facts.size() == 1 ? 1 : Spectrum.smallest(network, Tuning.diagonal(facts, balance));
        double communication = total / Math.sqrt(convexity);
        double rate = 1 / (communication + computation);
        double share = communication * rate;
        double perRoot = (1 - share) / rootSum;
        return new LocalTuning(
                new Tuning(
                        timing.delay(), balance, convexity, computation, communication, share, rate, rate / convexity),
                facts.stream().map(node -> perRoot * node.rootSum()).toList(),
                Arrays.stream(edges).mapToObj(edge -> share * edge / total).toList(),
                Arrays.stream(resistances).boxed().toList(),
                facts.stream().map(Conditioning::sigma).toList(),
                timePerStep(network, facts, timing, perRoot, edges, share) / rate,
                facts.stream().mapToLong(Conditioning::samples).sum());
    }

    /** Returns the idealised time of a step, including waiting. */
    private static double timePerStep(
            Network network, List<Conditioning> facts, Timing timing, double perRoot, double[] edges, double share) {
        double[] work = new double[facts.size()];
        for (int i = 0; i < work.length; i++) {
            work[i] = timing.step(i) * perRoot * facts.get(i).rootSum();
        }
        if (edges.length == 0) {
            return work[0];
        }
        for (int i = 0; i < work.length; i++) {
            work[i] /= share;
        }
        AliasTable choosing = new AliasTable(edges.length, e -> edges[e]);
        int[] edge = new int[1];
        return share
                * LocalClocks.timePerExchange(
                        network,
                        random -> {
                            choosing.draw(random, edge, 1);
                            return edge[0];
                        },
                        work,
                        0,
                        timing);
    }

    /** Returns μ_kl √(R_kl(1/σ_k + 1/σ_l)) of every edge. */
    private static double[] roots(Network network, List<Conditioning> facts, double[] resistances) {
        double[] roots = new double[resistances.length];
        for (int e = 0; e < roots.length; e++) {
            double tail = facts.get(network.tail(e)).sigma();
            double head = facts.get(network.head(e)).sigma();
            roots[e] = Math.sqrt(network.weight(e) * resistances[e] * (1 / tail + 1 / head));
        }
        return roots;
    }

    /** Returns the average share of steps in which a node communicates; every such step has two ends. */
    @Override
    public double communicationProbability() {
        return 2 * tuning.communicationProbability() / nodeProbabilities.size();
    }

    /** Returns the average share of steps in which a node computes. */
    @Override
    public double computationProbability() {
        return tuning.computationProbability() / nodeProbabilities.size();
    }

    /** Returns a table that draws what a step is: a computation on a node (from 0) or a communication edge (from n). */
    public AliasTable choosing() {
        int nodes = nodeProbabilities.size();
        return new AliasTable(
                nodes + edgeProbabilities.size(),
                k -> k < nodes ? nodeProbabilities.get(k) : edgeProbabilities.get(k - nodes));
    }

    /** Returns the number of steps in which the network takes as many proximal steps as it has samples. */
    public long stepsPerEpoch() {
        return (long) Math.ceil(samples / tuning.computationProbability());
    }
}
