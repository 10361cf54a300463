package dev.starling.lab.apcg;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How blocks of coordinates are drawn: any distribution over sets of coordinates, as long as every coordinate has a
 * positive probability of being drawn and no block holds a coordinate twice.
 */
public interface BlockSampling {

    /** The number of coordinates. */
    int dimension();

    /** Draws the coordinates of the next block. */
    int[] draw(UniformRandomProvider random);

    /** p_i, the probability that a block holds the coordinate. */
    double probability(int coordinate);

    /**
     * A sampling from a list of blocks.
     *
     * @param dimension the number of coordinates
     * @param blocks the coordinates of each block; together they hold every coordinate
     * @param probabilities the probability of each block, summing to 1
     */
    static ListedBlocks of(int dimension, List<int[]> blocks, double[] probabilities) {
        return new ListedBlocks(dimension, blocks, probabilities);
    }

    /** A sampling of one coordinate at a time, with the given probabilities. */
    static ListedBlocks coordinates(double[] probabilities) {
        int[][] blocks = new int[probabilities.length][];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = new int[] {i};
        }
        return new ListedBlocks(probabilities.length, List.of(blocks), probabilities);
    }
}
