package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.similarity.Sliding;
import dev.starling.lab.baseline.similarity.Spag;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.NodeProgram;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ReferenceNewton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The methods under similarity against their formulas, written down with matrices and exact inner solutions. */
class LiteralSimilarityTest {

    private static final int NODES = 4;
    private static final double LAMBDA = 1e-3;
    private static final Network TREE = Topology.named("star").build(NODES, 1);
    private final Dataset data = Rows.classification(400, 5);
    private final Problem problem = Problem.deal(data, new Logistic(), LAMBDA, NODES);
    private final double mu = problem.totalSigma() / NODES;

    /** The models of the hub, as they change. */
    private List<double[]> models(Algorithm method, int steps) {
        List<double[]> all = new ArrayList<>(List.of(new double[problem.features()]));
        StopSignal stop = StopSignal.manual();
        Observer observer = (node, program, clock, rounds) -> {
            double[] theta = new double[problem.features()];
            program.estimate(theta);
            if (node == 0 && !Arrays.equals(theta, all.get(all.size() - 1))) {
                all.add(theta);
            }
            if (all.size() > steps || rounds > 10L * steps) { // at the optimum they change no more
                stop.request();
            }
        };
        List<? extends NodeProgram> programs = method.programs(problem, TREE, 5, 1);
        new Simulator(observer).run(TREE, programs, Delays.uniform(5), stop);
        return all;
    }

    private static double[] array(Matrix column) {
        double[] array = new double[column.rows()];
        Arrays.setAll(array, k -> column.entry(k, 0));
        return array;
    }

    private Matrix gradient(LocalProblem node, Matrix x) {
        double[] theta = array(x);
        double[] sum = new double[theta.length];
        for (int j = 0; j < node.samples(); j++) {
            node.data().addTo(node.row(j), new Logistic().derivative(node.margin(j, theta), node.label(j)), sum);
        }
        return Matrix.ofRow(sum).transpose().plus(x.scale(node.sigma()));
    }

    private Matrix mean(Matrix x) {
        Matrix sum = new Matrix(x.rows(), 1);
        for (LocalProblem node : problem.nodes()) {
            sum = sum.plus(gradient(node, x));
        }
        return sum.scale(1.0 / NODES);
    }

    /** The x with ∇f_i(x) + qx = target, by Newton's method to the last digit. */
    private Matrix solve(LocalProblem node, double q, Matrix target) {
        Matrix x = new Matrix(target.rows(), 1);
        for (int k = 0; k < 60; k++) {
            Matrix hessian = Matrix.identity(target.rows()).scale(node.sigma() + q);
            for (int j = 0; j < node.samples(); j++) {
                double[] row = new double[target.rows()];
                node.data().addTo(node.row(j), 1, row);
                Matrix column = Matrix.ofRow(row).transpose();
                double curvature = new Logistic().curvature(node.margin(j, array(x)), 1);
                hessian = hessian.plus(column.mult(column.transpose()).scale(curvature));
            }
            Matrix residual = gradient(node, x).plus(x.scale(q)).minus(target);
            Matrix step = hessian.solve(residual.transpose()).transpose();
            double length = 1;
            while (gradient(node, x.minus(step.scale(length)))
                                    .plus(x.minus(step.scale(length)).scale(q))
                                    .minus(target)
                                    .norm()
                            > residual.norm()
                    && length > 1e-6) {
                length /= 2;
            }
            x = x.minus(step.scale(length));
        }
        return x;
    }

    private void assertAlike(Algorithm method, List<Matrix> literal) {
        List<double[]> found = models(method, literal.size() - 1);
        for (int k = 1; k < literal.size(); k++) {
            double scale = literal.get(k).norm();
            assertThat(found.get(k))
                    .as(method.name() + " after step " + k)
                    .containsExactly(array(literal.get(k)), within(2e-3 * scale));
        }
    }

    @Test
    void aegIsItsRecursion() {
        double q = Sliding.parameters(Sliding.Kind.AEG, problem, 1).proximity();
        assertAlike(Baselines.named("aeg"), sliding(q, true));
    }

    @Test
    void acceleratedStabilisedDaneIsItsRecursion() {
        double q = Sliding.parameters(Sliding.Kind.ACC_S_DANE, problem, 1).proximity();
        assertAlike(Baselines.named("acc-s-dane"), sliding(q, false));
    }

    /** AEG if only the hub solves, otherwise accelerated S-DANE. */
    private List<Matrix> sliding(double q, boolean hub) {
        int d = problem.features();
        Matrix x = new Matrix(d, 1);
        Matrix v = x;
        double all = 0;
        double b = 1;
        List<Matrix> models = new ArrayList<>(List.of(x));
        for (int k = 0; k < 6; k++) {
            double a = hub
                    ? b / (4 * q) + Math.sqrt(b * b / (16 * q * q) + all * b / (2 * q))
                    : b / (2 * q) + Math.sqrt(b * b / (4 * q * q) + all * b / q);
            Matrix y = x.scale(all).plus(v.scale(a)).scale(1 / (all + a));
            Matrix at = mean(y);
            Matrix g = new Matrix(d, 1);
            Matrix next = new Matrix(d, 1);
            for (LocalProblem node : hub ? problem.nodes().subList(0, 1) : problem.nodes()) {
                Matrix own = solve(node, q, gradient(node, y).minus(at).plus(y.scale(q)));
                next = next.plus(own.scale(hub ? 1 : 1.0 / NODES));
                g = g.plus(gradient(node, own).scale(1.0 / NODES));
            }
            x = next;
            g = hub ? mean(x) : g;
            v = x.scale(mu * a).plus(v.scale(b)).minus(g.scale(a)).scale(1 / (mu * a + b));
            all += a;
            b += mu * a;
            models.add(x);
        }
        return models;
    }

