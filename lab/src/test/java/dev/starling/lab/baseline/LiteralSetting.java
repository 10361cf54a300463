package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A small problem on a small graph with all that a paper's recursion is written in: whole matrices whose row i is node
 * i, the graph's Laplacian, gradients and conjugates of the local functions.
 */
abstract class LiteralSetting {

    static final double TOLERANCE = 1e-12;
    static final long SEED = 5;
    static final int STEPS = 60;

    final Network network = Topology.named("grid").build(6, 1).withWeights(new double[] {1, 2, 1, 0.5, 1, 1, 2});
    final Dataset data = Rows.classification(50, 3);
    final Problem problem = Problem.deal(data, new Logistic(), 0.05, 6);
    final BaselineFacts facts = BaselineFacts.of("test", problem, network);
    final Gossip gossip = Gossip.of(network);
    final int n = network.size();
    final int d = problem.features();
    final Matrix laplacian = laplacian();
    final Matrix identity = Matrix.identity(n);

    private Matrix laplacian() {
        return laplacian(IntStream.range(0, network.edges()).boxed().toList());
    }

    /** The Laplacian of the graph that has only some of the edges. */
    Matrix laplacian(List<Integer> edges) {
        Matrix incidence = new Matrix(network.size(), network.edges());
        for (int e : edges) {
            incidence.set(network.tail(e), e, Math.sqrt(network.weight(e)));
            incidence.set(network.head(e), e, -Math.sqrt(network.weight(e)));
        }
        return incidence.mult(incidence.transpose());
    }

    // ---- the local functions, written out

    Matrix row(int node, int sample) {
        LocalProblem local = problem.nodes().get(node);
        double[] x = new double[d];
        local.data().addTo(local.row(sample), 1, x);
        return Matrix.ofRow(x);
    }

    double label(int node, int sample) {
        return problem.nodes().get(node).label(sample);
    }

    int samples(int node) {
        return problem.nodes().get(node).samples();
    }

    double sigma(int node) {
        return problem.nodes().get(node).sigma();
    }

    static double slope(double margin, double label) {
        return -label / (1 + StrictMath.exp(label * margin));
    }

    /** ∇f_ij(θ) of the loss alone. */
    Matrix sampleGradient(int node, int sample, Matrix theta) {
        Matrix x = row(node, sample);
        return x.scale(slope(x.dot(theta), label(node, sample)));
    }

    Matrix gradient(int node, Matrix theta) {
        return gradient(node, theta, sigma(node));
    }

    Matrix gradient(int node, Matrix theta, double ridge) {
        Matrix sum = theta.scale(ridge);
        for (int j = 0; j < samples(node); j++) {
            sum = sum.plus(sampleGradient(node, j, theta));
        }
        return sum;
    }

    Matrix gradients(Matrix thetas) {
        Matrix all = new Matrix(n, d);
        for (int i = 0; i < n; i++) {
            all.setRow(i, gradient(i, thetas.row(i)));
        }
        return all;
    }

    Matrix conjugateGradient(int node, Matrix x) {
        return conjugateGradient(node, x, sigma(node));
    }

    /** ∇f_i*(x) for a ridge of its own: plain damped Newton from zero. */
    Matrix conjugateGradient(int node, Matrix x, double ridge) {
        Matrix theta = new Matrix(1, d);
        for (int k = 0; k < 100; k++) {
            Matrix residual = gradient(node, theta, ridge).minus(x);
            Matrix hessian = Matrix.identity(d).scale(ridge);
            for (int j = 0; j < samples(node); j++) {
                Matrix sample = row(node, j);
                double p = 1 / (1 + StrictMath.exp(sample.dot(theta)));
                hessian = hessian.plus(sample.transpose().mult(sample).scale(p * (1 - p)));
            }
            Matrix step = hessian.solve(residual);
            double length = 1;
            while (length > 1e-6
                    && gradient(node, theta.minus(step.scale(length)), ridge)
                                    .minus(x)
                                    .norm()
                            > residual.norm()) {
                length /= 2;
            }
            theta = theta.minus(step.scale(length));
        }
        return theta;
    }

    Matrix conjugateGradients(Matrix x) {
        Matrix all = new Matrix(n, d);
        for (int i = 0; i < n; i++) {
            all.setRow(i, conjugateGradient(i, x.row(i)));
        }
        return all;
    }

