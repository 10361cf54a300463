package dev.starling.network;

/**
 * Solves (σD − L) x = b where σ is Gershgorin's bound. The matrix has positive entries off the diagonal, so it is no
 * Laplacian; but split every node into a plus and a minus, join plus to minus along every edge, and join both to a
 * ground by what the diagonal has in excess: the antisymmetric solutions on that graph are the solutions sought.
 */
final class SignlessCover {

    /** An excess below this fraction of the diagonal is rounding. */
    private static final double ROUNDING = 1e-14;

    private final int size;
    private final boolean singular;
    private final boolean grounded;
    private final double[] split;
    private final double[] answer;
    private final LaplacianSolver[] solver;

    SignlessCover(Laplacian laplacian, double[] diagonal, double bound) {
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
        singular = !grounded && isBipartite(laplacian);
        int nodes = 2 * size + (grounded ? 1 : 0);
        split = new double[nodes];
        answer = new double[nodes];
        solver = singular
                ? new LaplacianSolver[0]
                : new LaplacianSolver[] {new LaplacianSolver(cover(laplacian, excess, attached, nodes))};
    }

    /** Whether σ is itself an eigenvalue: two-coloured graphs with no excess anywhere. */
    boolean isSingular() {
        return singular;
    }

    void solve(double[] b, double[] x) {
        for (int i = 0; i < size; i++) {
            split[i] = b[i];
            split[size + i] = -b[i];
        }
        solver[0].solve(split, answer);
        for (int i = 0; i < size; i++) {
            x[i] = 0.5 * (answer[i] - answer[size + i]);
        }
    }

    private Laplacian cover(Laplacian laplacian, double[] excess, int attached, int nodes) {
        int[] offsets = new int[nodes + 1];
        int[] columns = new int[2 * laplacian.columns.length + 4 * attached];
        double[] weights = new double[columns.length];
        int at = 0;
        for (int node = 0; node < 2 * size; node++) {
            int original = node < size ? node : node - size;
            int shift = node < size ? size : 0;
            for (int k = laplacian.offsets[original]; k < laplacian.offsets[original + 1]; k++) {
                columns[at] = laplacian.columns[k] + shift;
                weights[at++] = laplacian.weights[k];
            }
            if (excess[original] > 0) {
                columns[at] = 2 * size;
                weights[at++] = excess[original];
            }
            offsets[node + 1] = at;
        }
        if (grounded) {
            for (int node = 0; node < 2 * size; node++) {
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

    private static boolean isBipartite(Laplacian laplacian) {
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