    @Test
    void stabilisedDaneIsItsRecursion() {
        double q = Sliding.parameters(Sliding.Kind.S_DANE, problem, 1).proximity();
        Matrix v = new Matrix(problem.features(), 1);
        List<Matrix> models = new ArrayList<>(List.of(v));
        for (int k = 0; k < 6; k++) {
            Matrix x = new Matrix(problem.features(), 1);
            Matrix g = x;
            for (LocalProblem node : problem.nodes()) {
                Matrix own = solve(node, q, gradient(node, v).minus(mean(v)).plus(v.scale(q)));
                x = x.plus(own.scale(1.0 / NODES));
                g = g.plus(gradient(node, own).scale(1.0 / NODES));
            }
            v = x.scale(mu / q).plus(v).minus(g.scale(1 / q)).scale(1 / (mu / q + 1));
            models.add(x);
        }
        assertAlike(Baselines.named("s-dane"), models);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void spagIsItsRecursion(int step) {
        Spag.Parameters of = Spag.parameters(problem, step);
        assertAlike(ComparedMethods.named("spag@" + step), preconditioned(of.similarity(), of.convexity()));
    }

    private List<Matrix> preconditioned(double delta, double sigma) {
        LocalProblem hub = problem.nodes().get(0);
        Matrix x = new Matrix(problem.features(), 1);
        Matrix v = x;
        double all = 0;
        double b = 1;
        double gain = 1;
        int tries = 0;
        int refused = 0;
        List<Matrix> models = new ArrayList<>(List.of(x));
        while (models.size() < 9) {
            double linear = b + all * sigma;
            double a = (linear + Math.sqrt(linear * linear + 4 * (gain - sigma) * all * b)) / (2 * (gain - sigma));
            assertThat(a * a * gain).isCloseTo((all + a) * (b + a * sigma), within(1e-9 * a * a * gain));
            double alpha = a / (all + a);
            double beta = a * sigma / (b + a * sigma);
            Matrix y = x.scale(1 - alpha).plus(v.scale(alpha * (1 - beta))).scale(1 / (1 - alpha * beta));
            Matrix target = slope(hub, delta, v)
                    .scale(1 - beta)
                    .plus(slope(hub, delta, y).scale(beta))
                    .minus(mean(y).scale(a / (b + a * sigma)));
            Matrix ahead = solve(hub, delta, target);
            Matrix next = x.scale(1 - alpha).plus(ahead.scale(alpha));
            double allowed = alpha
                    * alpha
                    * gain
                    * ((1 - beta) * divergence(hub, delta, ahead, v) + beta * divergence(hub, delta, ahead, y));
            tries++;
            if (divergence(hub, delta, next, y) > allowed) {
                gain *= 2;
                refused++;
                continue;
            }
            all += a;
            b += a * sigma;
            gain = tries == 1 ? Math.max(1, gain / 2) : gain;
            tries = 0;
            x = next;
            v = ahead;
            models.add(x);
        }
        assertThat(refused).as("steps that were refused").isPositive();
        return models;
    }

    /** ∇φ, where φ is the hub's function and (δ/2)‖x‖². */
    private Matrix slope(LocalProblem hub, double delta, Matrix x) {
        return gradient(hub, x).plus(x.scale(delta));
    }

    /** D_φ(to, from). */
    private double divergence(LocalProblem hub, double delta, Matrix to, Matrix from) {
        double difference = (hub.sigma() + delta) / 2 * (square(to) - square(from));
        for (int j = 0; j < hub.samples(); j++) {
            difference += new Logistic().value(hub.margin(j, array(to)), hub.label(j))
                    - new Logistic().value(hub.margin(j, array(from)), hub.label(j));
        }
        return difference
                - slope(hub, delta, from).transpose().mult(to.minus(from)).entry(0, 0);
    }

    private static double square(Matrix column) {
        return column.transpose().mult(column).entry(0, 0);
    }

    /** Steps per factor e in the error, against what the theory of each method says. */
    @Test
    void theyConvergeAtTheirRates() {
        double best = ReferenceNewton.objective(
                data, new Logistic(), LAMBDA, ReferenceNewton.optimum(data, new Logistic(), LAMBDA));
        double sigma = Spag.parameters(problem, 1).convexity();
        assertThat(measured(Baselines.named("spag"), best) / Math.sqrt(sigma)).isBetween(0.9, 20.0);
        // Without acceleration, the rate counts on the strong convexity alone, of which the data have much more.
        assertThat(measured(Baselines.named("s-dane"), best)
                        / Sliding.parameters(Sliding.Kind.S_DANE, problem, 1).rate())
                .isBetween(0.9, 60.0);
        assertThat(measured(Baselines.named("aeg"), best)
                        / Sliding.parameters(Sliding.Kind.AEG, problem, 1).rate())
                .isBetween(0.9, 20.0);
        assertThat(measured(Baselines.named("acc-s-dane"), best)
                        / Sliding.parameters(Sliding.Kind.ACC_S_DANE, problem, 1)
                                .rate())
                .isBetween(0.9, 20.0);
    }

    private double measured(Algorithm method, double best) {
        List<double[]> models = models(method, 400);
        int first = -1;
        for (int k = 0; k < models.size(); k++) {
            double error = (problem.objective(models.get(k)) - best) / best;
            first = first < 0 && error < 1e-2 ? k : first;
            if (first >= 0 && error < 1e-8) {
                double start = (problem.objective(models.get(first)) - best) / best;
                return Math.log(start / error) / (k - first);
            }
        }
        throw new AssertionError(method.name() + " did not get to 1e-8 in " + models.size() + " steps");
    }
}
