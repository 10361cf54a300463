package dev.starling.method.newton;

import static dev.starling.method.newton.NewtonRun.TIGHT;
import static dev.starling.method.newton.NewtonRun.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.SquaredHinge;
import dev.starling.method.MethodNode;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Neither the graph, nor who drives its nodes, nor which node has which rows makes another answer. */
@Timeout(60)
@ParameterizedClass
@EnumSource
class NewtonNetworksTest {

    private static final Loss LOSS = new Logistic();

    private final Way way;

    NewtonNetworksTest(Way way) {
        this.way = way;
    }

    static Stream<Network> networks() {
        List<Network> networks = new ArrayList<>();
        for (String topology : List.of("line", "ring", "star", "grid", "complete")) {
            for (int nodes : new int[] {1, 2, 3, 4, 6, 9}) {
                networks.add(Topology.named(topology).build(nodes, 1));
            }
        }
        return networks.stream();
    }

    @ParameterizedTest
    @MethodSource("networks")
    void everyRunnerGivesTheSameBitsAtEveryNode(Network network) {
        Dataset data = rows(LOSS, 300, 9, false, true, 4);
        Problem problem = Problem.deal(data, LOSS, 1e-4, network.size());
        NewtonRun expected = NewtonRun.of(way, problem, network, TIGHT).run(new Simulator());

        assertThat(expected.isCertified()).isTrue();
        for (Runner runner : List.of(new Simulator(), new Threads(1), new Threads(2), new Threads(16))) {
            NewtonRun run = NewtonRun.of(way, problem, network, TIGHT).run(runner);
            for (MethodNode node : run.programs()) {
                assertThat(node.isDone()).isTrue();
                assertThat(node.result().parameter()).isEqualTo(expected.parameter());
                assertThat(node.result().certificate().objective())
                        .isEqualTo(expected.certificate().objective());
                assertThat(node.result().certificate().dual())
                        .isEqualTo(expected.certificate().dual());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void theGraphChangesNoMoreThanTheRounding(Network network) {
        Dataset data = rows(LOSS, 400, 6, true, false, 9);
        NewtonRun alone = NewtonRun.alone(way, data, LOSS, 1e-4);
        NewtonRun run = NewtonRun.of(way, Problem.deal(data, LOSS, 1e-4, network.size()), network, TIGHT)
                .run(new Simulator());

        double objective = alone.certificate().objective();
        assertThat(run.certificate().objective()).isCloseTo(objective, within(1e-13 * objective));
        assertThat(run.proofs()).hasSameSizeAs(alone.proofs());
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 20_000})
    void everyWayOfDealingRowsGivesTheSameObjective(int count) {
        Loss loss = new SquaredHinge();
        Dataset data = rows(loss, count, 6, true, true, 21);
        double objective = NewtonRun.alone(way, data, loss, 1e-3).certificate().objective();

        for (int nodes : new int[] {2, 5, 9}) {
            for (Problem problem : List.of(
                    Problem.deal(data, loss, 1e-3, nodes),
                    NewtonRun.unevenly(data, loss, 1e-3, nodes),
                    sortedByLabel(data, loss, nodes))) {
                NewtonRun run = NewtonRun.of(way, problem, "ring", TIGHT).run(new Simulator());

                assertThat(run.isCertified()).isTrue();
                assertThat(run.certificate().objective()).isCloseTo(objective, within(1e-10 * objective));
            }
        }
    }

    /** Most nodes have rows of one class only. */
    private static Problem sortedByLabel(Dataset data, Loss loss, int nodes) {
        int[] order = IntStream.range(0, data.rows())
                .boxed()
                .sorted((a, b) -> Double.compare(data.label(a), data.label(b)))
                .mapToInt(i -> i)
                .toArray();
        return NewtonRun.unevenly(data.picked(order), loss, 1e-3, nodes);
    }

    @Test
    void nodesMayHoldDenseAndSparseRowsSideBySide() {
        Dataset data = rows(LOSS, 120, 5, true, false, 14);
        Dataset first = data.picked(IntStream.range(0, 50).toArray());
        Dataset second = data.picked(IntStream.range(50, 120).toArray()).laidOut(false);
        Problem mixed = new Problem(List.of(LocalProblem.of(first, LOSS, 1e-3), LocalProblem.of(second, LOSS, 1e-3)));
        double objective = NewtonRun.alone(way, data, LOSS, 1e-3).certificate().objective();

        NewtonRun run = NewtonRun.of(way, mixed, "line", TIGHT).run(new Simulator());

        assertThat(run.certificate().objective()).isCloseTo(objective, within(1e-13 * objective));
    }
}
