package dev.starling.lab.general;

import dev.starling.data.InvalidInputException;
import dev.starling.problem.Conditioning;
import java.util.Arrays;
import java.util.List;

/**
 * One node's part of a problem of general functions: Σ_j f_j(θ) + ω(θ), where ω(θ) = ½ Σ_c ω_c θ_c² is the node's own
 * quadratic; (σ/2)‖θ‖² where all ω_c are σ.
 *
 * @param functions the f_j; there may be none
 * @param omega ω_c, for every coordinate
 * @param curvature M = λ_max(Σ_j L_j P_j + diag(ω) − σ), where f_j depends only on P_j θ, and σ is the smallest ω_c
 */
public record LocalFunctions(List<ProximalFunction> functions, double[] omega, double curvature) {

    /** Checks the numbers. */
    public LocalFunctions {
        functions = List.copyOf(functions);
        omega = omega.clone();
        if (omega.length < 1) {
            throw new InvalidInputException("dimension 0 must be 1 or more");
        }
        for (double entry : omega) {
            if (!(entry > 0) || Double.isInfinite(entry)) {
                throw new InvalidInputException("regularisation " + entry + " must be positive and finite");
            }
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

    /** Creates a node's part with (σ/2)‖θ‖² from functions about which only their smoothness is known. */
    public static LocalFunctions of(int dimension, List<ProximalFunction> functions, double sigma) {
        return of(functions, filled(dimension, sigma));
    }

    /** Creates a node's part from functions about which only their smoothness is known. */
    public static LocalFunctions of(List<ProximalFunction> functions, double[] omega) {
        double sum =
                functions.stream().mapToDouble(ProximalFunction::smoothness).sum();
        double spread = Arrays.stream(omega).max().orElse(0)
                - Arrays.stream(omega).min().orElse(0);
        return new LocalFunctions(functions, omega, sum + spread);
    }

    /** A vector of equal entries. */
    public static double[] filled(int dimension, double entry) {
        double[] vector = new double[dimension];
        Arrays.fill(vector, entry);
        return vector;
    }

    @Override
    public double[] omega() {
        return omega.clone();
    }

    /** d, the length of θ. */
    public int dimension() {
        return omega.length;
    }

    /** ω_c. */
    public double omega(int coordinate) {
        return omega[coordinate];
    }

    /** σ, the strong convexity of ω. */
    public double sigma() {
        return Arrays.stream(omega).min().orElseThrow();
    }

    /** What the other nodes must know about this one. */
    public Conditioning facts() {
        double rootSum = 0;
        double smallestRoot = functions.isEmpty() ? 1 : Double.POSITIVE_INFINITY;
        double smoothnessSum = 0;
        double sigma = sigma();
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

    /** Σ_j f_j(θ) + ω(θ). */
    public double value(double[] theta) {
        double sum = 0;
        for (int c = 0; c < theta.length; c++) {
            sum += omega[c] * theta[c] * theta[c] / 2;
        }
        for (ProximalFunction function : functions) {
            sum += function.value(theta);
        }
        return sum;
    }

    /** Adds Σ_j ∇f_j(θ) + ∇ω(θ). */
    public void addGradient(double[] theta, double[] into) {
        double[] gradient = new double[omega.length];
        for (ProximalFunction function : functions) {
            function.gradient(theta, gradient);
            for (int c = 0; c < omega.length; c++) {
                into[c] += gradient[c];
            }
        }
        for (int c = 0; c < omega.length; c++) {
            into[c] += omega[c] * theta[c];
        }
    }
}
