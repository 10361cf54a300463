package dev.starling.lab.baseline.node;

/**
 * FastMix (Liu, Morse, "Accelerated linear iterations for distributed averaging", 2011): gossip with a constant
 * momentum, w_{k+1} = (1+η)Ww_k − ηw_{k−1}, where the eigenvalues of W = I − L/λ_max other than 1 are at most λ₂ = 1 −
 * γ, and η = (1−√(1−λ₂²))/(1+√(1−λ₂²)).
 *
 * <p>On an eigenvector of W with eigenvalue λ₂cos φ, w_k is η^{k/2}(cos kφ + (cos φ − √η)sin kφ/sin φ) times w_0. The
 * first term in the brackets is at most 1, the second at most k(1−√η) if cos φ ≥ √η and at most √(η/(1−η)) otherwise.
 */
public record FastMix(int rounds, double momentum, double mixing) implements Averaging {

    /** The fewest rounds that, by the bound above, shrink any distance from the mean to the given fraction. */
    public static FastMix of(Gossip gossip, double contraction) {
        double second = 1 - gossip.gap();
        double root = Math.sqrt(1 - second * second);
        double momentum = (1 - root) / (1 + root);
        int rounds = 1;
        while (contraction(momentum, rounds) > contraction) {
            rounds++;
        }
        return new FastMix(rounds, momentum, 1 / gossip.largest());
    }

    /** The fraction to which distances from the mean shrink in this many rounds. */
    private static double contraction(double momentum, int rounds) {
        double growth = Math.max(rounds * (1 - Math.sqrt(momentum)), Math.sqrt(momentum / (1 - momentum)));
        return StrictMath.pow(momentum, rounds / 2.0) * (1 + growth);
    }

    @Override
    public void step(int k, double[] current, double[] previous, double[] laplacian) {
        for (int c = 0; c < current.length; c++) {
            double next = (1 + momentum) * (current[c] - mixing * laplacian[c]) - momentum * previous[c];
            previous[c] = current[c];
            current[c] = next;
        }
    }
}
