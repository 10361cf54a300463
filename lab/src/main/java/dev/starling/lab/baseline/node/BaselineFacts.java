package dev.starling.lab.baseline.node;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What the parameters of the methods are computed from: the conditioning of every node, and the largest smoothness L_ij
 * of a sample at each of them.
 */
public record BaselineFacts(List<Conditioning> nodes, double[] largestSmoothness) {

    /** Computes the facts of a problem, after checking that the method can handle it. */
    public static BaselineFacts of(String method, Problem problem, Network network) {
        require(method, problem, network);
        List<Conditioning> nodes =
                problem.nodes().parallelStream().map(Conditioning::of).toList();
        double[] largest = problem.nodes().stream()
                .mapToDouble(node -> Samples.of(node).largestSmoothness())
                .toArray();
        return new BaselineFacts(nodes, largest);
    }

    /** Rejects a loss without kinks whose curvature has no bound, on which all step sizes rest. */
    private static void requireBoundedIfSmooth(String method, Loss loss) {
        if (loss.isDifferentiable() && !loss.hasBoundedCurvature()) {
            throw new InvalidInputException(method + " needs a bound on the curvature of the loss, and that of "
                    + loss.name() + " has none; train it with newton");
        }
    }

    /**
     * Rejects kinks (points where the slope of the loss jumps), for which none of these methods has a rate, and a
     * network of a different size.
     */
    public static void require(String method, Problem problem, Network network) {
        LocalProblem first = problem.nodes().get(0);
        requireBoundedIfSmooth(method, first.loss());
        if (!first.loss().isDifferentiable()) {
            throw new InvalidInputException(
                    method + " cannot take the loss " + first.loss().name()
                            + ", which is not smooth; use the algorithm ns-adfs, or a smooth loss: logistic, squared,"
                            + " squared-hinge, smoothed-hinge, huber or squared-epsilon-insensitive");
        }
        if (!problem.regulariser().isSmooth()) {
            throw new InvalidInputException(method + " cannot take an l1 term, which has kinks; ns-adfs can");
        }
        if (problem.size() != network.size()) {
            throw new InvalidInputException(method + " was given a problem of " + problem.size() + " nodes and the "
                    + network.description() + " of " + network.size() + "; they must be the same");
        }
    }

    /** max_i m_i. */
    public double mostSamples() {
        return largest(Conditioning::samples);
    }

    public double[] sigmas() {
        return of(Conditioning::sigma).toArray();
    }

    public double smallestSigma() {
        return of(Conditioning::sigma).min().orElseThrow();
    }

    /** σ_i + M_i, the smoothness of f_i, at every node. */
    public double[] batchSmoothness() {
        return of(BaselineFacts::batchSmoothness).toArray();
    }

    /** max_i (σ_i + M_i). */
    public double largestBatchSmoothness() {
        return largest(BaselineFacts::batchSmoothness);
    }

    /** max_i (σ_i + Σ_j L_ij), the smoothness of a node's function as samples drawn in proportion to L_ij see it. */
    public double largestSampledSmoothness() {
        return largest(node -> node.sigma() + node.smoothnessSum());
    }

    /** The mean of σ_i + M_i, an upper bound on the smoothness of the mean of the f_i. */
    public double meanBatchSmoothness() {
        return of(BaselineFacts::batchSmoothness).sum() / nodes.size();
    }

    /** The mean of σ_i, the strong convexity of the mean of the f_i. */
    public double meanSigma() {
        return of(Conditioning::sigma).sum() / nodes.size();
    }

    /** max_ij m_i L_ij: the smoothness of a sample's loss when it stands for all m_i samples of its node. */
    public double largestScaledSmoothness() {
        double largest = 0;
        for (int i = 0; i < nodes.size(); i++) {
            largest = Math.max(largest, (double) nodes.get(i).samples() * largestSmoothness[i]);
        }
        return largest;
    }

    /** The largest of some number of the nodes. */
    public double largest(ToDoubleFunction<Conditioning> number) {
        return of(number).max().orElseThrow();
    }

    private DoubleStream of(ToDoubleFunction<Conditioning> number) {
        return nodes.stream().mapToDouble(number);
    }

    private static double batchSmoothness(Conditioning node) {
        return node.sigma() + node.curvature();
    }
}
