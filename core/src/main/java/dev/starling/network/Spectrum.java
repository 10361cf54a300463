package dev.starling.network;

/** TEMPORARY local stand-in. */
public record Spectrum(double smallest, double largest) {
    public static double smallest(Network n, double[] d) {
        return eig(n, d)[1];
    }

    public static double largest(Network n, double[] d) {
        double[] e = eig(n, d);
        return e[e.length - 1];
    }

    private static double[] eig(Network n, double[] d) {
        int k = n.size();
        org.ejml.data.DMatrixRMaj m = new org.ejml.data.DMatrixRMaj(k, k);
        for (int i = 0; i < k; i++) {
            int[] nb = n.neighbours(i);
            double[] w = n.edgeWeights(i);
            double s = 0;
            for (int j = 0; j < nb.length; j++) {
                s += w[j];
                m.set(i, nb[j], -w[j] / Math.sqrt(d[i] * d[nb[j]]));
            }
            m.set(i, i, s / d[i]);
        }
        var ev = org.ejml.dense.row.factory.DecompositionFactory_DDRM.eig(k, false, true);
        ev.decompose(m);
        double[] r = new double[k];
        for (int i = 0; i < k; i++) r[i] = ev.getEigenvalue(i).getReal();
        java.util.Arrays.sort(r);
        return r;
    }
}
