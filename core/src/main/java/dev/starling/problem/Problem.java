package dev.starling.problem;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The problem that all nodes solve together: P(θ) = Σ_i [ Σ_j w_ij ℓ(x_ijᵀθ; y_ij) + (σ_i/2)‖θ‖² ], one
 * {@link LocalProblem} per node. In the average form that users state, it is mean loss + (λ/2)‖θ‖² with Σσ_i = λ · (sum
 * of the weights).
 */
public record Problem(List<LocalProblem> nodes) {

    /** Validates that there is at least one node. */
    public Problem {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a problem needs at least one node");
        }
    }

    /** Divides the rows of a dataset among nodes: row r goes to node r mod nodes. */
    public static Problem deal(Dataset data, Loss loss, double lambda, int nodes) {
        if (!(lambda > 0) || Double.isInfinite(lambda)) {
            throw new InvalidInputException("lambda " + lambda + " must be positive and finite");
        }
        if (nodes < 1) {
            throw new InvalidInputException(nodes + " nodes; there must be at least one");
        }
        if (nodes > data.rows()) {
            throw new InvalidInputException(nodes + " nodes for " + data.rows()
                    + " samples; every node needs at least one, so use at most " + data.rows() + " nodes");
        }
        return new Problem(IntStream.range(0, nodes)
                .mapToObj(node -> LocalProblem.of(data.dealt(node, nodes), loss, lambda))
                .toList());
    }

    /** Returns a copy with another regulariser at every node. */
    public Problem withRegulariser(Regulariser regulariser) {
        return new Problem(
                nodes.stream().map(node -> node.withRegulariser(regulariser)).toList());
    }

    /** The function that σ_tot multiplies; half the squared norm by default. */
    public Regulariser regulariser() {
        return nodes.get(0).regulariser();
    }

    /** n, the number of nodes. */
    public int size() {
        return nodes.size();
    }

    /** d, the number of features. */
    public int features() {
        return nodes.get(0).features();
    }

    /** N, the number of samples of all nodes. */
    public long samples() {
        return nodes.stream().mapToLong(LocalProblem::samples).sum();
    }

    /** The sum of all weights, in node order. */
    public double totalWeight() {
        double sum = 0;
        for (LocalProblem node : nodes) {
            sum += node.totalWeight();
        }
        return sum;
    }

    /** σ_tot = Σσ_i, in node order. */
    public double totalSigma() {
        double sum = 0;
        for (LocalProblem node : nodes) {
            sum += node.sigma();
        }
        return sum;
    }

    /**
     * The average-form objective at θ: mean loss + λ ω₁(θ), where ω₁(θ) = ½‖θ‖² unless another regulariser was given.
     */
    public double objective(double[] theta) {
        double[] sums = nodes.parallelStream()
                .mapToDouble((LocalProblem node) -> node.lossSum(theta))
                .toArray();
        double loss = 0;
        for (double sum : sums) {
            loss += sum;
        }
        return (loss + totalSigma() * regulariser().value(theta)) / totalWeight();
    }
}
