package dev.starling.lab.general;

import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Linear models as functions of the whole parameter: what general programs and those for linear models both solve. */
public final class LinearFunctions {

    private LinearFunctions() {}

    /** One function per sample of every node. */
    public static GeneralProblem of(Problem problem) {
        return new GeneralProblem(
                problem.nodes().stream().map(LinearFunctions::of).toList());
    }

    static LocalFunctions of(LocalProblem problem) {
        List<ProximalFunction> functions = IntStream.range(0, problem.samples())
                .<ProximalFunction>mapToObj(sample -> new LinearModel(problem, sample))
                .toList();
        return LocalFunctions.of(problem.features(), functions, problem.sigma());
    }

    /** w ℓ(xᵀθ; y). */
    private record LinearModel(LocalProblem problem, int sample) implements ProximalFunction {
        private int row() {
            return problem.row(sample);
        }

        @Override
        public double value(double[] theta) {
            double margin = problem.data().dot(row(), theta);
            return problem.weight(sample) * problem.loss().value(margin, problem.label(sample));
        }

        @Override
        public void gradient(double[] theta, double[] into) {
            Arrays.fill(into, 0);
            double slope = problem.loss().derivative(problem.data().dot(row(), theta), problem.label(sample));
            problem.data().addTo(row(), problem.weight(sample) * slope, into);
        }

        @Override
        public void prox(double[] point, double step, double[] into) {
            double scaled = step * problem.weight(sample) * problem.data().squaredNorm(row());
            double dot = problem.data().dot(row(), point);
            double margin = problem.loss().prox(dot, scaled, problem.label(sample), dot);
            System.arraycopy(point, 0, into, 0, point.length);
            double change = (margin - dot) / problem.data().squaredNorm(row());
            problem.data().addTo(row(), change, into);
        }

        @Override
        public double smoothness() {
            return problem.loss().smoothness()
                    * problem.weight(sample)
                    * problem.data().squaredNorm(row());
        }
    }
}
