package dev.starling.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.node.Exchange;
import dev.starling.node.EstimatingProgram;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.method.adfs.tuning.Tuning;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small random problems and the plain way to drive programs by hand. */
public final class SmallProblems {

    private SmallProblems() {}

    /** Gaussian-like rows with labels ±1 or real, weights between a half and two. */
    public static Problem random(int rows, int features, Loss loss, double lambda, int nodes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] values = new float[rows * features];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5);
        }
        double[] labels = new double[rows];
        double[] weights = new double[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = loss.isClassification() ? random.nextInt(2) * 2 - 1 : 4 * random.nextDouble() - 2;
            weights[i] = 0.5 + 1.5 * random.nextDouble();
        }
        Dataset data = Dataset.dense(features, values, labels).withWeights(weights);
        return Problem.deal(data, loss, lambda, nodes);
    }

    /** The same rows stored sparsely. */
    public static Problem sparse(Problem problem, double lambda) {
        Dataset data = problem.nodes().get(0).data().laidOut(false);
        return Problem.deal(data, problem.nodes().get(0).loss(), lambda, problem.size());
    }

    /**
     * Drives programs until each has taken this many exchanges with nobody: the breaths they all take at the same steps.
     */
    public static void takeBreaths(List<? extends EstimatingProgram> programs, int count) {
        int n = programs.size();
        Map<Integer, Deque<double[]>> mail = new HashMap<>();
        int[] breaths = new int[n];
        Exchange[] waiting = new Exchange[n];
        boolean moving = true;
        while (moving) {
            moving = false;
            for (int node = 0; node < n; node++) {
                if (waiting[node] == null) {
                    if (breaths[node] == count) {
                        continue;
                    }
                    waiting[node] = programs.get(node).advance();
                    for (int to : waiting[node].to()) {
                        mail.computeIfAbsent(node * n + to, key -> new ArrayDeque<>())
                                .add(waiting[node].payload().clone());
                    }
                }
                int[] from = waiting[node].from();
                int receiver = node;
                boolean ready = Arrays.stream(from).allMatch(k -> {
                    Deque<double[]> box = mail.get(k * n + receiver);
                    return box != null && !box.isEmpty();
                });
                if (ready) {
                    double[][] heard = new double[from.length][];
                    for (int k = 0; k < from.length; k++) {
                        heard[k] = mail.get(from[k] * n + node).poll();
                    }
                    programs.get(node).absorb(heard);
                    breaths[node] += from.length == 0 ? 1 : 0;
                    waiting[node] = null;
                    moving = true;
                }
            }
        }
    }

    /** μ² of all edges of the augmented graph under S-ADFS: α L_ij with α = σ_A/c on the virtual ones. */
    public static double[] smoothWeights(Network network, Problem problem, Tuning tuning) {
        List<Double> all = new ArrayList<>();
        for (int e = 0; e < network.edges(); e++) {
            all.add(network.weight(e));
        }
        for (LocalProblem local : problem.nodes()) {
            for (int j = 0; j < local.samples(); j++) {
                all.add(tuning.strongConvexity() / tuning.balance() * smoothness(local, j));
            }
        }
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double smoothness(LocalProblem local, int sample) {
        return local.loss().smoothness() * local.weight(sample) * local.data().squaredNorm(local.row(sample));
    }

    /** √(1 + L_j/σ) of every sample of a node. */
    public static double[] roots(LocalProblem local) {
        double[] roots = new double[local.samples()];
        for (int j = 0; j < roots.length; j++) {
            roots[j] = Math.sqrt(1 + smoothness(local, j) / local.sigma());
        }
        return roots;
    }

    /** Asserts that programs stand where the matrix form stands, to 1e-12. */
    public static void assertSame(List<? extends DualProgram> programs, LiteralApcg literal, double rate) {
        for (int node = 0; node < programs.size(); node++) {
            DualProgram program = programs.get(node);
            double[] theta = new double[program.problem().features()];
            program.estimate(theta);
            assertThat(theta).containsExactly(literal.parameter(literal.stronglyConvexY(rate), node), within(1e-12));
            for (int j = 0; j < program.problem().samples(); j++) {
                assertThat(program.slope(j)).isCloseTo(literal.slope(node, j), within(1e-12));
            }
        }
    }
}
