package dev.starling.lab.baseline.node;

/**
 * The polynomial P_K of the graph's Laplacian that K rounds of gossip can apply and whose eigenvalues are closest to 1
 * (Scaman, Bach, Bubeck, Lee, Massoulié 2017, Algorithm 2): P_K(L)v = v − w_K with w_0 = v, w_1 = v − c₃Lv,
 *
 * <p>w_{k+1} = ω_{k+1}(w_k − c₃Lw_k) + (1 − ω_{k+1})w_{k−1}, where c₃ = 2/((1+γ)λ_max), c₂ = (1+γ)/(1−γ).
 *
 * <p>The paper writes z_k = a_k w_k with a_{k+1} = 2c₂a_k − a_{k−1}; then ω_{k+1} = 2c₂a_k/a_{k+1}, which neither
 * overflows for many rounds nor divides by zero on a complete graph (γ = 1, K = 1).
 *
 * @param scale c₃, the factor of products with the Laplacian
 * @param relaxations ω_1 to ω_K
 * @param smallest the smallest non-zero eigenvalue of P_K(L)
 * @param largest the largest eigenvalue of P_K(L)
 */
public record Chebyshev(double scale, double[] relaxations, double smallest, double largest) implements Averaging {

    /** The polynomial for K rounds. */
    public static Chebyshev of(Gossip gossip, int rounds) {
        double gap = gossip.gap();
        double middle = (1 + gap) / (1 - gap);
        double[] relaxations = new double[rounds];
        relaxations[0] = 1;
        double ratio = middle; // a_{k+1}/a_k
        for (int k = 1; k < rounds; k++) {
            ratio = 2 * middle - 1 / ratio;
            relaxations[k] = 2 * middle / ratio;
        }
        double root = Math.sqrt(gap);
        double contraction = 1; // c₁^K
        for (int k = 0; k < rounds; k++) {
            contraction *= (1 - root) / (1 + root);
        }
        double spread = 2 * contraction / (1 + contraction * contraction);
        return new Chebyshev(2 / ((1 + gap) * gossip.largest()), relaxations, 1 - spread, 1 + spread);
    }

    @Override
    public int rounds() {
        return relaxations.length;
    }

    @Override
    public void step(int k, double[] current, double[] previous, double[] laplacian) {
        double omega = relaxations[k];
        for (int c = 0; c < current.length; c++) {
            double next = omega * (current[c] - scale * laplacian[c]) + (1 - omega) * previous[c];
            previous[c] = current[c];
            current[c] = next;
        }
    }
}
