package dev.starling.lab.localised;

import dev.starling.internal.Vectors;
import dev.starling.method.Facts;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * What a node knows of the losses around a centre: of its own rows what it computes from them, of all nodes' the sums
 * of losses, gradients and curvatures and the maxima on which the constants depend.
 */
final class Surveyed implements Stateful {

    private final LocalProblem problem;
    private final Centre centre;
    private final int stride;
    private final int nodes;
    private final Facts totals;

    /** The sum of losses, the gradient and the lower half of the curvature. */
    private double[] summed = {};

    /** What the constants are computed from, once all nodes have agreed. */
    double[] maxima = {};

    /* What follows from the centre and the sums; null until it is needed. */
    private Surroundings around;
    private Turned turned;
    private EdgeMatrix edges;

    Surveyed(LocalProblem problem, Centre centre, int stride, int nodes, Facts totals) {
        this.problem = problem;
        this.centre = centre;
        this.stride = stride;
        this.nodes = nodes;
        this.totals = totals;
    }

    /** How many numbers are summed up. */
    static int numbers(int features) {
        return 1 + features + features * (features + 1) / 2;
    }

    /** Drops what was computed from the rows, because the centre has moved or nobody will ask again. */
    void forget() {
        around = null;
        turned = null;
        edges = null;
    }

    private Surroundings around() {
        if (around == null) {
            around = new Surroundings(problem, centre.point, centre.radius, stride);
        }
        return around;
    }

    /** The slope and the curvature of every row, of which the sums consist. */
    SumRequest.Shares shares() {
        double[] slopes = new double[problem.samples()];
        double[] curvatures = new double[problem.samples()];
        for (int j = 0; j < slopes.length; j++) {
            slopes[j] = around().slope(j);
            curvatures[j] = around().moved(j);
        }
        return new SumRequest.Shares(List.of(slopes), List.of(curvatures));
    }

    /** This node's part of the sums. */
    double[] addend() {
        double[] addend = new double[HiddenSum.HEAD + numbers(problem.features())];
        addend[HiddenSum.HEAD] = problem.lossSum(centre.point);
        around().sums(addend, HiddenSum.HEAD + 1);
        return addend;
    }

    /** Takes the sums over all nodes. */
    void take(double[] totalled) {
        summed = Arrays.copyOfRange(totalled, HiddenSum.HEAD, totalled.length);
    }

    /** The objective at the centre. */
    double objective() {
        return (summed[0] + totals.sigma() / 2 * Vectors.dot(centre.point, centre.point)) / totals.weight();
    }

    /** The numbers of this node of which all need the maxima. */
    double[] compare() {
        prepare();
        double rootSum = 0;
        double smallest = Double.POSITIVE_INFINITY;
        for (int j = 0; j < problem.samples(); j++) {
            double root = turned.root(j, around().left(j));
            rootSum += root;
            smallest = root > 0 ? Math.min(smallest, root) : smallest;
        }
        return edges.compare(around().ownMatrix(), around().leftMatrix(), rootSum, smallest);
    }

    private void prepare() {
        int d = problem.features();
        turned = Turned.of(problem, around().ownMatrix());
        double[] mean = new double[d * d];
        for (int row = 0, at = d; row < d; at += ++row) {
            for (int column = 0; column <= row; column++) {
                mean[row * d + column] = summed[1 + at + column] / nodes;
            }
            mean[row * d + row] += totals.sigma() / nodes;
        }
        edges = new EdgeMatrix(mean, d);
    }

    /** The algorithm of a stage at its start; the rows that were turned for it are its own from here on. */
    LocalisedAdfs algorithm(Network network, int node, Tuning tuning, long seed) {
        if (turned == null) {
            prepare();
        }
        double[] gradient = new double[problem.features()];
        for (int c = 0; c < gradient.length; c++) {
            gradient[c] = (summed[1 + c] + totals.sigma() * centre.point[c]) / nodes;
        }
        LocalisedAdfs algorithm = new LocalisedAdfs(
                problem, network, node, around(), turned, edges.whole(), tuning, centre.point.clone(), gradient, seed);
        turned = null;
        edges = null;
        return algorithm;
    }

    @Override
    public void state(State s) throws IOException {
        summed = s.vector(summed, numbers(problem.features()));
        maxima = s.vector(maxima, EdgeMatrix.NUMBERS);
    }
}
