package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.support.LiteralAdfs;
import dev.starling.support.Rounds;
import dev.starling.support.SmallCase;
import dev.starling.support.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The program that nodes run, laid beside the paper's Algorithm 2 with its matrices written out. */
class AdfsAgainstTheLiteralFormTest {

    private static final int STEPS = 240;

    /** Every smooth loss that can be named, one after another with other sizes. */
    static Stream<String> smoothLosses() {
        return Losses.names().stream()
                .map(Losses::named)
                .filter(loss -> loss.smoothness() < Double.POSITIVE_INFINITY)
                .filter(loss -> loss.isClassification() || loss.domain().isScalable())
                .map(Loss::name);
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void takesTheStepsOfTheLiteralFormOnUnevenWeightedProblems(String loss) {
        for (long seed = 1; seed <= 3; seed++) {
            SmallCase random = SmallCase.random(Losses.named(loss), 2 + (int) seed, seed);
            assertSameSteps(random, random.tuning(0.5), seed);
        }
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void takesTheStepsOfTheLiteralFormAtOneNode(String loss) {
        SmallCase random = SmallCase.random(Losses.named(loss), 1, 7);
        assertSameSteps(random, random.tuning(1), 7);
    }

    @Test
    void takesTheStepsOfTheLiteralFormWithTheFastestBalance() {
        SmallCase random = SmallCase.random(Losses.named("logistic"), 4, 11);
        assertSameSteps(random, Tuning.of(random.network(), random.facts(), 5), 11);
    }

    /** Widths that end within, at and beyond the four features that one turn of the inner loop takes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 13, 50})
    void takesTheStepsOfTheLiteralFormAtEveryWidth(int features) {
        SmallCase dense = SmallCase.random(Losses.named("logistic"), 2, features, features);
        assertSameSteps(dense, dense.tuning(0.5), features);
        SmallCase sparse = sparse(dense);
        assertSameSteps(sparse, sparse.tuning(0.5), features);
    }

    private static SmallCase sparse(SmallCase dense) {
        List<LocalProblem> nodes = dense.nodes().stream()
                .map(node ->
                        LocalProblem.of(thinned(node.data()), node.loss(), 1).withSigma(node.sigma()))
                .toList();
        return new SmallCase(nodes, dense.network());
    }

    /** Every third column left out, so that columns and positions are not the same. */
    private static Dataset thinned(Dataset dense) {
        double[] values = Stored.values(dense);
        for (int k = 0; k < values.length; k++) {
            values[k] = k % dense.features() % 3 == 1 ? 0 : values[k];
        }
        double[] weights =
                IntStream.range(0, dense.rows()).mapToDouble(dense::weight).toArray();
        return Dataset.dense(dense.features(), values, dense.labels())
                .withWeights(weights)
                .laidOut(false);
    }

    private static void assertSameSteps(SmallCase problem, Tuning tuning, long seed) {
        LiteralAdfs literal = problem.literal(tuning);
        List<int[]> blocks = problem.blocks(tuning, STEPS, seed);
        List<Adfs> programs = problem.programs(tuning, blocks);
        double scale = 1;
        int step = 0;
        while (step < blocks.size()) {
            double[][] messages = new double[problem.nodes().size()][];
            for (int i = 0; i < messages.length; i++) {
                messages[i] = programs.get(i).advance().payload().clone();
            }
            int end = (int) programs.get(0).steps();
            boolean round = problem.network().size() > 1;
            for (; step < (round ? end - 1 : end); step++) {
                literal.step(blocks.get(step));
            }
            if (round) {
                for (int i = 0; i < messages.length; i++) {
                    assertClose(messages[i], literal.estimate(i), scale, "g of node " + i + " at step " + step);
                }
                literal.step(blocks.get(step++));
            }
            for (int i = 0; i < messages.length; i++) {
                double[][] inbox = Arrays.stream(problem.network().neighbours(i))
                        .mapToObj(k -> messages[k])
                        .toArray(double[][]::new);
                programs.get(i).absorb(inbox);
                double[] estimate = new double[problem.features()];
                programs.get(i).estimate(estimate);
                assertClose(estimate, literal.estimate(i), scale, "y/sigma of node " + i + " after step " + step);
                Adfs program = programs.get(i);
                double[] slopes = IntStream.range(0, program.problem().samples())
                        .mapToDouble(program::slope)
                        .toArray();
                assertClose(slopes, literal.xOfSamples(i), scale, "slopes of node " + i + " after step " + step);
            }
        }
    }

    private static void assertClose(double[] actual, double[] expected, double scale, String what) {
        double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        for (int c = 0; c < expected.length; c++) {
            assertThat(actual[c])
                    .as(what + ", entry " + c)
                    .isCloseTo(expected[c], within(1e-12 * Math.max(scale, largest)));
        }
    }

    @Test
    void theLiteralFormFollowsTheGoldenTrace() throws IOException {
        JsonNode golden = golden();
        Tuning tuning = goldenTuning(golden);
        LiteralAdfs literal =
                new LiteralAdfs(goldenNodes(golden), goldenEdges(golden), Losses.named("logistic"), tuning);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 5; j++) {
                assertThat(literal.probability(i, j))
                        .isCloseTo(golden.get("p").get(i).get(j).asDouble(), within(1e-14));
            }
        }
        List<int[]> blocks = goldenBlocks(golden);
        int step = 0;
        for (JsonNode moment : golden.get("trace")) {
            for (; step < moment.get("step").asInt(); step++) {
                literal.step(blocks.get(step));
            }
            for (int i = 0; i < 4; i++) {
                String where = " of node " + i + " after step " + step;
                assertGolden(literal.xOfNode(i), moment.get("x_nodes").get(i), "x" + where);
                assertGolden(literal.vOfNode(i), moment.get("v_nodes").get(i), "v" + where);
                assertGolden(literal.xOfSamples(i), moment.get("x_samples").get(i), "x of samples" + where);
                assertGolden(literal.vOfSamples(i), moment.get("v_samples").get(i), "v of samples" + where);
            }
        }
    }

