package dev.starling;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems.Nasty;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where a Newton step leads.
 *
 * @param optimum θ less the step, as good as exact
 * @param standardErrors the longest way that a coefficient goes, in standard errors
 */
record ExactStep(BigDecimal[] optimum, double standardErrors) {

    private static final MathContext SIXTY_DIGITS = new MathContext(60);

    /** The objective where an exact Newton step leads, which is as good as the optimum. */
    static BigDecimal objectiveAfter(Nasty nasty, ExactObjective exact, int regularised, double[] theta, Fit fit) {
        ExactStep step = ExactStep.from(
                nasty.data(),
                Losses.named(nasty.loss()),
                nasty.lambda(),
                regularised,
                theta,
                exact.gradient(theta),
                fit);
        return exact.primal(step.optimum());
    }

    static ExactStep from(
            Dataset data, Loss loss, double lambda, int regularised, double[] theta, BigDecimal[] gradient, Fit fit) {
        List<Integer> kept = IntStream.range(0, theta.length)
                .filter(c -> !fit.model().provenance().exactness().aliased().contains(c))
                .boxed()
                .toList();
        BigDecimal[][] hessian = hessian(data, loss, theta, kept);
        for (int c = 0; c < regularised; c++) {
            hessian[c][c] = hessian[c][c].add(new BigDecimal(lambda));
        }
        BigDecimal[][] inverse = inverse(hessian);
        double deviation = loss.isClassification()
                ? 1
                : Math.sqrt(2 * fit.objective() * data.rows() / (data.rows() - kept.size()));
        BigDecimal[] optimum = Arrays.stream(theta).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new);
        double furthest = 0;
        for (int a = 0; a < kept.size(); a++) {
            BigDecimal step = BigDecimal.ZERO;
            for (int b = 0; b < kept.size(); b++) {
                step = step.add(inverse[a][b].multiply(gradient[kept.get(b)], SIXTY_DIGITS));
            }
            optimum[kept.get(a)] = optimum[kept.get(a)].subtract(step);
            double error = deviation * Math.sqrt(inverse[a][a].doubleValue() / data.rows());
            furthest = Math.max(furthest, Math.abs(step.doubleValue()) / error);
        }
        return new ExactStep(optimum, furthest);
    }

    /** Curvatures are rounded, which changes the step by as little; nothing else is. */
    private static BigDecimal[][] hessian(Dataset data, Loss loss, double[] theta, List<Integer> kept) {
        BigDecimal[][] hessian = new BigDecimal[kept.size()][kept.size()];
        for (BigDecimal[] row : hessian) {
            Arrays.fill(row, BigDecimal.ZERO);
        }
        for (int row = 0; row < data.rows(); row++) {
            BigDecimal curvature = new BigDecimal(loss.curvature(data.dot(row, theta), data.label(row)) / data.rows());
            double[] x = new double[theta.length];
            data.addTo(row, 1, x);
            for (int a = 0; a < kept.size(); a++) {
                BigDecimal scaled = curvature.multiply(new BigDecimal(x[kept.get(a)]));
                for (int b = 0; b < kept.size(); b++) {
                    hessian[a][b] = hessian[a][b].add(
                            scaled.multiply(new BigDecimal(x[kept.get(b)]), SIXTY_DIGITS), SIXTY_DIGITS);
                }
            }
        }
        return hessian;
    }

    /** By Gauss and Jordan; the matrix, which is overwritten, is positive definite. */
    private static BigDecimal[][] inverse(BigDecimal[][] matrix) {
        int d = matrix.length;
        BigDecimal[][] inverse = new BigDecimal[d][d];
        for (int i = 0; i < d; i++) {
            Arrays.fill(inverse[i], BigDecimal.ZERO);
            inverse[i][i] = BigDecimal.ONE;
        }
        for (int pivot = 0; pivot < d; pivot++) {
            BigDecimal scale = BigDecimal.ONE.divide(matrix[pivot][pivot], SIXTY_DIGITS);
            for (int i = 0; i < d; i++) {
                BigDecimal factor = i == pivot ? BigDecimal.ZERO : matrix[i][pivot].multiply(scale, SIXTY_DIGITS);
                for (int j = 0; factor.signum() != 0 && j < d; j++) {
                    matrix[i][j] = matrix[i][j].subtract(factor.multiply(matrix[pivot][j]), SIXTY_DIGITS);
                    inverse[i][j] = inverse[i][j].subtract(factor.multiply(inverse[pivot][j]), SIXTY_DIGITS);
                }
            }
        }
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                inverse[i][j] = inverse[i][j].divide(matrix[i][i], SIXTY_DIGITS);
            }
        }
        return inverse;
    }
}
