package dev.starling.method;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.node.ObjectionException;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Everything that other nodes must know about a node to tune a method: a handful of numbers, no rows.
 *
 * @param samples m, the number of its samples
 * @param weight the sum of their weights
 * @param sigma σ, the node's share of the regulariser; 0 where there is none
 * @param own numbers specific to the method, see {@link Method#facts}
 */
public record Facts(long samples, double weight, double sigma, double[] own) {

    private static final int COMMON = 3;
    private static final int SIGMA = 2;
    private static final double SIGMA_TOLERANCE = 1e-9;
    private static final String SAME_VERSION = "; do all nodes run the same version?";

    /** Returns the facts of a node, including those specific to a method. */
    public static Facts of(LocalProblem problem, double[] own) {
        return new Facts(problem.samples(), problem.totalWeight(), problem.sigma(), own);
    }

    /** Returns all facts as a vector that {@link #decode} can read. */
    public double[] encode() {
        double[] numbers = new double[COMMON + own.length];
        numbers[0] = samples;
        numbers[1] = weight;
        numbers[SIGMA] = sigma;
        System.arraycopy(own, 0, numbers, COMMON, own.length);
        return numbers;
    }

    /**
     * Decodes what {@link #encode} returned on each node, possibly on other machines.
     *
     * @param own the number of facts specific to the method
     * @throws InvalidInputException naming a node whose numbers cannot be valid facts
     */
    public static List<Facts> decode(List<double[]> byNode, int own, Network network) {
        return IntStream.range(0, byNode.size())
                .mapToObj(node -> decode(byNode.get(node), own, network.name(node)))
                .toList();
    }

    private static Facts decode(double[] numbers, int own, String node) {
        if (numbers.length != length(own)) {
            throw new InvalidInputException("node " + node + " sent " + numbers.length + " facts where " + length(own)
                    + " were expected" + SAME_VERSION);
        }
        boolean sane = numbers[0] % 1 == 0;
        for (int k = 0; k < COMMON; k++) {
            sane &= (numbers[k] > 0 || (k == SIGMA && numbers[k] == 0)) && numbers[k] < Double.POSITIVE_INFINITY;
        }
        for (int k = COMMON; k < numbers.length; k++) {
            sane &= numbers[k] >= 0;
        }
        if (!sane) {
            throw new InvalidInputException("node " + node + " sent facts " + Arrays.toString(numbers)
                    + " that are not positive" + SAME_VERSION);
        }
        return new Facts(
                (long) numbers[0], numbers[1], numbers[SIGMA], Arrays.copyOfRange(numbers, COMMON, numbers.length));
    }

    /** Throws an objection to the node if its σ is not λ times the weight of its samples. */
    public void requireSigma(double lambda, int node) {
        double expected = lambda * weight;
        if (!(Math.abs(sigma - expected) <= SIGMA_TOLERANCE * expected)) {
            throw new ObjectionException(node, "sigma " + sigma + " is not lambda times its weight, " + expected);
        }
    }

    /** Returns the length of an encoded vector that has this many numbers specific to the method. */
    public static int length(int own) {
        return COMMON + own;
    }

    /** Returns the sums over all nodes, added in node order; the numbers specific to the method are left out. */
    public static Facts total(List<Facts> all) {
        long samples = 0;
        double weight = 0;
        double sigma = 0;
        for (Facts node : all) {
            samples += node.samples;
            weight += node.weight;
            sigma += node.sigma;
        }
        return new Facts(samples, weight, sigma, new double[0]);
    }
}