    /** The θ with (1 + scale·ridge)θ + scale·factor·∇f_ij(θ) = ψ, by Newton in d dimensions. */
    Matrix resolvent(int node, int sample, double scale, double factor, double ridge, Matrix psi) {
        Matrix x = row(node, sample);
        Matrix theta = psi.scale(1 / (1 + scale * ridge));
        for (int k = 0; k < 100; k++) {
            Matrix residual = theta.scale(1 + scale * ridge)
                    .plus(sampleGradient(node, sample, theta).scale(scale * factor))
                    .minus(psi);
            double p = 1 / (1 + StrictMath.exp(x.dot(theta)));
            Matrix hessian = Matrix.identity(d)
                    .scale(1 + scale * ridge)
                    .plus(x.transpose().mult(x).scale(scale * factor * p * (1 - p)));
            theta = theta.minus(hessian.solve(residual));
        }
        return theta;
    }

    // ---- gossip and random draws

    /** Scaman et al.'s procedure AcceleratedGossip. */
    Matrix accelerated(Matrix v, int rounds, double c2, double c3) {
        double before = 1;
        double now = c2;
        Matrix zBefore = v;
        Matrix z = v.minus(laplacian.mult(v).scale(c3)).scale(c2);
        for (int k = 1; k < rounds; k++) {
            double next = 2 * c2 * now - before;
            Matrix zNext = z.minus(laplacian.mult(z).scale(c3)).scale(2 * c2).minus(zBefore);
            before = now;
            now = next;
            zBefore = z;
            z = zNext;
        }
        return v.minus(z.over(now));
    }

    List<UniformRandomProvider> ownStreams() {
        List<UniformRandomProvider> streams = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            streams.add(Streams.own(SEED, i));
        }
        return streams;
    }

    // ---- the method's own run

    /** Row i of entry k is what node i estimates after its round k, whatever the others have done by then. */
    List<Matrix> estimates(Algorithm method, int rounds) {
        List<Matrix> estimates = new ArrayList<>();
        for (int k = 0; k < rounds; k++) {
            estimates.add(new Matrix(n, d));
        }
        StopSignal signal = StopSignal.manual();
        long[] done = new long[n];
        Observer observer = (node, program, clock, count) -> {
            if (count > done[node] && count <= rounds) {
                double[] theta = new double[d];
                program.estimate(theta);
                estimates.get((int) count - 1).setRow(node, Matrix.ofRow(theta));
            }
            done[node] = count;
            if (LongStream.of(done).min().orElseThrow() >= rounds) {
                signal.request();
            }
        };
        new Simulator(observer).run(network, method.programs(problem, network, 5, SEED), Delays.uniform(5), signal);
        return estimates;
    }

    Matrix estimates(List<? extends EstimatingProgram> programs) {
        Matrix all = new Matrix(n, d);
        for (int i = 0; i < n; i++) {
            double[] theta = new double[d];
            programs.get(i).estimate(theta);
            all.setRow(i, Matrix.ofRow(theta));
        }
        return all;
    }

    /** What each node estimates after each of its own steps, however many other nodes take in between. */
    void assertEstimates(Algorithm method, List<List<Matrix>> expected) {
        assertEstimates(method.programs(problem, network, 5, SEED), expected);
    }

    void assertEstimates(List<? extends EstimatingProgram> programs, List<List<Matrix>> expected) {
        int[] seen = new int[n];
        int[] all = expected.stream().mapToInt(List::size).toArray();
        StopSignal signal = StopSignal.manual();
        Observer observer = (node, program, clock, count) -> {
            if (seen[node] < all[node]) {
                double[] estimate = new double[d];
                program.estimate(estimate);
                assertSame(Matrix.ofRow(estimate), expected.get(node).get(seen[node]), seen[node]);
                seen[node]++;
            }
            if (Arrays.equals(seen, all)) {
                signal.request();
            }
        };
        new Simulator(observer).run(network, programs, Delays.uniform(5), signal);
        assertThat(seen).isEqualTo(all);
    }

    static void assertSame(Matrix actual, Matrix expected, int step) {
        double scale = Math.max(1, expected.largest());
        assertThat(actual.minus(expected).largest() / scale)
                .as("difference after step %d", step)
                .isCloseTo(0, within(TOLERANCE));
    }
}
