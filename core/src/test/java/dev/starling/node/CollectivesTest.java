package dev.starling.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.network.Topology;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.support.ForgetfulProgram;
import dev.starling.support.SavedStates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CollectivesTest {

    private static final SumRequest OF_ONE = SumRequest.ofNothing("one", 1);
    private static final SumRequest OF_TWO = SumRequest.ofNothing("two", 2);
    private static final Network LINE = Topology.named("line").build(2, 1);

    /** A node that has a process to itself. */
    private static Collectives onATree(Network network, int node) {
        return Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
    }

    private static List<Phase<double[]>> phases(Network network, Function<Collectives, Phase<double[]>> made) {
        SpanningTree tree = network.spanningTree();
        SharedWork shared = new SharedWork();
        return IntStream.range(0, network.size())
                .mapToObj(node -> made.apply(Collectives.together(tree, node, network.size(), shared)))
                .toList();
    }

    private static List<Phase<double[]>> run(Network network, Function<Collectives, Phase<double[]>> made) {
        List<Phase<double[]>> phases = phases(network, made);
        new Simulator().run(network, phases, Delays.uniform(1), StopSignal.manual());
        return phases;
    }

    @ParameterizedTest
    @CsvSource({"line,1", "line,2", "ring,7", "star,9", "grid,12", "complete,5", "binary-tree,15"})
    void everyNodeEndsWithTheSumTheMaximumAndEveryonesText(String topology, int size) {
        Network network = Topology.named(topology).build(size, 1);
        double sum = size * (size - 1) / 2.0;
        for (Phase<double[]> phase : run(network, at -> at.sum(OF_TWO, () -> new double[] {at.node(), 1}))) {
            assertThat(phase.isDone()).isTrue();
            assertThat(phase.result()).containsExactly(sum, size);
        }
        for (Phase<double[]> phase : run(network, at -> at.max(() -> new double[] {-at.node(), at.node()}, 2))) {
            assertThat(phase.result()).containsExactly(0, size - 1);
        }
        List<Phase<double[]>> gathered = run(network, at -> at.gather(() -> new double[at.node()], size));
        Collectives any = onATree(network, 0);
        for (Phase<double[]> phase : gathered) {
            List<double[]> all = any.byNode(phase.result());
            for (int node = 0; node < size; node++) {
                assertThat(all.get(node)).hasSize(node);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 1 5", "0 1 5 0 1 5", "0 1 5 1 2 5", "0 0 1 0 7", "0 0 2 0", ""})
    void malformedGatheredVectorsAreRefused(String numbers) {
        double[] gathered = Arrays.stream(numbers.split(" "))
                .filter(number -> !number.isEmpty())
                .mapToDouble(Double::parseDouble)
                .toArray();
        Collectives one = onATree(LINE, 0);
        assertThatRefused(() -> one.byNode(gathered)).hasMessageContaining("a gathered vector is malformed");
    }

    /** Σ of numbers whose sum depends on the order, if every addition is rounded. */
    @Test
    void aSumIsExactWhateverTheTree() {
        Network star = Topology.named("star").build(4, 1);
        double[] own = {1e16, 1, 1, -1e16};
        assertThat(run(star, at -> at.sum(OF_ONE, () -> new double[] {own[at.node()]}))
                        .get(2)
                        .result())
                .containsExactly(2);
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "6"})
    void anObjectionOfOneNodeEndsAllNodesWithItsMessage(int objecting) {
        Network network = Topology.named("ring").build(7, 1);
        String words = "row 17: label 'späm' is no number";
        List<Phase<double[]>> phases = run(
                network,
                at -> at.sum(OF_ONE, () -> {
                    if (at.node() == objecting) {
                        throw new InvalidInputException(words);
                    }
                    return new double[] {1};
                }));
        for (Phase<double[]> phase : phases) {
            assertThatThrownBy(phase::result)
                    .isInstanceOfSatisfying(
                            ObjectionException.class, e -> assertThat(e.node()).isEqualTo(objecting))
                    .hasMessage(words);
        }
    }

    @Test
    void incompatibleVectorsAreRefusedByTheNodeThatMergesThem() {
        Network network = Topology.named("line").build(3, 1);
        List<Phase<double[]>> phases = run(
                network,
                at -> at.fold(
                        () -> new double[] {at.node()},
                        (one, other) -> {
                            throw new InvalidInputException((int) one[0] + " and " + (int) other[0]);
                        },
                        1));
        assertThatThrownBy(phases.get(0)::result).hasMessage("1 and 2");
        assertThatThrownBy(phases.get(2)::result).hasMessage("1 and 2");
    }

    @Test
    void restoredAfterEveryExchangeItEndsTheSame() {
        Network network = Topology.named("grid").build(9, 1);
        List<ForgetfulProgram<Phase<double[]>>> forgetful = IntStream.range(0, 9)
                .mapToObj(node ->
                        new ForgetfulProgram<>(() -> onATree(network, node).gather(() -> new double[] {node * 0.1}, 1)))
                .toList();
        new Threads(3).run(network, forgetful, Delays.uniform(1), StopSignal.manual());

        double[] expected = run(network, at -> at.gather(() -> new double[] {at.node() * 0.1}, 1))
                .get(0)
                .result();
        forgetful.forEach(program -> assertThat(program.program().result()).isEqualTo(expected));
    }

    /** A hostile neighbour's vector: empty, of no kind that there is, an objection without words. */
    @Test
    void anInvalidVectorIsRefused() {
        for (double[] nonsense : new double[][] {{}, {7, 1}, {1, 0}, {Double.NaN, 3, 4}}) {
            Phase<double[]> root = onATree(LINE, 0).sum(OF_ONE, () -> new double[] {1});
            root.advance();
            assertThatRefused(() -> root.absorb(new double[][] {nonsense})).hasMessageContaining("node 1");
        }
    }

    @Test
    void textOfAnyLengthAndScriptIsExchanged() {
        for (String text : List.of("", "a", "sixsix", "über 7 Sterne ★★★", "x".repeat(4096))) {
            assertThat(EncodedText.text(EncodedText.of(text), 0)).isEqualTo(text);
        }
        assertThat(EncodedText.text(EncodedText.of("x".repeat(9999)), 0)).hasSize(4096);
        assertThat(EncodedText.text(new double[] {1e9, 65}, 0)).hasSize(6);
    }

    /** Messages of ten thousand nodes are shared: copied on every edge they would take gigabytes. */
    @Test
    void tenThousandNodesGatherInOneProcess() {
        Network network = Topology.named("grid").build(10_000, 1);
        List<Phase<double[]>> phases = run(network, at -> at.gather(() -> new double[] {at.node()}, 1));
        assertThat(phases.get(9_999).result()).hasSize(30_000);
    }

    /** Three phases, the last as often as the second says. */
    private static final class Counting extends Sequence<List<Double>> {
        private final Collectives nodes;
        private final List<Double> heard = new ArrayList<>();

        Counting(Collectives nodes) {
            super(new State.Owner(nodes.node(), 0, 0));
            this.nodes = nodes;
        }

        @Override
        protected Step<?> begin() {
            return next("first", nodes.sum(OF_ONE, () -> new double[] {1}), this::again);
        }

        private Step<?> again(double[] last) {
            heard.add(last[0]);
            return heard.size() == 4
                    ? done(List.copyOf(heard))
                    : next(
                            "turn " + heard.size(),
                            nodes.max(() -> new double[] {last[0] * 2 + nodes.node()}, 1),
                            this::again);
        }
    }

    @Test
    void aSequenceContinuesFromItsResultsAfterEveryRestart() {
        Network network = Topology.named("ring").build(5, 1);
        List<ForgetfulProgram<Counting>> forgetful = IntStream.range(0, 5)
                .mapToObj(node -> new ForgetfulProgram<>(() -> new Counting(onATree(network, node))))
                .toList();
        new Simulator().run(network, forgetful, Delays.uniform(1), StopSignal.manual());

        for (ForgetfulProgram<Counting> program : forgetful) {
            assertThat(program.program().result()).containsExactly(5.0, 14.0, 32.0, 68.0);
            assertThat(program.program().position()).isEqualTo(4);
        }
    }

    @Test
    void aStateOfAnotherPhaseIsRefused() throws Exception {
        Counting one = new Counting(Collectives.alone());
        one.absorb(one.advance() == null ? null : new double[0][]);
        byte[] state = SavedStates.of(one);
        int at = new String(state, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("first");
        state[at] = 'F';
        Counting other = new Counting(Collectives.alone());
        assertThatThrownBy(() -> SavedStates.restore(other, state))
                .hasMessage("the state is of the phase 'First', here 'first' is due");
        assertThat(Arrays.asList(one.phaseName(), other.phaseName())).containsOnly("first");
    }
}
