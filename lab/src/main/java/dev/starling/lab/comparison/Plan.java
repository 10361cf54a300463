package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.bound.LowerBound;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * What theory says before anything runs: the time per digit of each method by the formulas of the paper's Table 1, the
 * lower bound, and how both change with the number of nodes. Nodes are taken to be alike, constants are left out as in
 * the table, and a digit is a factor 10 in the error.
 *
 * @param samples N, of all nodes together
 * @param stochasticConditioning κ_s
 * @param batchConditioning κ_b
 * @param delay τ
 * @param nodes n
 * @param gamma γ of the graph; 1 for a single node, which has nothing to communicate
 */
public record Plan(
        double samples,
        double stochasticConditioning,
        double batchConditioning,
        double delay,
        int nodes,
        double gamma) {

    private static final double SMALLEST_BALANCE = 0.05;
    private static final double LARGEST_BALANCE = 0.9995;
    private static final int MOST_NODES = 4096;

    /** Checks that the numbers make sense together. */
    public Plan {
        requireAtLeast("samples", samples, nodes);
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

    /** A plan for a network. */
    public static Plan of(
            double samples, double stochasticConditioning, double batchConditioning, double delay, Network network) {
        double gamma = network.size() == 1 ? 1 : Spectrum.of(network).gamma();
        return new Plan(samples, stochasticConditioning, batchConditioning, delay, network.size(), gamma);
    }

    /** A plan for nodes with the given facts: the largest conditioning of any of them counts. */
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

    /** m = N/n. */
    public double samplesPerNode() {
        return samples / nodes;
    }

    /** Time per digit of every method in the paper's Table 1, by name. */
    public Map<String, Double> timesPerDigit() {
        double m = samplesPerNode();
        double stochastic = stochasticConditioning;
        double batch = batchConditioning;
        double computing = m + Math.sqrt(m * stochastic);
        Map<String, Double> times = new LinkedHashMap<>();
        times.put("adfs", computing + communicating(delay * Math.sqrt(communicationConditioning() / gamma)));
        times.put("adfs-local", computing + communicating((1 + delay) * Math.sqrt(stochastic / gamma)));
        times.put("msda", Math.sqrt(batch) * (m + communicating(delay / Math.sqrt(gamma))));
        times.put("esdacd", (m + communicating(delay)) * Math.sqrt(batch / gamma));
        times.put("dsba", (m + stochastic + 1 / gamma) * (1 + communicating(delay)));
        times.put("point-saga", samples + Math.sqrt(samples * stochastic));
        times.replaceAll((name, time) -> time * StrictMath.log(10));
        return Collections.unmodifiableMap(times);
    }

    private double communicating(double time) {
        return nodes == 1 ? 0 : time;
    }

    /** The time per digit that no method beats: Theorem 1 without its constant. */
    public double lowerBoundPerDigit() {
        return LowerBound.time(
                samplesPerNode(), stochasticConditioning, batchConditioning, gamma, nodes == 1 ? 0 : delay, 0.1);
    }

    /** c, the balance of computation and communication that makes the time of S-ADFS smallest. */
    public double balance() {
        if (nodes == 1) {
            return 1;
        }
        return minimise(c -> computationConstant(c) + delay * communicationConstant(c));
    }

    /** κ_comm = 1 + (κ_b − 1)/(1 − c) at the best c. */
    public double communicationConditioning() {
        return nodes == 1 ? 1 : conditioning(balance());
    }

    /** p_comm, the share of steps of S-ADFS that communicate. */
    public double communicationProbability() {
        if (nodes == 1) {
            return 0;
        }
        double c = balance();
        double communication = communicationConstant(c);
        return communication / (communication + computationConstant(c));
    }

    /** Time per digit of S-ADFS as it is tuned here, constants included: (C_comp + τ C_comm) ln 10. */
    public double tunedTimePerDigit() {
        double c = balance();
        double communication = nodes == 1 ? 0 : delay * communicationConstant(c);
        return (computationConstant(c) + communication) * StrictMath.log(10);
    }

    /** S/√c where all samples are alike: S = m√(1 + (κ_s − 1)/m); and at least m/c, so that ρ ≤ c·p_ij. */
    private double computationConstant(double c) {
        double m = samplesPerNode();
        double rootSum = Math.sqrt(m * m + m * (stochasticConditioning - 1));
        return Math.max(rootSum / Math.sqrt(c), m / c);
    }

    private double communicationConstant(double c) {
        return Math.sqrt(conditioning(c) / gamma);
    }

    private double conditioning(double c) {
        return 1 + (batchConditioning - 1) / (1 - c);
    }

    /** Golden-section search on the logit of c, in which the time has one valley. */
    private static double minimise(DoubleUnaryOperator time) {
        double golden = (Math.sqrt(5) - 1) / 2;
        double low = StrictMath.log(SMALLEST_BALANCE / (1 - SMALLEST_BALANCE));
        double high = StrictMath.log(LARGEST_BALANCE / (1 - LARGEST_BALANCE));
        for (int k = 0; k < 60; k++) {
            double inner = high - golden * (high - low);
            double outer = low + golden * (high - low);
            if (time.applyAsDouble(logistic(inner)) <= time.applyAsDouble(logistic(outer))) {
                high = outer;
            } else {
                low = inner;
            }
        }
        return logistic((low + high) / 2);
    }

    private static double logistic(double x) {
        return 1 / (1 + StrictMath.exp(-x));
    }

    /** The same total of samples on networks of other sizes of a family, from one node on. */
    public List<Plan> atOtherSizes(String topology, long seed) {
        List<Plan> plans = new ArrayList<>();
        for (int size : sizes(topology, (int) Math.min(samples, MOST_NODES))) {
            network(topology, size, seed)
                    .ifPresent(network ->
                            plans.add(of(samples, stochasticConditioning, batchConditioning, delay, network)));
        }
        return plans;
    }

    /** The same network with nodes that have this many samples each. */
    public Plan withSamplesPerNode(double count) {
        return new Plan(count * nodes, stochasticConditioning, batchConditioning, delay, nodes, gamma);
    }

    /** Of plans for growing sizes, the one whose time is smallest: more nodes than these do not help. */
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
     * Of plans for growing sizes, the last before communication takes more time than computation: up to here nodes that
     * bring their own samples cost hardly any time.
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

    /** Sizes that are some 30 % apart; squares for grids, which are lines at a prime number of nodes. */
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
