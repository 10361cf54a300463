package dev.starling.network.spectrum;

import java.util.Optional;

/**
 * Solves (σD − L) x = b where σ is Gershgorin's bound. The matrix has positive entries off the diagonal, so it is not a
 * Laplacian. But if every node is split into a plus and a minus copy, plus copies are joined to minus copies along
 * every edge, and both are joined to a ground node by the excess of the diagonal, then the antisymmetric solutions on
 * that graph are the solutions sought.
 */
final class SignlessCover {

    /** An excess below this fraction of the diagonal is rounding error. */
    private static final double ROUNDING = 1e-14;

    private final int size;
    private final double[] split;
    private final double[] answer;
    private final LaplacianSolver solver;

    private SignlessCover(int size, Laplacian cover) {
        this.size = size;
        this.split = new double[cover.size];
        this.answer = new double[cover.size];
        this.solver = new LaplacianSolver(cover);
    }

    /** Empty if σ is itself an eigenvalue: on a two-colourable graph with no excess anywhere. */
    static Optional<SignlessCover> of(Laplacian laplacian, double[] diagonal, double bound) {
        double[] excess = new double[laplacian.size];
        int attached = 0;
        for (int i = 0; i < excess.length; i++) {
            double own = bound * diagonal[i] - 2 * laplacian.strengths[i];
            if (own > ROUNDING * bound * diagonal[i]) {
                excess[i] = own;
                attached++;
            }
        }
        return attached == 0 && hasTwoColours(laplacian)
                ? Optional.empty()
                : Optional.of(new SignlessCover(laplacian.size, cover(laplacian, excess, attached)));
    }

    void solve(double[] b, double[] x) {
        for (int i = 0; i < size; i++) {
            split[i] = b[i];
            split[size + i] = -b[i];
        }
        solver.solve(split, answer);
        for (int i = 0; i < size; i++) {
            x[i] = 0.5 * (answer[i] - answer[size + i]);
        }
    }

    private static Laplacian cover(Laplacian laplacian, double[] excess, int attached) {
        int size = laplacian.size;
        int ground = 2 * size;
        int nodes = ground + (attached > 0 ? 1 : 0);
        int[] offsets = new int[nodes + 1];
        int[] columns = new int[2 * (laplacian.columns.length + 2 * attached)];
        double[] weights = new double[columns.length];
        int at = 0;
        for (int node = 0; node < ground; node++) {
            int original = node % size;
            for (int k = laplacian.offsets[original]; k < laplacian.offsets[original + 1]; k++) {
                columns[at] = laplacian.columns[k] + (node < size ? size : 0);
                weights[at++] = laplacian.weights[k];
            }
            if (excess[original] > 0) {
                columns[at] = ground;
                weights[at++] = excess[original];
            }
            offsets[node + 1] = at;
        }
        for (int node = 0; attached > 0 && node < ground; node++) {
            if (excess[node % size] > 0) {
                columns[at] = node;
                weights[at++] = excess[node % size];
            }
        }
        offsets[nodes] = at;
        return new Laplacian(nodes, offsets, columns, weights);
    }

    /** Whether nodes can have two colours so that no edge joins equal ones. */
    private static boolean hasTwoColours(Laplacian laplacian) {
        int[] colour = new int[laplacian.size];
        int[] queue = new int[laplacian.size];
        colour[0] = 1;
        int reached = 1;
        for (int at = 0; at < reached; at++) {
            int node = queue[at];
            for (int k = laplacian.offsets[node]; k < laplacian.offsets[node + 1]; k++) {
                int other = laplacian.columns[k];
                if (colour[other] == 0) {
                    colour[other] = -colour[node];
                    queue[reached++] = other;
                } else if (colour[other] == colour[node]) {
                    return false;
                }
            }
        }
        return true;
    }
}
