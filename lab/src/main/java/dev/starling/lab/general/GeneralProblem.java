package dev.starling.lab.general;

import dev.starling.data.InvalidInputException;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * A problem of general functions that all nodes solve together: P(θ) = Σ_i [ Σ_j f_ij(θ) + (σ_i/2)‖θ‖² ], one
 * {@link LocalFunctions} per node.
 */
public record GeneralProblem(List<LocalFunctions> nodes) {

    /** Checks that there is at least one node and that all have the same dimension. */
    public GeneralProblem {
        nodes = List.copyOf(nodes);
        if (nodes.isEmpty()) {
            throw new InvalidInputException("a problem of 0 nodes; there must be at least one");
        }
        for (LocalFunctions node : nodes) {
            if (node.dimension() != nodes.get(0).dimension()) {
                throw new InvalidInputException("a node has dimension " + node.dimension() + ", another "
                        + nodes.get(0).dimension() + "; all must have the same");
            }
        }
    }

    /** d, the length of θ. */
    public int dimension() {
        return nodes.get(0).dimension();
    }

    /** The conditioning of every node, for the tuning. */
    public List<Conditioning> facts() {
        return nodes.stream().map(LocalFunctions::facts).toList();
    }

    /** P(θ). */
    public double value(double[] theta) {
        double sum = 0;
        for (LocalFunctions node : nodes) {
            sum += node.value(theta);
        }
        return sum;
    }

    /** A bound on P(θ) − P(θ*): P is σ_tot-strongly convex, so the difference is at most ‖∇P(θ)‖²/(2σ_tot). */
    public double gapBound(double[] theta) {
        double[] gradient = new double[dimension()];
        double sigma = 0;
        for (LocalFunctions node : nodes) {
            node.addGradient(theta, gradient);
            sigma += node.sigma();
        }
        double squared = 0;
        for (double entry : gradient) {
            squared += entry * entry;
        }
        return squared / (2 * sigma);
    }
}
