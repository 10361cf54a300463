package dev.starling.lab.conversation;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.network.spectrum.Laplacian;
import dev.starling.network.spectrum.LaplacianSolver;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * R of every edge: its weight μ² times the effective resistance between its ends, which is the diagonal entry (A⁺A) at
 * that edge. It is the share of spanning trees that use the edge: 1 on trees; on any graph the shares of all edges sum
 * to n − 1.
 */
public final class EffectiveResistance {

    /** Up to this size, a dense inverse is computed. */
    private static final int DENSE_NODES = 800;

    static final int MOST_NODES = 20_000;

    private EffectiveResistance() {}

    /**
     * R of every edge, in the order of the edges.
     *
     * @throws InvalidInputException if the graph is not a tree and has more than 20,000 nodes
     */
    public static double[] of(Network network) {
        if (network.edges() == network.size() - 1) {
            double[] ones = new double[network.edges()];
            Arrays.fill(ones, 1.0);
            return ones;
        }
        if (network.size() > MOST_NODES) {
            throw new InvalidInputException("effective resistances of " + network.description() + " with "
                    + network.size() + " nodes would take too long; use at most " + MOST_NODES + " nodes, or a tree");
        }
        return network.size() <= DENSE_NODES ? dense(network) : iterative(network);
    }

    /**
     * Computed from the inverse G of the Laplacian with node 0 held at zero: the resistance is G_kk + G_ll − 2 G_kl.
     */
    static double[] dense(Network network) {
        int size = network.size() - 1;
        DMatrixRMaj matrix = new DMatrixRMaj(size, size);
        for (int e = 0; e < network.edges(); e++) {
            int tail = network.tail(e) - 1;
            int head = network.head(e) - 1;
            double weight = network.weight(e);
            matrix.add(head, head, weight);
            if (tail >= 0) {
                matrix.add(tail, tail, weight);
                matrix.set(tail, head, -weight);
                matrix.set(head, tail, -weight);
            }
        }
        LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.chol(size);
        if (!solver.setA(matrix)) {
            throw new IllegalStateException("the Laplacian of " + network.description() + " is singular");
        }
        DMatrixRMaj inverse = new DMatrixRMaj(size, size);
        solver.invert(inverse);
        double[] shares = new double[network.edges()];
        for (int e = 0; e < shares.length; e++) {
            int tail = network.tail(e) - 1;
            int head = network.head(e) - 1;
            double resistance = inverse.get(head, head);
            if (tail >= 0) {
                resistance += inverse.get(tail, tail) - 2 * inverse.get(tail, head);
            }
            shares[e] = Math.min(1.0, network.weight(e) * resistance);
        }
        return shares;
    }

    /** Solves one system per node: L x = e_k − 1/n gives column k of L⁺. */
    static double[] iterative(Network network) {
        int size = network.size();
        LaplacianSolver solver = new LaplacianSolver(Laplacian.of(network));
        double[] source = new double[size];
        double[] potential = new double[size];
        double[] own = new double[size];
        double[] across = new double[network.edges()];
        int edge = 0;
        for (int node = 0; node < size; node++) {
            source[node] = 1;
            solver.solve(source, potential);
            source[node] = 0;
            own[node] = potential[node];
            for (; edge < across.length && network.tail(edge) == node; edge++) {
                across[edge] = potential[network.head(edge)];
            }
        }
        double[] shares = new double[network.edges()];
        for (int e = 0; e < shares.length; e++) {
            double resistance = own[network.tail(e)] + own[network.head(e)] - 2 * across[e];
            shares[e] = Math.min(1.0, network.weight(e) * resistance);
        }
        return shares;
    }
}
