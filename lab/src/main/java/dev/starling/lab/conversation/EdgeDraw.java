package dev.starling.lab.conversation;

import dev.starling.method.adfs.draws.AliasTable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/** Draws the edges of each round from a random stream that all nodes share, see {@link EdgeSampling}. */
public final class EdgeDraw {

    /**
     * The edges of a round.
     *
     * @param group the index of the group that they form; 0 if they were drawn independently
     */
    public record Round(int group, List<Integer> edges) {}

    private final UniformRandomProvider stream;
    private final List<Round> groups;
    private final AliasTable choosing;
    private final int edges;
    private final double probability;
    private final int[] chosen = new int[1];

    /**
     * Creates draws from a stream.
     *
     * @param groups the groups of edges, one of which is drawn per round; empty if every edge is drawn independently
     * @param probabilities the probability of each group, or that of any edge if edges are drawn independently
     * @param edges the number of edges of the network
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

    /** Draws the next round. */
    public Round next() {
        if (groups.isEmpty()) {
            return new Round(0, drawIndependently());
        }
        choosing.draw(stream, chosen, 1);
        return groups.get(chosen[0]);
    }

    private List<Integer> drawIndependently() {
        return IntStream.range(0, edges)
                .filter(e -> stream.nextDouble() < probability)
                .boxed()
                .toList();
    }
}
