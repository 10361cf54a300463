package dev.starling.lab.baseline.sparse;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.Entries;
import dev.starling.lab.baseline.node.LaplacianRow;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * {@link Dsba} with the sparse communication of its paper: nodes send the changes that their samples cause rather than
 * their iterates, and every node works out the iterates of all others from these.
 *
 * <p>With y^t = 2z^t − z^{t−1} and δ^t the change of the slope of the sample of step t, times its row, a step of DSBA
 * at node l is linear except in δ:
 *
 * <pre>
 * z_l^{t+1} = [ (W̃y^t)_l + ασ_l z_l^t + α(m_l − 1) δ_l^t − αm_l δ_l^{t+1} ] / (1 + ασ_l)
 * </pre>
 *
 * where at t = 0 the term α(m_l − 1)δ_l^t is replaced by −αδ_l⁰, with δ⁰ the gradient at 0. δ has no more entries than
 * a row; only δ⁰ may have many. Every node stores z, two y and δ of all nodes, 4nd numbers ({@link SparseProgram}).
 */
public final class DsbaSparse extends SparseProgram {

    /** How many vectors a node stores for every node. */
    private static final int KEPT = 4;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Dsba.Parameters parameters = Dsba.Parameters.of(on.gossip(), on.facts(), 1);
        SparseProgram.requireMemory(
                on.method(),
                KEPT,
                on.network().size(),
                on.problem().features(),
                Runtime.getRuntime().maxMemory());
        Shared shared = Shared.of(on.problem(), on.network(), parameters);
        return on.nodes(setup -> new DsbaSparse(setup.node(), setup.problem(), shared, on.seed()));
    }

    /** What all nodes know about each other from the start. */
    private record Shared(
            Network network,
            Routes routes,
            Dsba.Parameters parameters,
            LaplacianRow[] around,
            double[] samples,
            double[] sigmas) {

        static Shared of(Problem problem, Network network, Dsba.Parameters parameters) {
            return new Shared(
                    network,
                    Routes.of(network),
                    parameters,
                    IntStream.range(0, network.size())
                            .mapToObj(node -> LaplacianRow.of(network, node))
                            .toArray(LaplacianRow[]::new),
                    problem.nodes().stream().mapToDouble(LocalProblem::samples).toArray(),
                    problem.nodes().stream().mapToDouble(LocalProblem::sigma).toArray());
        }
    }

    private final Shared shared;
    private final double step;
    private final Samples samples;
    private final RestorableUniformRandomProvider own;
    private final double[] slopes;
    /** z of every node at its time. */
    private final double[][] z;

    private final double[] ownNews;

    private final double[] laplacian;
    private final double[] next;
    private final double[] row;

    private DsbaSparse(int node, LocalProblem problem, Shared shared, long seed) {
        super(node, problem, shared.network(), shared.routes(), problem.features());
        int d = problem.features();
        this.shared = shared;
        this.step = shared.parameters().stepSize();
        this.samples = Samples.of(problem);
        this.own = stream(Streams.own(seed, node));
        this.slopes = vector(samples.count());
        this.z = vectors(network.size(), d);
        this.ownNews = new double[Entries.longest(d)];
        this.laplacian = new double[d];
        this.next = new double[d];
        this.row = new double[d];
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = samples.slope(j, 0);
            samples.add(j, slopes[j], row);
        }
        Entries.write(row, changes[node]);
    }

    /** A change is made by the step before it; the first is the gradient at 0. */
    @Override
    public double prepare() {
        return steps == 0 ? samples.count() : 1;
    }

    /** All nodes start at 0. */
    @Override
    public void begin(int source, double[] change, int start) {}

    @Override
    public void follow(int source, long time, double[] change, int start) {
        mix(source, time);
        finish(source, time, change, start);
    }

    @Override
    public void move() {
        mix(node, steps);
        resolve(WeightedDraw.uniform(own, samples.count()));
        Entries.write(row, ownNews);
        finish(node, steps, ownNews, 0);
        Vectors.copy(ownNews, changes[node]);
    }

    /** Computes the part of a step that does not need the new change: next = [W̃y + ασz + α(m−1)δ]/(1+ασ). */
    private void mix(int source, long time) {
        double[][] y = shown(time);
        double[] here = y[source];
        double[] position = z[source];
        LaplacianRow around = shared.around()[source];
        double[][] there = new double[around.neighbours().length][];
        for (int k = 0; k < there.length; k++) {
            there[k] = y[around.neighbours()[k]];
        }
        around.laplacian(here, there, laplacian);
        double shrink = shrink(source);
        double pull = step * shared.sigmas()[source];
        double mixing = shared.parameters().mixing() / 2;
        for (int c = 0; c < next.length; c++) {
            next[c] = shrink * (here[c] - mixing * laplacian[c] + pull * position[c]);
        }
        double weight = time == 0 ? -1 : shared.samples()[source] - 1;
        Entries.add(changes[source], 0, shrink * step * weight, next);
    }

    private double shrink(int source) {
        return 1 / (1 + step * shared.sigmas()[source]);
    }

    /** Finds the slope s at the margin of the new point, z = next − αm(s − s_old)x/(1+ασ); row = (s − s_old)x. */
    private void resolve(int sample) {
        double scale = step * samples.count() * shrink(node);
        double weight = samples.weight(sample);
        double squaredNorm = samples.squaredNorm(sample);
        double point = samples.dot(sample, next) + scale * slopes[sample] * squaredNorm;
        double slope =
                weight * samples.loss().proxSlope(point, scale * weight * squaredNorm, samples.label(sample), point);
        Arrays.fill(row, 0);
        samples.add(sample, slope - slopes[sample], row);
        slopes[sample] = slope;
    }

    private void finish(int source, long time, double[] change, int start) {
        Entries.add(change, start, -shrink(source) * step * shared.samples()[source], next);
        double[] position = z[source];
        double[] y = shown(time + 1)[source];
        for (int c = 0; c < next.length; c++) {
            y[c] = 2 * next[c] - position[c];
            position[c] = next[c];
        }
    }

    @Override
    public void estimate(double[] theta) {
        Vectors.copy(z[node], theta);
    }
}
