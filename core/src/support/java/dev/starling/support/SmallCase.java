package dev.starling.support;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** A small problem on a network, with everything uneven. */
public record SmallCase(List<LocalProblem> nodes, Network network) {

    /** Uneven numbers of samples, σ, sample weights and edge weights; a ring with a chord. */
    public static SmallCase random(Loss loss, int size, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        return random(loss, size, 2 + random.nextInt(2), random);
    }

    /** The same with this many features. */
    public static SmallCase random(Loss loss, int size, int features, long seed) {
        return random(loss, size, features, RandomSource.XO_SHI_RO_256_PP.create(seed));
    }

    private static SmallCase random(Loss loss, int size, int features, UniformRandomProvider random) {
        List<LocalProblem> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int samples = 1 + random.nextInt(4);
            float[] values = new float[features * samples];
            for (int k = 0; k < values.length; k++) {
                values[k] = (float) (2 * random.nextDouble() - 1);
            }
            double[] labels = random.doubles(samples)
                    .map(u -> loss.isClassification() ? (u < 0.5 ? -1 : 1) : 4 * u - 2)
                    .toArray();
            double[] weights = random.doubles(samples).map(u -> 0.5 + u).toArray();
            Dataset data = Dataset.dense(features, values, labels).withWeights(weights);
            nodes.add(LocalProblem.of(data, loss, 1).withSigma(0.2 + random.nextDouble()));
        }
        return new SmallCase(nodes, network(size, random));
    }

    private static Network network(int size, UniformRandomProvider random) {
        List<int[]> edges = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            edges.add(new int[] {i - 1, i});
        }
        if (size > 2) {
            edges.add(new int[] {0, size - 1});
        }
        if (size > 3) {
            edges.add(new int[] {0, 2});
        }
        Network network = Network.of(size, edges.toArray(int[][]::new));
        return network.withWeights(
                random.doubles(network.edges()).map(u -> 0.5 + u).toArray());
    }

    public int features() {
        return nodes.get(0).features();
    }

    public List<Conditioning> facts() {
        return nodes.stream().map(Conditioning::of).toList();
    }

    public Tuning tuning(double balance) {
        return Tuning.of(network, facts(), 5, balance);
    }

    public LiteralAdfs literal(Tuning tuning) {
        List<LiteralAdfs.Edge> edges = IntStream.range(0, network.edges())
                .mapToObj(e -> new LiteralAdfs.Edge(network.tail(e), network.head(e), network.weight(e)))
                .toList();
        return new LiteralAdfs(
                LiteralAdfs.nodesOf(nodes), edges, nodes.get(0).loss(), tuning);
    }

    /** The nodes' programs, with the steps that are given. */
    public List<Adfs> programs(Tuning tuning, List<int[]> blocks) {
        List<Conditioning> facts = facts();
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> new Adfs(
                        nodes.get(i),
                        facts.get(i),
                        network,
                        i,
                        belief -> tuning,
                        (roots, ahead) -> new ScriptedSchedule(blocks, i)))
                .toList();
    }

    /** Steps drawn at random, ending with a round (or, at one node, with a full stretch). */
    public List<int[]> blocks(Tuning tuning, int steps, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed + 1000);
        List<int[]> blocks = new ArrayList<>();
        for (int t = 0; t < steps; t++) {
            boolean round = random.nextDouble() < tuning.communicationProbability();
            int[] block = new int[round ? 0 : nodes.size()];
            Arrays.setAll(block, i -> random.nextInt(nodes.get(i).samples()));
            blocks.add(block);
        }
        if (nodes.size() > 1) {
            blocks.add(LiteralAdfs.COMMUNICATION);
        } else {
            int stretch = nodes.get(0).samples();
            while (blocks.size() % stretch != 0) {
                blocks.add(new int[] {0});
            }
        }
        return blocks;
    }
}
