package dev.starling.lab.general;

import dev.starling.data.InvalidInputException;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * A problem of general functions that all nodes solve together: P(θ) = Σ_i [ Σ_j f_ij(θ) + ω_i(θ) ], one
 * {@link LocalFunctions} per node.
 */
public record GeneralProblem(List<LocalFunctions> nodes) {

    private static final int CENTRAL_STEPS = 1_000_000;

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

    /** Writes ∇P(θ). */
    public double[] gradient(double[] theta) {
        double[] gradient = new double[dimension()];
        nodes.forEach(node -> node.addGradient(theta, gradient));
        return gradient;
    }

    /** A bound on P(θ) − P(θ*): P − Σ_i ω_i is convex, so the difference is at most ½ Σ_c (∂_c P(θ))²/Σ_i ω_ic. */
    public double gapBound(double[] theta) {
        double[] gradient = gradient(theta);
        double bound = 0;
        for (int c = 0; c < gradient.length; c++) {
            double omega = 0;
            for (LocalFunctions node : nodes) {
                omega += node.omega(c);
            }
            bound += gradient[c] * gradient[c] / (2 * omega);
        }
        return bound;
    }

    /** The minimiser as one machine finds it, by Nesterov's steps on the whole sum until the bound stops falling. */
    public double[] centralMinimiser() {
        double largest = 0;
        double convexity = 0;
        for (LocalFunctions node : nodes) {
            largest += node.curvature() + node.sigma();
            convexity += node.sigma();
        }
        double ratio = Math.sqrt(convexity / largest);
        double momentum = (1 - ratio) / (1 + ratio);
        double[] theta = new double[dimension()];
        double[] before = theta.clone();
        double[] best = theta.clone();
        double least = gapBound(theta);
        for (int t = 0, waited = 0; waited < 100 + 10 / ratio && t < CENTRAL_STEPS; t++, waited++) {
            double[] ahead = new double[theta.length];
            for (int c = 0; c < theta.length; c++) {
                ahead[c] = theta[c] + momentum * (theta[c] - before[c]);
            }
            double[] gradient = gradient(ahead);
            before = theta;
            theta = ahead;
            for (int c = 0; c < theta.length; c++) {
                theta[c] -= gradient[c] / largest;
            }
            double bound = gapBound(theta);
            if (bound < least) {
                least = bound;
                best = theta.clone();
                waited = 0;
            }
        }
        return best;
    }
}
