package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Hinge;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.support.ReferenceNewton;
import dev.starling.support.WrappedProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every method must do, whatever it is. */
class BaselineContractTest {

    private static final double GOAL = 1e-8;

    static List<Algorithm> methods() {
        List<Algorithm> methods = new ArrayList<>(Baselines.all());
        methods.add(GtSaga.cautious());
        return methods;
    }

    static List<Algorithm> quickMethods() {
        return Baselines.all();
    }

    @Test
    void namesAreThoseOfTheCommandLine() {
        assertThat(Baselines.names())
                .containsExactly(
                        "msda",
                        "esdacd",
                        "dsba",
                        "dsba-sparse",
                        "point-saga",
                        "extra",
                        "nids",
                        "gt-saga",
                        "dvr",
                        "dvr-chebyshev");
        assertThat(Baselines.named("nids").name()).isEqualTo("nids");
        assertThatThrownBy(() -> Baselines.named("nds"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("did you mean 'nids'");
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void everyNodeReachesTheOptimumOfHeartScale(Algorithm method) {
        assertOptimum(method, Rows.real("heart_scale", 270), new Logistic(), 1e-4, grid(4));
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void everyNodeReachesTheOptimumOfMushrooms(Algorithm method) {
        assertOptimum(method, Rows.real("mushrooms", 600), new Logistic(), 1e-3, ring(5));
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void everyNodeReachesTheOptimumOfGeneratedClasses(Algorithm method) {
        assertOptimum(method, Rows.classification(121, 6), new Logistic(), 1e-2, ring(6));
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void everyNodeReachesTheOptimumOfARobustRegression(Algorithm method) {
        assertOptimum(method, Rows.regression(90, 5), new Huber(0.5), 1e-2, grid(6));
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void everyNodeReachesTheOptimumWithWeightedRowsAndEdges(Algorithm method) {
        Dataset data = Rows.classification(83, 4);
        double[] weights = new double[data.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 0.5 + (i % 7) * 0.3;
        }
        Network network = grid(4).withWeights(new double[] {1, 2, 0.5, 1.5});
        assertOptimum(method, data.withWeights(weights), new Logistic(), 1e-2, network);
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void aSingleNodeReachesTheOptimum(Algorithm method) {
        assertOptimum(method, Rows.classification(60, 4), new Logistic(), 1e-2, Network.of(1, new int[0][]));
    }

    @ParameterizedTest
    @MethodSource("quickMethods")
    void aCompleteGraphReachesTheOptimum(Algorithm method) {
        assertOptimum(
                method,
                Rows.classification(60, 4),
                new Logistic(),
                1e-2,
                Topology.named("complete").build(5, 1));
    }

    private static void assertOptimum(Algorithm method, Dataset data, Loss loss, double lambda, Network network) {
        double[] optimum = ReferenceNewton.optimum(data, loss, lambda);
        double best = ReferenceNewton.objective(data, loss, lambda, optimum);
        Problem problem = Problem.deal(data, loss, lambda, network.size());
        List<Trial.Point> curve = new Trial(method, problem, network, 5, best).run(GOAL, 20_000_000, 50, 60);
        assertThat(curve.get(curve.size() - 1).error())
                .as("mean suboptimality after %s", curve.get(curve.size() - 1))
                .isBetween(-1e-12, GOAL);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void threadsAndSimulatorEndInTheSameBits(Algorithm method) throws IOException {
        byte[] simulated = run(method, new Simulator());
        byte[] threaded = run(method, new Threads(3));
        assertThat(threaded).isEqualTo(simulated);
    }

    private static byte[] run(Algorithm method, Runner runner) throws IOException {
        List<Ending> programs = new ArrayList<>();
        for (EstimatingProgram program : method.programs(small(), ring(5), 5, 11)) {
            programs.add(new Ending(program));
        }
        assertThat(runner.run(ring(5), programs, Delays.uniform(5), StopSignal.manual())
                        .completed())
                .isTrue();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Ending program : programs) {
            program.save(new DataOutputStream(bytes));
        }
        return bytes.toByteArray();
    }

    private static Problem small() {
        return Problem.deal(Rows.classification(43, 4), new Logistic(), 1e-2, 5);
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aRestoredNodeSaysTheSameBits(Algorithm method) throws IOException {
        List<Recording> recordings = new ArrayList<>();
        for (EstimatingProgram program : method.programs(small(), ring(5), 5, 11)) {
            recordings.add(new Recording(new Ending(program)));
        }
        new Simulator().run(ring(5), recordings, Delays.uniform(5), StopSignal.manual());
        for (int node = 0; node < 5; node++) {
            Recording recording = recordings.get(node);
            int half = recording.heard.size() / 2;
            EstimatingProgram first = method.programs(small(), ring(5), 5, 11).get(node);
            for (int k = 0; k < half; k++) {
                first.advance();
                first.absorb(recording.heard.get(k));
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            first.save(new DataOutputStream(bytes));
            EstimatingProgram second = method.programs(small(), ring(5), 5, 11).get(node);
            second.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
            for (int k = half; k < recording.heard.size(); k++) {
                assertThat(copy(second.advance())).isEqualTo(recording.said.get(k));
                second.absorb(recording.heard.get(k));
            }
            if (!recording.heard.isEmpty()) {
                assertThat(estimate(second)).isEqualTo(last(recording));
            }
        }
    }

    private static double[] last(Recording recording) {
        return recording.estimates.get(recording.estimates.size() - 1);
    }

    private static double[] estimate(EstimatingProgram program) {
        double[] theta = new double[4];
        program.estimate(theta);
        return theta;
    }

    private static double[] copy(Exchange exchange) {
        return java.util.Arrays.copyOf(exchange.payload(), exchange.length());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aStateOfAnotherNodeIsRefused(Algorithm method) throws IOException {
        List<? extends EstimatingProgram> programs = method.programs(small(), ring(5), 5, 11);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        programs.get(1).save(new DataOutputStream(bytes));
        assertThatThrownBy(() ->
                        programs.get(2).restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("node 1");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aLossWithKinksIsRefusedByNameWithWhatCanBeUsed(Algorithm method) {
        Problem problem = Problem.deal(Rows.classification(20, 3), new Hinge(), 1e-2, 5);
        assertThatThrownBy(() -> method.programs(problem, ring(5), 5, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(method.name() + " cannot take the loss hinge")
                .hasMessageContaining("adfs")
                .hasMessageContaining("logistic");
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aNetworkOfAnotherSizeIsRefused(Algorithm method) {
        assertThatThrownBy(() -> method.programs(small(), ring(4), 5, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("5 nodes")
                .hasMessageContaining("4");
    }

    private static Network grid(int nodes) {
        return Topology.named("grid").build(nodes, 1);
    }

    private static Network ring(int nodes) {
        return Topology.named("ring").build(nodes, 1);
    }

    /** Ends a program that would go on for ever, after the same step at every node. */
    private static final class Ending extends WrappedProgram<BaselineProgram> {

        private static final Exchange END = new Exchange().end();
        private static final long STEPS = 60;

        Ending(EstimatingProgram program) {
            super((BaselineProgram) program);
        }

        @Override
        public Exchange advance() {
            Exchange exchange = super.advance();
            return program().steps >= STEPS ? END : exchange;
        }
    }

    /** Writes down what a program says and hears. */
    private static final class Recording extends WrappedProgram<Ending> {

        private final List<double[]> said = new ArrayList<>();
        private final List<double[][]> heard = new ArrayList<>();
        private final List<double[]> estimates = new ArrayList<>();

        Recording(Ending program) {
            super(program);
        }

        @Override
        public Exchange advance() {
            Exchange exchange = super.advance();
            said.add(copy(exchange));
            return exchange;
        }

        @Override
        public void absorb(double[][] messages) {
            double[][] copies = new double[messages.length][];
            for (int k = 0; k < copies.length; k++) {
                copies[k] = messages[k].clone();
            }
            heard.add(copies);
            super.absorb(messages);
            estimates.add(BaselineContractTest.estimate(this));
        }
    }
}