    /**
     * The golden rows are doubles, datasets hold floats: the same problem with rounded rows, against the judge above.
     */
    @Test
    void takesTheStepsOfTheLiteralFormOnTheGoldenProblem() throws IOException {
        JsonNode golden = golden();
        List<LocalProblem> nodes = new ArrayList<>();
        for (LiteralAdfs.Node node : goldenNodes(golden)) {
            float[] values = new float[15];
            double[] labels = new double[5];
            for (int j = 0; j < 5; j++) {
                labels[j] = node.samples().get(j).label();
                for (int c = 0; c < 3; c++) {
                    values[3 * j + c] = (float) node.samples().get(j).row()[c];
                }
            }
            Dataset data = Dataset.dense(3, values, labels);
            nodes.add(LocalProblem.of(data, Losses.named("logistic"), 1).withSigma(node.sigma()));
        }
        int[][] edges = goldenEdges(golden).stream()
                .map(edge -> new int[] {edge.tail(), edge.head()})
                .toArray(int[][]::new);
        SmallCase problem = new SmallCase(nodes, Network.of(4, edges));
        Tuning tuning = goldenTuning(golden);
        List<int[]> blocks = goldenBlocks(golden);
        List<Adfs> programs = problem.programs(tuning, blocks);
        LiteralAdfs literal = problem.literal(tuning);
        runToEnd(programs, literal, blocks);
        for (int i = 0; i < 4; i++) {
            double[] estimate = new double[3];
            programs.get(i).estimate(estimate);
            assertClose(estimate, literal.estimate(i), 1, "y/sigma of node " + i);
        }
    }

    private static void runToEnd(List<Adfs> programs, LiteralAdfs literal, List<int[]> blocks) {
        int rounds = (int) blocks.stream().filter(block -> block.length == 0).count();
        int step = 0;
        for (int r = 0; r < rounds; r++) {
            Rounds.exchange(programs);
            for (; step < programs.get(0).steps(); step++) {
                literal.step(blocks.get(step));
            }
        }
    }

    private static void assertGolden(double[] actual, JsonNode expected, String what) {
        for (int c = 0; c < actual.length; c++) {
            assertThat(actual[c]).as(what).isCloseTo(expected.get(c).asDouble(), within(1e-10));
        }
    }

    private static JsonNode golden() throws IOException {
        try (InputStream in = AdfsAgainstTheLiteralFormTest.class.getResourceAsStream("/golden/adfs-small.json")) {
            return new ObjectMapper().readTree(in);
        }
    }

    private static Tuning goldenTuning(JsonNode golden) {
        return new Tuning(
                5,
                golden.get("c").asDouble(),
                golden.get("sigmaA").asDouble(),
                golden.get("Ccomp").asDouble(),
                golden.get("Ccomm").asDouble(),
                golden.get("pcomm").asDouble(),
                golden.get("rho").asDouble(),
                golden.get("eta").asDouble());
    }

    private static List<LiteralAdfs.Node> goldenNodes(JsonNode golden) {
        List<LiteralAdfs.Node> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            List<LiteralAdfs.Sample> samples = new ArrayList<>();
            for (int j = 0; j < 5; j++) {
                JsonNode row = golden.get("rows").get(i).get(j);
                double[] values = {
                    row.get(0).asDouble(), row.get(1).asDouble(), row.get(2).asDouble()
                };
                double label = golden.get("labels").get(i).get(j).asDouble();
                samples.add(new LiteralAdfs.Sample(values, label, 1));
            }
            nodes.add(new LiteralAdfs.Node(samples, golden.get("sigma").get(i).asDouble()));
        }
        return nodes;
    }

    private static List<LiteralAdfs.Edge> goldenEdges(JsonNode golden) {
        List<LiteralAdfs.Edge> edges = new ArrayList<>();
        for (JsonNode edge : golden.get("edges")) {
            edges.add(new LiteralAdfs.Edge(edge.get(0).asInt(), edge.get(1).asInt(), 1));
        }
        return edges;
    }

    private static List<int[]> goldenBlocks(JsonNode golden) {
        List<int[]> blocks = new ArrayList<>();
        for (JsonNode block : golden.get("blocks")) {
            int[] samples = new int[block.isArray() ? 4 : 0];
            Arrays.setAll(samples, i -> block.get(i).asInt());
            blocks.add(samples);
        }
        return blocks;
    }
}
