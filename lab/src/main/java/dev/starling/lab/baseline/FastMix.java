package dev.starling.lab.baseline;

/**
 * FastMix (Liu, Morse, "Accelerated linear iterations for distributed averaging", 2011): gossip with a constant
 * momentum, w_{k+1} = (1+η)Ww_k − ηw_{k−1}, where W = I − L/λ_max has eigenvalues up to λ₂ = 1 − γ beside 1, and η =
 * (1−√(1−λ₂²))/(1+√(1−λ₂²)).
 *
 * <p>On an eigenvector of W to λ₂cos φ, w_k is η^{k/2}(cos kφ + (cos φ − √η)sin kφ/sin φ) times w_0. The first term in
 * the brackets is at most 1, the second at most k(1−√η) where cos φ ≥ √η and at most √(η/(1−η)) elsewhere.
 */
record FastMix(int rounds, double momentum, double mixing) implements Averaging {

    /** As few rounds as shrink any distance from the mean by a factor, by the bound above. */
    static FastMix of(Gossip gossip, double contraction) {
        double second = 1 - gossip.gap();
        double root = Math.sqrt(1 - second * second);
        double momentum = (1 - root) / (1 + root);
        int rounds = 1;
        while (contraction(momentum, rounds) > contraction) {
            rounds++;
        }
        return new FastMix(rounds, momentum, 1 / gossip.largest());
    }

    /** What distances from the mean shrink to in a number of rounds. */
    private static double contraction(double momentum, int rounds) {
        double growth = Math.max(rounds * (1 - Math.sqrt(momentum)), Math.sqrt(momentum / (1 - momentum)));
        return StrictMath.pow(momentum, rounds / 2.0) * (1 + growth);
    }

    @Override
    public void step(int k, double[] present, double[] previous, double[] laplacian) {
        for (int c = 0; c < present.length; c++) {
            double next = (1 + momentum) * (present[c] - mixing * laplacian[c]) - momentum * previous[c];
            previous[c] = present[c];
            present[c] = next;
        }
    }
}
