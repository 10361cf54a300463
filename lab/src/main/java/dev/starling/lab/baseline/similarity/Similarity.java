package dev.starling.lab.baseline.similarity;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.NormOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * How much the Hessians of the nodes' losses differ at a point.
 *
 * @param largest max_i ‖H_i − H‖, where H is the mean of the H_i
 * @param average √‖mean of (H_i − H)²‖, which the theory of S-DANE can do with
 */
public record Similarity(double largest, double average) {

    /** With more features, Hessians are not compared. */
    public static final int MOST_FEATURES = 300;

    /** Compares the Hessians of the nodes where logistic losses are steepest. */
    static Similarity atZero(Problem problem) {
        double[] ones = new double[problem.size()];
        Arrays.fill(ones, 1);
        return of(problem, new double[problem.features()], ones);
    }

    /**
     * Compares the Hessians of the nodes.
     *
     * @param weights what each node's sum of losses is multiplied by
     */
    public static Similarity of(Problem problem, double[] theta, double[] weights) {
        if (problem.features() > MOST_FEATURES) {
            throw new InvalidInputException(
                    "aeg, s-dane, acc-s-dane, spag, sonata and acc-sonata compare the Hessians of"
                            + " nodes, for at most " + MOST_FEATURES + " features, and there are " + problem.features()
                            + "; newton and adfs take any number");
        }
        int d = theta.length;
        List<double[]> own = IntStream.range(0, problem.size())
                .parallel()
                .mapToObj(i -> hessian(problem.nodes().get(i), theta, weights[i]))
                .toList();
        double[] mean = new double[d * d];
        own.forEach(one -> Vectors.add(mean, 1.0 / own.size(), one));
        double largest = 0;
        DMatrixRMaj squares = new DMatrixRMaj(d, d);
        for (double[] one : own) {
            DMatrixRMaj difference = new DMatrixRMaj(d, d);
            Arrays.setAll(difference.data, k -> one[k] - mean[k]);
            largest = Math.max(largest, norm(difference));
            for (int row = 0; row < d; row++) {
                for (int column = 0; column < d; column++) {
                    squares.data[row * d + column] +=
                            Vectors.dot(difference.data, row * d, difference.data, column * d, d) / own.size();
                }
            }
        }
        return new Similarity(largest, Math.sqrt(norm(squares)));
    }

    private static double[] hessian(LocalProblem node, double[] theta, double weight) {
        int d = theta.length;
        Samples samples = Samples.of(node);
        double[] matrix = new double[d * d];
        for (int j = 0; j < samples.count(); j++) {
            double curvature = weight * samples.curvature(j, node.margin(j, theta));
            if (curvature > 0) {
                samples.addOuter(j, curvature, matrix);
            }
        }
        for (int row = 0; row < d; row++) {
            for (int column = 0; column < row; column++) {
                matrix[column * d + row] = matrix[row * d + column];
            }
        }
        return matrix;
    }

    /** The largest absolute eigenvalue of a symmetric matrix. */
    private static double norm(DMatrixRMaj symmetric) {
        EigenDecomposition_F64<DMatrixRMaj> spectrum = DecompositionFactory_DDRM.eig(symmetric.numRows, false, true);
        if (!spectrum.decompose(symmetric.copy())) {
            // As of many equal columns. Singular values, which take longer, are found then too.
            return NormOps_DDRM.inducedP2(symmetric);
        }
        return IntStream.range(0, symmetric.numRows)
                .mapToDouble(k -> Math.abs(spectrum.getEigenvalue(k).real))
                .max()
                .orElse(0);
    }
}
