package dev.starling.lab.paper;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The paper's way of distributing data: every node draws its rows at random from the same base, each row at most once,
 * so that the rows of different nodes may overlap.
 */
public final class RandomShares {

    private RandomShares() {}

    /**
     * The rows of all nodes, in the order in which {@link dev.starling.problem.Problem#deal} distributes them: row r is
     * one that node r mod nodes has drawn.
     */
    public static Dataset forNodes(Dataset base, int nodes, int samplesPerNode, long seed) {
        if (samplesPerNode > base.rows()) {
            throw new InvalidInputException(base.rows() + " rows, but every node draws " + samplesPerNode
                    + " of them; there must be at least as many");
        }
        long total = (long) nodes * samplesPerNode;
        if (total > Integer.MAX_VALUE - 8) {
            throw new InvalidInputException(nodes + " nodes with " + samplesPerNode + " rows each are " + total
                    + " rows; there can be at most " + (Integer.MAX_VALUE - 8));
        }
        return base.picked(drawn(base.rows(), nodes, samplesPerNode, seed));
    }

    /** The same for nodes that all have the rows which the first one has drawn. */
    public static Dataset replicated(Dataset base, int nodes, int samplesPerNode, long seed) {
        Dataset one = forNodes(base, 1, samplesPerNode, seed);
        int[] rows = new int[Math.multiplyExact(nodes, samplesPerNode)];
        Arrays.setAll(rows, r -> r / nodes);
        return one.picked(rows);
    }

    /** For every row of the result, its index in the base. */
    private static int[] drawn(int rows, int nodes, int samplesPerNode, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        int[] deck = new int[rows];
        for (int r = 0; r < rows; r++) {
            deck[r] = r;
        }
        int[] drawn = new int[nodes * samplesPerNode];
        for (int node = 0; node < nodes; node++) {
            // A shuffled deck is as good as a new one.
            for (int j = 0; j < samplesPerNode; j++) {
                int k = j + random.nextInt(rows - j);
                int row = deck[k];
                deck[k] = deck[j];
                deck[j] = row;
                drawn[node + j * nodes] = row;
            }
        }
        return drawn;
    }
}
