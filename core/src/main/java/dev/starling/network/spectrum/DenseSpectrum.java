package dev.starling.network.spectrum;

import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/** The spectrum of a small network, from all eigenvalues of the dense matrix. */
public final class DenseSpectrum {

    /** Up to this size, the dense computation is faster. */
    public static final int MOST_NODES = 160;

    /** Below this ratio, the smallest eigenvalue is lost in the rounding error of the largest. */
    private static final double LEAST_RATIO = 1e-6;

    private DenseSpectrum() {}

    public static Spectrum of(Network network, double[] diagonal) {
        double[] values = eigenvalues(network, diagonal);
        // The smallest belongs to D^(1/2) 1 and is zero.
        double smallest = values[1];
        double largest = values[values.length - 1];
        return smallest > LEAST_RATIO * largest
                ? new Spectrum(smallest, largest)
                : new Spectrum(new SparseSpectrum(network, diagonal).smallestByInversion(), largest);
    }

    private static double[] eigenvalues(Network network, double[] diagonal) {
        int size = network.size();
        double[] root = new double[size];
        for (int i = 0; i < size; i++) {
            root[i] = 1 / Math.sqrt(diagonal[i]);
        }
        DMatrixRMaj matrix = new DMatrixRMaj(size, size);
        for (int i = 0; i < size; i++) {
            double strength = 0;
            int[] around = network.neighbours(i);
            for (int k = 0; k < around.length; k++) {
                double weight = network.edgeWeights(i)[k];
                strength += weight;
                matrix.set(i, around[k], -weight * (root[i] * root[around[k]]));
            }
            matrix.set(i, i, strength / diagonal[i]);
        }
        EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(size, false, true);
        if (!decomposition.decompose(matrix)) {
            throw new IllegalStateException("no eigenvalues found for " + network.description());
        }
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = decomposition.getEigenvalue(i).getReal();
        }
        Arrays.sort(values);
        return values;
    }
}
