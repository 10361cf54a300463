package dev.starling.network.spectrum;

/**
 * Solves (σD − L) x = b where σ is Gershgorin's bound. The matrix has positive entries off the diagonal, so it is not a
 * Laplacian. But if every node is split into a plus and a minus copy, plus copies are joined to minus copies along
 * every edge, and both are joined to a ground node by the excess of the diagonal, then the antisymmetric solutions on
 * that graph are the solutions sought. On a two-colourable graph one copy is enough, with the sign of one colour
 * flipped.
 */
public final class SignlessCover {

    /** An excess below this fraction of the diagonal is rounding error. */
    private static final double ROUNDING = 1e-14;

    private final int size;
    private final int copies;
    /** ±1 by the colour of each node; empty if two colours are not enough. */
    private final int[] signs;

    private final boolean singular;
    private final boolean grounded;
    private final double[] split;
    private final double[] answer;
    private final LaplacianSolver[] solver;

    public SignlessCover(Laplacian laplacian, double[] diagonal, double bound) {
        size = laplacian.size;
        double[] excess = new double[size];
        int attached = 0;
        for (int i = 0; i < size; i++) {
            excess[i] = bound * diagonal[i] - 2 * laplacian.strengths[i];
            if (excess[i] > ROUNDING * bound * diagonal[i]) {
                attached++;
            } else {
                excess[i] = 0;
            }
        }
        grounded = attached > 0;
        signs = colouring(laplacian);
        copies = signs.length > 0 ? 1 : 2;
        singular = !grounded && copies == 1;
        int nodes = copies * size + (grounded ? 1 : 0);
        split = new double[nodes];
        answer = new double[nodes];
        solver = singular
                ? new LaplacianSolver[0]
                : new LaplacianSolver[] {new LaplacianSolver(cover(laplacian, excess, attached, nodes))};
    }

    /** Whether σ is itself an eigenvalue, as on two-colourable graphs with no excess anywhere. */
    public boolean isSingular() {
        return singular;
    }

    public void solve(double[] b, double[] x) {
        if (copies == 1) {
            solveFlipped(b, x);
            return;
        }
        for (int i = 0; i < size; i++) {
            split[i] = b[i];
            split[size + i] = -b[i];
        }
        solver[0].solve(split, answer);
        for (int i = 0; i < size; i++) {
            x[i] = 0.5 * (answer[i] - answer[size + i]);
        }
    }

    /** Solves on one copy; the ground absorbs the total inflow, and its potential is zero. */
    private void solveFlipped(double[] b, double[] x) {
        double inflow = 0;
        for (int i = 0; i < size; i++) {
            split[i] = signs[i] * b[i];
            inflow += split[i];
        }
        split[size] = -inflow;
        solver[0].solve(split, answer);
        for (int i = 0; i < size; i++) {
            x[i] = signs[i] * (answer[i] - answer[size]);
        }
    }

    private Laplacian cover(Laplacian laplacian, double[] excess, int attached, int nodes) {
        int[] offsets = new int[nodes + 1];
        int[] columns = new int[copies * (laplacian.columns.length + 2 * attached)];
        double[] weights = new double[columns.length];
        int at = 0;
        for (int node = 0; node < copies * size; node++) {
            int original = node < size ? node : node - size;
            int shift = copies == 2 && node < size ? size : 0;
            for (int k = laplacian.offsets[original]; k < laplacian.offsets[original + 1]; k++) {
                columns[at] = laplacian.columns[k] + shift;
                weights[at++] = laplacian.weights[k];
            }
            if (excess[original] > 0) {
                columns[at] = copies * size;
                weights[at++] = excess[original];
            }
            offsets[node + 1] = at;
        }
        if (grounded) {
            for (int node = 0; node < copies * size; node++) {
                double weight = excess[node < size ? node : node - size];
                if (weight > 0) {
                    columns[at] = node;
                    weights[at++] = weight;
                }
            }
            offsets[nodes] = at;
        }
        return new Laplacian(nodes, offsets, columns, weights);
    }

    /** A colouring with two colours, ±1, in which no edge joins equal ones; empty if there is none. */
    private static int[] colouring(Laplacian laplacian) {
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
                    return new int[0];
                }
            }
        }
        return colour;
    }
}
