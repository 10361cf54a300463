package dev.starling.lab.conversation;

import dev.starling.network.Network;
import dev.starling.network.spectrum.Lanczos;
import dev.starling.network.spectrum.Laplacian;
import dev.starling.network.spectrum.LaplacianSolver;
import dev.starling.network.spectrum.SparseSpectrum;
import java.util.Arrays;
import java.util.List;

/**
 * λ_max of the block (A⁺A)_bb of a set b of edges that are used at once, which for a single edge is its
 * {@link EffectiveResistance}. It is 1 exactly if b cuts the network in two.
 */
public final class BlockResistance {

    private final Network network;
    private final boolean isOne;
    private final LaplacianSolver solver;

    /** Prepares to compute the blocks of a network. */
    public BlockResistance(Network network) {
        this.network = network;
        // On larger networks it takes longer than most runs; 1 is a bound, and close for edges that touch most nodes.
        this.isOne = network.edges() == network.size() - 1 || network.size() > EffectiveResistance.MOST_NODES;
        this.solver = new LaplacianSolver(Laplacian.of(network));
    }

    /** λ_max of the block of some edges: exact to about ten digits, or else an upper bound. */
    public double of(List<Integer> edges) {
        if (isOne || edges.size() == network.edges()) {
            return 1;
        }
        double[] flow = new double[network.size()];
        double[] potential = new double[network.size()];
        // A_bᵀ L⁺ A_b
        Lanczos process = new Lanczos(
                edges.size(),
                (x, out) -> {
                    Arrays.fill(flow, 0);
                    for (int k = 0; k < x.length; k++) {
                        double sent = root(edges.get(k)) * x[k];
                        flow[network.tail(edges.get(k))] += sent;
                        flow[network.head(edges.get(k))] -= sent;
                    }
                    solver.solve(flow, potential);
                    for (int k = 0; k < out.length; k++) {
                        int edge = edges.get(k);
                        out[k] = root(edge) * (potential[network.tail(edge)] - potential[network.head(edge)]);
                    }
                },
                new double[0],
                true);
        return Math.min(1, SparseSpectrum.converged(process));
    }

    private double root(int edge) {
        return Math.sqrt(network.weight(edge));
    }
}
