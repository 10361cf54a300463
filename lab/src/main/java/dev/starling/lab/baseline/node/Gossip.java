package dev.starling.lab.baseline.node;

import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import java.util.Arrays;

/**
 * The extreme eigenvalues of the graph's weighted Laplacian L, from which all methods derive their gossip matrices.
 *
 * @param smallest λ_min⁺(L), the smallest non-zero eigenvalue; 1 for a single node
 * @param largest λ_max(L); 1 for a single node
 */
public record Gossip(double smallest, double largest) {

    private static final double ROUNDING = 1e-6;

    public static Gossip of(Network network) {
        if (network.size() == 1) {
            return new Gossip(1, 1);
        }
        double[] ones = new double[network.size()];
        Arrays.fill(ones, 1.0);
        return new Gossip(Spectrum.smallest(network, ones), Spectrum.largest(network, ones));
    }

    /** γ = λ_min⁺(L)/λ_max(L). */
    public double gap() {
        return Math.min(1, smallest / largest);
    }

    /**
     * 1/√γ, snapped to a whole number if it is one up to rounding, so that its floor and ceiling are right: γ is 1/4 on
     * a ring of six.
     */
    public double roundsPerDigit() {
        double rounds = 1 / Math.sqrt(gap());
        double whole = Math.rint(rounds);
        return Math.abs(rounds - whole) < ROUNDING * rounds ? whole : rounds;
    }
}
