package dev.starling.lab.general;

import dev.starling.data.InvalidInputException;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * One node's part of a problem of general functions: Σ_j f_j(θ) + (σ/2)‖θ‖².
 *
 * @param dimension d, the length of θ
 * @param functions the f_j; there may be none
 * @param sigma σ, this node's share of the regulariser
 * @param curvature M = λ_max(Σ_j L_j P_j), where f_j depends only on P_j θ; Σ_j L_j if nothing better is known
 */
public record LocalFunctions(int dimension, List<ProximalFunction> functions, double sigma, double curvature) {

    /** Checks the numbers. */
    public LocalFunctions {
        functions = List.copyOf(functions);
        if (dimension < 1) {
            throw new InvalidInputException("dimension " + dimension + " must be 1 or more");
        }
        if (!(sigma > 0) || Double.isInfinite(sigma)) {
            throw new InvalidInputException("regularisation " + sigma + " must be positive and finite");
        }
        for (int j = 0; j < functions.size(); j++) {
            double smoothness = functions.get(j).smoothness();
            if (!(smoothness > 0) || Double.isInfinite(smoothness)) {
                throw new InvalidInputException(
                        "function " + j + " has smoothness " + smoothness + "; it must be positive and finite");
            }
        }
        if (!(curvature >= 0) || Double.isInfinite(curvature)) {
            throw new InvalidInputException("curvature " + curvature + " must be 0 or more, and finite");
        }
    }

    /** Creates a node's part from functions about which only their smoothness is known. */
    public static LocalFunctions of(int dimension, List<ProximalFunction> functions, double sigma) {
        double sum =
                functions.stream().mapToDouble(ProximalFunction::smoothness).sum();
        return new LocalFunctions(dimension, functions, sigma, sum);
    }

    /** What the other nodes must know about this one. */
    public Conditioning facts() {
        double rootSum = 0;
        double smallestRoot = functions.isEmpty() ? 1 : Double.POSITIVE_INFINITY;
        double smoothnessSum = 0;
        for (ProximalFunction function : functions) {
            double root = Math.sqrt(1 + function.smoothness() / sigma);
            rootSum += root;
            smallestRoot = Math.min(smallestRoot, root);
            smoothnessSum += function.smoothness();
        }
        return new Conditioning(
                functions.size(),
                functions.size(),
                sigma,
                functions.isEmpty() ? 1 : rootSum,
                smallestRoot,
                smoothnessSum,
                curvature);
    }

    /** Σ_j f_j(θ) + (σ/2)‖θ‖². */
    public double value(double[] theta) {
        double sum = 0;
        for (double entry : theta) {
            sum += entry * entry;
        }
        sum *= sigma / 2;
        for (ProximalFunction function : functions) {
            sum += function.value(theta);
        }
        return sum;
    }

    /** Adds Σ_j ∇f_j(θ) + σθ. */
    public void addGradient(double[] theta, double[] into) {
        double[] gradient = new double[dimension];
        for (ProximalFunction function : functions) {
            function.gradient(theta, gradient);
            for (int c = 0; c < dimension; c++) {
                into[c] += gradient[c];
            }
        }
        for (int c = 0; c < dimension; c++) {
            into[c] += sigma * theta[c];
        }
    }
}
