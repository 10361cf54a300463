package dev.starling.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.general.GeneralAdfs;
import dev.starling.lab.general.LinearFunctions;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.SumGuard;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SavedStates;
import dev.starling.support.Transcript;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every node program promises, whatever it computes: a new one is a line in {@link #makers}. */
@Timeout(60)
@ParameterizedClass
@MethodSource("subjects")
@Tag("thorough")
class NodeProgramContractTest {

    /** Rows that do not divide evenly, and so few that runs are past their first passes when transcripts end. */
    private static final int ROWS = 43;

    private static final int FEATURES = 4;

    /** Enough rows for Newton to begin with a sample of them. */
    private static final int MANY_ROWS = 17_003;

    private static final String CONFERENCE = "adfs-conference";

    private static final StoppingRule RULE = new StoppingRule(1e-10, 200);

    /** By rows and features: made once, as programs are made often. */
    private static final Map<List<Integer>, Dataset> DATA = new ConcurrentHashMap<>();

    private static Dataset generated(List<Integer> shape) {
        Generator rows = Generator.classification(shape.get(0), shape.get(1));
        return rows.conditioning(10).noise(0.1).seed(3).generate();
    }

    static Stream<Subject> subjects() {
        return makers().stream()
                .flatMap(maker -> Stream.of("ring:5", "star:4", "line:1").map(network -> new Subject(maker, network)))
                .filter(subject -> !isRefused(subject.maker.name, subject.network));
    }

    /** The authors' program is for several nodes. */
    private static boolean isRefused(String method, String network) {
        return method.equals(CONFERENCE) && network.equals("line:1");
    }

    /** Everything that runs on a node. */
    private static List<Maker> makers() {
        Stream<Maker> methods = Stream.of(Algorithms.all(), Baselines.all())
                .flatMap(List::stream)
                .map(method -> new Maker(method.name(), new Logistic(), ROWS, programsOf(method)));
        Stream<Maker> others = Stream.of(
                new Maker("general-adfs", new Logistic(), ROWS, NodeProgramContractTest::general),
                new Maker("adfs with a slow node", new Logistic(), ROWS, NodeProgramContractTest::slowed),
                new Maker("certified adfs", new Logistic(), ROWS, certified("adfs", true)),
                new Maker("certified ns-adfs", new Hinge(), ROWS, certified("adfs", true)),
                new Maker("certified adfs-local", new Logistic(), ROWS, certified("adfs-local", true)),
                new Maker("certified adfs-matchings", new Logistic(), ROWS, certified("adfs-matchings", true)),
                new Maker("certified adfs-localised", new Logistic(), ROWS, certified("adfs-localised", true)),
                new Maker("direct newton", new Logistic(), MANY_ROWS, certified("newton", true)),
                new Maker(
                        "newton without a regulariser", new Logistic(), ROWS, unregularised(certified("newton", true))),
                new Maker("multipliers", new Hinge(), ROWS, certified("multipliers", true)),
                new Maker("dual steps", new Hinge(), ROWS, certified("dual", true)),
                new Maker("dual steps with an l1 term", new Logistic(), ROWS, net(certified("dual", true))),
                new Maker("multipliers with an l1 term", new Hinge(), ROWS, net(certified("multipliers", true))),
                new Maker("proximal newton", new Logistic(), MANY_ROWS, net(certified("proximal-newton", true))),
                new Maker("a job by adfs", new Logistic(), ROWS, job("adfs")),
                new Maker("a job by newton", new Logistic(), ROWS, job("newton")),
                new Maker("a job with a free intercept", new Logistic(), ROWS, freeIntercept()),
                new Maker("a job along a path", new Logistic(), ROWS, path()),
                new Maker("a job without each fold", new Logistic(), ROWS, folds()),
                new Maker("quasi-newton", new Logistic(), MANY_ROWS, certified("newton", false)));
        return Stream.concat(methods, others).toList();
    }

    private static Programs programsOf(Algorithm method) {
        Programs usual = (problem, network) -> method.programs(problem, network, 5, 11);
        return method.name().equals(CONFERENCE) ? lessRegularised(usual) : usual;
    }

    /** The constants of the authors' program suit these rows with a tenth of the others' λ. */
    private static Programs lessRegularised(Programs programs) {
        return (problem, network) -> programs.of(
                new Problem(problem.nodes().stream()
                        .map(node -> node.withSigma(node.sigma() / 10))
                        .toList()),
                network);
    }

    private static List<? extends NodeProgram> slowed(Problem problem, Network network) {
        Timing timing = Timing.even(0.1).withNode(0, 20);
        return Algorithms.named("adfs-theory").programs(problem, network, timing, 11);
    }

    private static List<? extends NodeProgram> general(Problem problem, Network network) {
        return GeneralAdfs.programs(LinearFunctions.of(problem), network, 5, 11);
    }

    private static Programs certified(String name, boolean fewValuesPerRow) {
        Method method = Methods.named(name);
        return (problem, network) -> {
            Objective objective = new Objective(problem.nodes().get(0).loss(), problem.regulariser());
            long values = problem.samples() * (fewValuesPerRow ? 1 : 1000);
            Shape shape = new Shape(problem.features(), problem.samples(), values, values, true);
            List<Facts> facts = problem.nodes().stream()
                    .map(node -> Facts.of(node, method.facts(node)))
                    .toList();
            Tuned tuned = method.tune(network, objective, shape, facts, 5);
            return IntStream.range(0, problem.size())
                    .mapToObj(node -> tuned.node(
                            new Assignment(
                                    problem.nodes().get(node),
                                    apart(network, node),
                                    RULE,
                                    11,
                                    CertificateListener.NONE),
                            Optional.empty()))
                    .toList();
        };
    }

    /** The same with an l1 term. */
    private static Programs net(Programs programs) {
        return (problem, network) -> programs.of(problem.withRegulariser(Regulariser.elasticNet(1e-2, 1e-2)), network);
    }

    private static Programs unregularised(Programs programs) {
        return (problem, network) -> programs.of(problem.withRegulariser(Regulariser.elasticNet(0, 0)), network);
    }

    private static Collectives apart(Network network, int node) {
        return Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
    }

    /** The whole job, at nodes that each have nothing but their own rows. */
    private static Programs job(String method) {
        return job(byMethod(method));
    }

    private static Programs path() {
        return job(byMethod("auto").withPath(LambdaPath.of(3).l1Ratios(0.5)));
    }

    private static Programs folds() {
        return job(byMethod("auto")
                .withPath(LambdaPath.of(2))
                .withFolds(Folds.of(2).rule(Folds.Rule.ONE_STANDARD_ERROR)));
    }

    private static Settings byMethod(String method) {
        return Settings.of(new Logistic())
                .with(Setting.METHOD, method)
                .with(Setting.LAMBDA, 1e-2)
                .with(Setting.BIAS, 1.0)
                .with(Setting.SCALING, Scaling.STANDARDIZE)
                .with(Setting.GAP, 1e-10);
    }

    private static Programs freeIntercept() {
        return job(Settings.of(new Logistic())
                .with(Setting.LAMBDA, 1e-2)
                .with(Setting.INTERCEPT, true)
                .with(Setting.SCALING, Scaling.STANDARDIZE)
                .with(Setting.GAP, 1e-10));
    }

    private static Programs job(Settings settings) {
        return (problem, network) -> {
            JobRules rules = JobRules.inMemory();
            return IntStream.range(0, problem.size())
                    .mapToObj(node -> {
                        NodeRows rows =
                                NodeRows.all(problem.nodes().get(node).data().picked(rows(problem, node)));
                        PlanningPhase agreement =
                                new PlanningPhase(settings, rules, network, apart(network, node), rows);
                        return new TrainingJob(settings, rules, agreement, TrainingListener.NONE);
                    })
                    .toList();
        };
    }

    private static int[] rows(Problem problem, int node) {
        return IntStream.range(0, problem.nodes().get(node).samples())
                .map(problem.nodes().get(node)::row)
                .toArray();
    }

    /** Makes the programs of all nodes, at the start of their run. */
    private interface Programs {
        List<? extends NodeProgram> of(Problem problem, Network network);
    }

    private record Maker(String name, Loss loss, int rows, Programs programs) {}

    /** Programs on a network. */
    record Subject(Maker maker, String network) {

        Network graph() {
            int nodes = Integer.parseInt(network.substring(network.indexOf(':') + 1));
            return Topology.named(network.substring(0, network.indexOf(':'))).build(nodes, 1);
        }

        List<? extends NodeProgram> fresh() {
            return fresh(maker.rows, FEATURES);
        }

        List<? extends NodeProgram> fresh(int rows, int features) {
            Dataset data = DATA.computeIfAbsent(List.of(rows, features), NodeProgramContractTest::generated);
            return maker.programs.of(Problem.deal(data, maker.loss, 1e-2, graph().size()), graph());
        }

        @Override
        public String toString() {
            return maker.name + " on " + network;
        }
    }

    @Parameter
    private Subject subject;

    @Test
    void aNodeRestoredAfterEveryExchangeSendsTheSameBits() {
        Transcript straight = Transcript.of(subject.graph(), FEATURES, subject.fresh(), new Simulator());
        Transcript restored = Transcript.ofForgetful(subject.graph(), FEATURES, subject::fresh, new Simulator());

        assertThat(restored.nodes()).isEqualTo(straight.nodes());
        assertThat(straight.nodes()).anySatisfy(node -> assertThat(node).hasSizeGreaterThan(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void threadsSendTheSameBitsAsTheSimulator(int workers) {
        Transcript simulated = Transcript.of(subject.graph(), FEATURES, subject.fresh(), new Simulator());
        Transcript threaded = Transcript.of(subject.graph(), FEATURES, subject.fresh(), new Threads(workers));

        assertThat(threaded.nodes()).isEqualTo(simulated.nodes());
    }

    @Test
    void aStateOfAnotherNodeIsRefused() throws IOException {
        List<? extends NodeProgram> programs = subject.fresh();
        for (int node = 1; node < programs.size(); node++) {
            byte[] state = SavedStates.of(programs.get(node));
            NodeProgram other = programs.get(node - 1);
            assertThatThrownBy(() -> SavedStates.restore(other, state))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("state belongs to node " + node)
                    .hasMessageContaining("this is node " + (node - 1));
        }
    }

    @Test
    void aStateFromOtherDataIsRefused() throws IOException {
        NodeProgram program = subject.fresh().get(0);
        byte[] moreRows =
                SavedStates.of(subject.fresh(subject.maker.rows + 5, FEATURES).get(0));
        byte[] moreFeatures =
                SavedStates.of(subject.fresh(subject.maker.rows, FEATURES + 1).get(0));

        assertThatThrownBy(() -> SavedStates.restore(program, moreRows))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("samples of 4 features, but this is");
        assertThatThrownBy(() -> SavedStates.restore(program, moreFeatures))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("samples of 5 features, but this is");
    }

    @Test
    void aTruncatedStateIsRefused() throws IOException {
        byte[] state = SavedStates.of(subject.fresh().get(0));
        NodeProgram program = subject.fresh().get(0);

        for (int length : new int[] {0, 3, state.length / 2, state.length - 1}) {
            assertThatThrownBy(() -> SavedStates.restore(program, Arrays.copyOf(state, length)))
                    .isInstanceOf(IOException.class);
        }
    }
}
