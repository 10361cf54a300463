package dev.starling.method.adfs;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/** Draws the edges of round after round from a stream that all nodes share, see {@link EdgeSampling}. */
public final class EdgeDraw {

    /**
     * The edges of a round.
     *
     * @param group the number of the group that they are; 0 if they were drawn one by one
     */
    public record Round(int group, List<Integer> edges) {}

    private final UniformRandomProvider stream;
    private final List<Round> groups;
    private final AliasTable choosing;
    private final int edges;
    private final double probability;
    private final int[] chosen = new int[1];

    /**
     * The draws of a stream.
     *
     * @param groups what a round draws one of; empty if every edge is drawn for itself
     * @param probabilities of each group; of any edge, if edges are drawn for themselves
     * @param edges how many the network has
     */
    public EdgeDraw(UniformRandomProvider stream, List<List<Integer>> groups, List<Double> probabilities, int edges) {
        this.stream = stream;
        this.groups = IntStream.range(0, groups.size())
                .mapToObj(group -> new Round(group, List.copyOf(groups.get(group))))
                .toList();
        this.choosing = new AliasTable(probabilities.size(), probabilities::get);
        this.edges = edges;
        this.probability = probabilities.get(0);
    }

    /** The next round. */
    public Round next() {
        if (groups.isEmpty()) {
            return new Round(0, oneByOne());
        }
        choosing.draw(stream, chosen, 1);
        return groups.get(chosen[0]);
    }

    private List<Integer> oneByOne() {
        return IntStream.range(0, edges)
                .filter(e -> stream.nextDouble() < probability)
                .boxed()
                .toList();
    }
}
