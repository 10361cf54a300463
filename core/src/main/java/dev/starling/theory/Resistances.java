package dev.starling.theory;

import dev.starling.network.Network;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * R_kl = (A⁺A)_{kl,kl} = μ_kl² times the effective resistance of every communication edge: 1 for an edge whose loss
 * would cut the graph, less the more ways around it there are.
 */
final class Resistances {

    private Resistances() {}

    /** R of every edge, by inverting the Laplacian with one node grounded. */
    static double[] of(Network network) {
        int n = network.size();
        DMatrixRMaj grounded = new DMatrixRMaj(n - 1, n - 1);
        for (int e = 0; e < network.edges(); e++) {
            int k = network.tail(e) - 1;
            int l = network.head(e) - 1;
            double weight = network.weight(e);
            grounded.add(l, l, weight);
            if (k >= 0) {
                grounded.add(k, k, weight);
                grounded.add(k, l, -weight);
                grounded.add(l, k, -weight);
            }
        }
        if (n > 1 && !CommonOps_DDRM.invert(grounded)) {
            throw new IllegalStateException("the Laplacian of " + network + " cannot be inverted");
        }
        double[] resistances = new double[network.edges()];
        for (int e = 0; e < resistances.length; e++) {
            int k = network.tail(e) - 1;
            int l = network.head(e) - 1;
            double across = grounded.get(l, l);
            if (k >= 0) {
                across += grounded.get(k, k) - grounded.get(k, l) - grounded.get(l, k);
            }
            resistances[e] = Math.min(1, network.weight(e) * across);
        }
        return resistances;
    }
}
