package dev.starling.lab.variant;

import dev.starling.method.adfs.StepForecast;
import dev.starling.method.adfs.Tuning;
import dev.starling.network.EffectiveResistance;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import java.util.Arrays;
import java.util.List;

/**
 * The parameters of locally synchronous ADFS, where a step is one edge of the augmented graph: a pure function of the
 * network, the facts of the nodes and the delay.
 *
 * <p>With the strong convexity σ_A of {@link Tuning} at the same balance c, a virtual edge has p_ij ∝ √(1 + L_ij/σ_i),
 * a communication edge p_kl ∝ μ_kl √(R_kl(1/σ_k + 1/σ_l)), C_comp = Σ_i S_i/√c and C_comm = Σ_kl μ_kl √(R_kl(1/σ_k +
 * 1/σ_l))/√σ_A, sums over the whole network; p_comm = C_comm/(C_comm + C_comp) and ρ = 1/(C_comm + C_comp). As in
 * {@link Tuning}, C_comp is raised where ρ ≤ c·p_ij asks for it.
 *
 * @param tuning τ, c, σ_A, the two constants, p_comm, ρ and η = ρ/σ_A
 * @param nodeProbabilities how likely a step is a computation at each node
 * @param edgeProbabilities p_kl, how likely it is each communication edge
 * @param resistances R_kl of each communication edge
 * @param samples of all nodes
 */
public record LocalTuning(
        Tuning tuning,
        List<Double> nodeProbabilities,
        List<Double> edgeProbabilities,
        List<Double> resistances,
        long samples)
        implements StepForecast {

    /** Copies the lists. */
    public LocalTuning {
        nodeProbabilities = List.copyOf(nodeProbabilities);
        edgeProbabilities = List.copyOf(edgeProbabilities);
        resistances = List.copyOf(resistances);
    }

    /** The tuning with the c that suits S-ADFS. */
    public static LocalTuning of(Network network, List<Conditioning> facts, double delay) {
        return of(network, facts, delay, Tuning.of(network, facts, delay).balance());
    }

    /** The tuning for a given c, less than 1 unless there is one node only. */
    public static LocalTuning of(Network network, List<Conditioning> facts, double delay, double balance) {
        double roots = 0;
        double smallestRoot = Double.POSITIVE_INFINITY;
        for (Conditioning node : facts) {
            roots += node.rootSum();
            smallestRoot = Math.min(smallestRoot, node.smallestRoot());
        }
        double computation = Math.max(roots / Math.sqrt(balance), roots / (smallestRoot * balance));
        double[] resistances = EffectiveResistance.of(network);
        double[] edges = new double[network.edges()];
        for (int e = 0; e < edges.length; e++) {
            Conditioning tail = facts.get(network.tail(e));
            Conditioning head = facts.get(network.head(e));
            edges[e] = Math.sqrt(network.weight(e) * resistances[e] * (1 / tail.sigma() + 1 / head.sigma()));
        }
        double total = sum(edges);
        double convexity = facts.size() == 1 ? 1 : convexity(network, facts, balance);
        double communication = total / Math.sqrt(convexity);
        double rate = 1 / (communication + computation);
        double share = communication * rate;
        double scale = edges.length == 0 ? 0 : share / total;
        double allRoots = roots;
        return new LocalTuning(
                new Tuning(delay, balance, convexity, computation, communication, share, rate, rate / convexity),
                facts.stream()
                        .map(node -> (1 - share) * node.rootSum() / allRoots)
                        .toList(),
                Arrays.stream(edges).mapToObj(edge -> edge * scale).toList(),
                Arrays.stream(resistances).boxed().toList(),
                facts.stream().mapToLong(Conditioning::samples).sum());
    }

    private static double convexity(Network network, List<Conditioning> facts, double balance) {
        return Spectrum.smallest(
                network,
                facts.stream()
                        .mapToDouble(node -> node.sigma() + node.curvature() / (1 - balance))
                        .toArray());
    }

    /** In order, so that every machine gets the same bits. */
    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public double delay() {
        return tuning.delay();
    }

    /** The share of steps in which a node communicates, on average: every such step has two ends. */
    @Override
    public double communicationProbability() {
        return 2 * tuning.communicationProbability() / nodeProbabilities.size();
    }

    /** The share of steps in which a node computes, on average. */
    @Override
    public double computationProbability() {
        return tuning.computationProbability() / nodeProbabilities.size();
    }

    @Override
    public double stepsFor(double factor) {
        return tuning.stepsFor(factor);
    }

    @Override
    public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        return tuning.stepsLeft(before, stepsBefore, now, stepsNow, target);
    }

    @Override
    public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return tuning.keepsUp(before, stepsBefore, now, stepsNow);
    }

    /** Steps in which the network takes as many proximal steps as it has samples. */
    public long stepsPerEpoch() {
        return (long) Math.ceil(samples / tuning.computationProbability());
    }
}
