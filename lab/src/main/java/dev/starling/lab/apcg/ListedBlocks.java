package dev.starling.lab.apcg;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** A sampling that draws one of finitely many blocks, each with its probability. */
public final class ListedBlocks implements BlockSampling {

    /** The sum of the probabilities may differ from 1 only by rounding errors. */
    private static final double ROUNDING = 1e-9;

    private final List<int[]> blocks;
    private final double[] cumulative;
    private final double[] marginals;

    ListedBlocks(int dimension, List<int[]> blocks, double[] probabilities) {
        if (blocks.size() != probabilities.length) {
            throw new IllegalArgumentException(blocks.size() + " blocks with " + probabilities.length
                    + " probabilities; there must be one for each block");
        }
        this.blocks = blocks.stream().map(int[]::clone).toList();
        this.cumulative = new double[probabilities.length];
        this.marginals = new double[dimension];
        double sum = 0;
        for (int b = 0; b < cumulative.length; b++) {
            if (!(probabilities[b] > 0)) {
                throw new IllegalArgumentException(
                        "block " + b + " has probability " + probabilities[b] + "; it must be positive");
            }
            sum += probabilities[b];
            cumulative[b] = sum;
            addTo(marginals, b, probabilities[b]);
        }
        if (Math.abs(sum - 1) > ROUNDING) {
            throw new IllegalArgumentException(
                    "the probabilities of the blocks sum to " + sum + "; they must sum to 1");
        }
        for (int i = 0; i < dimension; i++) {
            if (marginals[i] == 0) {
                throw new IllegalArgumentException("coordinate " + i + " is in no block; it would never be updated");
            }
        }
    }

    private void addTo(double[] sums, int block, double probability) {
        boolean[] seen = new boolean[sums.length];
        for (int i : blocks.get(block)) {
            if (i < 0 || i >= sums.length || seen[i]) {
                throw new IllegalArgumentException("block " + block + " holds coordinate " + i
                        + "; it must hold coordinates from 0 to " + (sums.length - 1) + ", each once");
            }
            seen[i] = true;
            sums[i] += probability;
        }
    }

    /** The blocks. */
    public List<int[]> blocks() {
        return blocks.stream().map(int[]::clone).toList();
    }

    @Override
    public int dimension() {
        return marginals.length;
    }

    @Override
    public int[] draw(UniformRandomProvider random) {
        double uniform = random.nextDouble() * cumulative[cumulative.length - 1];
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (uniform < cumulative[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return blocks.get(low).clone();
    }

    @Override
    public double probability(int coordinate) {
        return marginals[coordinate];
    }
}
