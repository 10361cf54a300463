package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.job.TrainingPlan;
import dev.starling.lab.bound.LowerBound;
import dev.starling.lab.conversation.LocalClocks;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What theory predicts before anything runs: the time per digit of the methods in the paper's Table 1, each from the
 * rate that its own theorem gives with all its constants, the lower bound, and how both change with the number of
 * nodes. All nodes are assumed to be alike, and a digit is a factor of 10 in the error.
 *
 * @param samples N, the samples of all nodes together
 * @param stochasticConditioning κ_s
 * @param batchConditioning κ_b
 * @param delay τ
 * @param network the graph
 * @param spectrum the spectrum of its Laplacian
 */
public record Plan(
        double samples,
        double stochasticConditioning,
        double batchConditioning,
        double delay,
        Network network,
        Spectrum spectrum) {

    private static final int MOST_NODES = 4096;

    /** Tolerance that keeps the floor of 1/√γ right if it is a whole number up to rounding. */
    private static final double ROUNDING = 1e-6;

    /**
     * The prediction for a method.
     *
     * @param method its name
     * @param timePerDigit idealised time in which the error shrinks by a factor of 10
     * @param remark a caveat about the number; may be empty
     */
    public record Estimate(String method, double timePerDigit, String remark) {}

    /** Checks that the numbers are consistent. */
    public Plan {
        requireAtLeast("samples", samples, network.size());
        requireAtLeast("kappa", stochasticConditioning, 1);
        requireAtLeast("kappa-batch", batchConditioning, 1);
        requireAtLeast("tau", delay, 0);
        if (batchConditioning > stochasticConditioning * (1 + 1e-9)) {
            throw new InvalidInputException(
                    "kappa-batch " + batchConditioning + " must be at most kappa, " + stochasticConditioning);
        }
    }

    private static void requireAtLeast(String name, double value, double least) {
        if (!(value >= least) || Double.isInfinite(value)) {
            throw new InvalidInputException(name + " " + value + " must be " + least + " or more, and finite");
        }
    }

    /** Makes a plan for a network. */
    public static Plan of(
            double samples, double stochasticConditioning, double batchConditioning, double delay, Network network) {
        return new Plan(samples, stochasticConditioning, batchConditioning, delay, network, Spectrum.of(network));
    }

    /** A plan for the rows and the network that ADFS is about to train on. */
    public static Plan of(TrainingPlan training, double delay) {
        return of(training.facts().stream().map(AdfsMethod::conditioning).toList(), delay, training.network());
    }

    /** Makes a plan for nodes with the given facts: the worst conditioning of any node counts. */
    public static Plan of(List<Conditioning> facts, double delay, Network network) {
        return of(
                facts.stream().mapToDouble(Conditioning::samples).sum(),
                facts.stream()
                        .mapToDouble(Conditioning::stochasticConditioning)
                        .max()
                        .orElse(1),
                facts.stream()
                        .mapToDouble(Conditioning::batchConditioning)
                        .max()
                        .orElse(1),
                delay,
                network);
    }

    /** n. */
    public int nodes() {
        return network.size();
    }

    /** γ of the graph; 1 for a single node, which has nothing to communicate. */
    public double gamma() {
        return spectrum.gamma();
    }

    /** m = N/n. */
    public double samplesPerNode() {
        return samples / nodes();
    }

    /** The predictions for all methods in the paper's Table 1. */
    public List<Estimate> estimates() {
        return List.of(
                new Estimate("adfs", tunedTimePerDigit(), ""),
                digit("adfs-local", local(), "waiting included"),
                digit("msda", msda(), "worst case over all problems with these condition numbers"),
                digit("esdacd", esdacd(), "worst case, waiting included"),
                digit(
                        "dsba",
                        (samplesPerNode() + stochasticConditioning + 1 / gamma()) * (1 + communicating(delay)),
                        "order of magnitude: its theorem has no constant for the step that is used"),
                digit("point-saga", pointSaga(), "on one machine"));
    }

    private static Estimate digit(String method, double timePerFactor, String remark) {
        return new Estimate(method, timePerFactor * StrictMath.log(10), remark);
    }

    private double communicating(double time) {
        return nodes() == 1 ? 0 : time;
    }

    /**
     * Locally synchronous ADFS: computes as much as S-ADFS and communicates {@link #exchangesPerRound} times as often,
     * with the best c for that; includes all waiting.
     */
    private double local() {
        if (nodes() == 1) {
            return computationConstant(1);
        }
        double ratio = exchangesPerRound();
        double c = Tuning.bestBalance(
                balance -> computationConstant(balance) + delay * ratio * communicationConstant(balance));
        return pairs(ratio * communicationConstant(c), computationConstant(c), 0);
    }

    /** ESDACD: both ends of an edge go over all their samples before they communicate. */
    private double esdacd() {
        return nodes() == 1
                ? samplesPerNode() * Math.sqrt(batchConditioning)
                : pairs(exchangesPerRound() * Math.sqrt(batchConditioning / gamma()), 0, samplesPerNode());
    }

    /**
     * How many exchanges per node achieve the same as one round on all edges, if one edge is drawn at a time: (2/n)
     * Σ_kl √(2R_kl)/√λ_max(L), with R the effective resistances. Since these sum to n − 1, that is at most
     * 2√(d(n−1)/n)/√λ_max, with d the mean degree, and exactly that if all edges are alike.
     */
    private double exchangesPerRound() {
        double degree = 2.0 * network.edges() / nodes();
        return 2 * Math.sqrt(degree * (nodes() - 1) / nodes() / spectrum.largest());
    }

    /**
     * The time in which every node has the given number of exchanges on average.
     *
     * @param meanwhile how much each node computes in that time, independently of the exchanges
     * @param forEach how much each end computes for every exchange
     */
    private double pairs(double exchangesPerNode, double meanwhile, double forEach) {
        double exchanges = exchangesPerNode * nodes() / 2;
        double[] between = new double[nodes()];
        Arrays.fill(between, meanwhile / exchanges);
        return exchanges
                * LocalClocks.timePerExchange(
                        network, random -> random.nextInt(network.edges()), between, forEach, Timing.even(delay));
    }

    /**
     * MSDA: an iteration goes over all samples and communicates K = ⌊1/√γ⌋ times; the squared error shrinks by a factor
     * 1 − (1−c₁^K)/((1+c₁^K)√κ_b), c₁ = (1−√γ)/(1+√γ).
     */
    private double msda() {
        double root = Math.sqrt(batchConditioning);
        if (nodes() == 1) {
            return root * samplesPerNode();
        }
        double rounds = Math.max(1, Math.floor((1 + ROUNDING) / Math.sqrt(gamma())));
        double contraction = StrictMath.pow((1 - Math.sqrt(gamma())) / (1 + Math.sqrt(gamma())), rounds);
        return root * (1 + contraction) / (1 - contraction) * (samplesPerNode() + rounds * delay);
    }

    /** Point-SAGA: a step removes a fraction μg/(1+μg) of the error, with μg = (√((N−1)² + 4Nκ_s) − (N−1))/(2κ_s N). */
    private double pointSaga() {
        double fewer = samples - 1;
        double root = Math.sqrt(fewer * fewer + 4 * samples * stochasticConditioning);
        double product = (root - fewer) / (2 * stochasticConditioning * samples);
        return (1 + product) / product;
    }

    /** The lower bound on the time per digit of any method: Theorem 1 without its constant. */
    public double lowerBoundPerDigit() {
        return LowerBound.time(
                samplesPerNode(), stochasticConditioning, batchConditioning, gamma(), communicating(delay), 0.1);
    }

    /** c, the balance of computation and communication that minimises the time of S-ADFS. */
    public double balance() {
        if (nodes() == 1) {
            return 1;
        }
        return Tuning.bestBalance(c -> computationConstant(c) + delay * communicationConstant(c));
    }

    /** p_comm, the share of steps of S-ADFS that communicate. */
    public double communicationProbability() {
        if (nodes() == 1) {
            return 0;
        }
        double c = balance();
        double communication = communicationConstant(c);
        return communication / (communication + computationConstant(c));
    }

    /** Time per digit of S-ADFS: (C_comp + τ C_comm) ln 10. */
    public double tunedTimePerDigit() {
        double c = balance();
        double communication = nodes() == 1 ? 0 : delay * communicationConstant(c);
        return (computationConstant(c) + communication) * StrictMath.log(10);
    }

    /** S/√c if all samples are alike, with S = m√(1 + (κ_s − 1)/m); and at least m/c, so that ρ ≤ c·p_ij. */
    private double computationConstant(double c) {
        double m = samplesPerNode();
        double rootSum = Math.sqrt(m * m + m * (stochasticConditioning - 1));
        return Math.max(rootSum / Math.sqrt(c), m / c);
    }

    private double communicationConstant(double c) {
        return Math.sqrt((1 + (batchConditioning - 1) / (1 - c)) / gamma());
    }

    /** Plans for the same total number of samples on networks of other sizes from a family, starting with one node. */
    public List<Plan> atOtherSizes(String topology, long seed) {
        List<Plan> plans = new ArrayList<>();
        for (int size : sizes(topology, (int) Math.min(samples, MOST_NODES))) {
            network(topology, size, seed)
                    .ifPresent(network ->
                            plans.add(of(samples, stochasticConditioning, batchConditioning, delay, network)));
        }
        return plans;
    }

    /** The same plan with this many samples at each node. */
    public Plan withSamplesPerNode(double count) {
        return new Plan(count * nodes(), stochasticConditioning, batchConditioning, delay, network, spectrum);
    }

    /** Of plans for growing sizes, the one with the shortest time: more nodes do not help. */
    public static Plan fastest(List<Plan> plans) {
        Plan best = plans.get(0);
        for (Plan plan : plans) {
            if (plan.tunedTimePerDigit() < best.tunedTimePerDigit()) {
                best = plan;
            }
        }
        return best;
    }

    /**
     * Of plans for growing sizes, the last before communication takes more time than computation: up to this size,
     * adding nodes that bring their own samples costs hardly any time.
     */
    public static Plan lastDominatedByComputation(List<Plan> plans) {
        Plan last = plans.get(0);
        for (Plan plan : plans) {
            double c = plan.balance();
            if (plan.nodes() > 1 && plan.delay() * plan.communicationConstant(c) > plan.computationConstant(c)) {
                return last;
            }
            last = plan;
        }
        return last;
    }

    private static Optional<Network> network(String topology, int size, long seed) {
        try {
            return Optional.of(Topology.named(topology).build(size, seed));
        } catch (InvalidInputException e) {
            // Not every family has a graph of every size.
            return Optional.empty();
        }
    }

    /** Sizes about 30 % apart; squares for grids, which would be lines for a prime number of nodes. */
    private static List<Integer> sizes(String topology, int most) {
        List<Integer> sizes = new ArrayList<>(List.of(1));
        boolean squares = topology.startsWith("grid") || topology.startsWith("torus");
        boolean powers = topology.startsWith("hypercube");
        for (double size = 2; size <= most; size *= powers ? 2 : 1.3) {
            int side = (int) Math.round(Math.sqrt(size));
            int rounded = squares ? side * side : (int) Math.round(size);
            if (rounded > sizes.get(sizes.size() - 1) && rounded <= most) {
                sizes.add(rounded);
            }
        }
        return sizes;
    }
}
