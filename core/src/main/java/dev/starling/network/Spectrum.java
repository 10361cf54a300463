package dev.starling.network;

import dev.starling.network.spectrum.DenseSpectrum;
import dev.starling.network.spectrum.SparseSpectrum;
import java.util.Arrays;

/**
 * The extreme eigenvalues of D^(-1/2) L D^(-1/2), where L is the weighted Laplacian A Aᵀ of a network (column μ(e_k −
 * e_l) of A for edge (k, l)) and D a positive diagonal: equivalently, the extreme non-zero ones of Aᵀ D⁻¹ A.
 *
 * <p>They are accurate to about ten digits on graphs of up to 100,000 nodes and more. A single node has no edges and no
 * non-zero eigenvalue: both numbers are then 0.
 *
 * @param smallest λ_min⁺, the smallest eigenvalue that is not zero
 * @param largest λ_max
 */
public record Spectrum(double smallest, double largest) {

    /** The spectrum of the Laplacian itself. */
    public static Spectrum of(Network network) {
        return of(network, ones(network));
    }

    /** The spectrum with a positive diagonal D. */
    public static Spectrum of(Network network, double[] diagonal) {
        requirePositive(network, diagonal);
        if (network.size() == 1) {
            return new Spectrum(0, 0);
        }
        if (network.size() <= DenseSpectrum.MOST_NODES) {
            return DenseSpectrum.of(network, diagonal);
        }
        return new SparseSpectrum(network, diagonal).both();
    }

    /** λ_min⁺ only. */
    public static double smallest(Network network, double[] diagonal) {
        if (network.size() <= DenseSpectrum.MOST_NODES) {
            return of(network, diagonal).smallest();
        }
        requirePositive(network, diagonal);
        return network.knownSpectra().get(true, diagonal, () -> new SparseSpectrum(network, diagonal).smallest());
    }

    /** λ_max only. */
    public static double largest(Network network, double[] diagonal) {
        if (network.size() <= DenseSpectrum.MOST_NODES) {
            return of(network, diagonal).largest();
        }
        requirePositive(network, diagonal);
        return network.knownSpectra().get(false, diagonal, () -> new SparseSpectrum(network, diagonal).largest());
    }

    /** γ = λ_min⁺ / λ_max, which says how well the network is connected; 1 for a single node. */
    public double gamma() {
        return largest == 0 ? 1 : smallest / largest;
    }

    private static double[] ones(Network network) {
        double[] ones = new double[network.size()];
        Arrays.fill(ones, 1.0);
        return ones;
    }

    private static void requirePositive(Network network, double[] diagonal) {
        if (diagonal.length != network.size()) {
            throw new IllegalArgumentException("a diagonal of " + diagonal.length + " for " + network.size()
                    + " nodes; there must be one per node");
        }
        for (int i = 0; i < diagonal.length; i++) {
            if (!(diagonal[i] > 0) || Double.isInfinite(diagonal[i])) {
                throw new IllegalArgumentException(
                        "diagonal at node " + network.name(i) + " is " + diagonal[i] + "; it must be positive");
            }
        }
    }
}
