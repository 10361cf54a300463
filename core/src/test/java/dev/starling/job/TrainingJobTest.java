package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.ObjectionException;
import dev.starling.node.SumGuard;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.ForgetfulProgram;
import dev.starling.support.PinnedRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole job, at nodes that share a process and at nodes that do not. */
@Timeout(120)
class TrainingJobTest {

    static Stream<PinnedRun> runs() {
        return PinnedRun.possible();
    }

    /** A node that has nothing but its own rows, as a site has. */
    private static TrainingJob alone(Settings settings, Network network, int node, Dataset own) {
        JobRules rules = JobRules.inMemory();
        Collectives nodes = Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
        PlanningPhase agreement = new PlanningPhase(settings, rules, network, nodes, NodeRows.all(own));
        return new TrainingJob(settings, rules, agreement, TrainingListener.NONE);
    }

    private static Dataset share(Dataset data, int node, int nodes) {
        return data.picked(IntStream.iterate(node, row -> row < data.rows(), row -> row + nodes)
                .toArray());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void separateNodesGiveTheBitsOfOneProcess(PinnedRun run) {
        Network network = Topology.named(run.topology()).build(run.nodes(), run.seed());
        List<TrainingJob> jobs = IntStream.range(0, run.nodes())
                .mapToObj(node -> alone(run.trainer().settings(), network, node, share(run.data(), node, run.nodes())))
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(run.tau()), StopSignal.manual());

        for (TrainingJob job : jobs) {
            assertThat(PinnedRun.digest(job.result().model(""))).isEqualTo(run.digest());
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("runs")
    void restoredAfterEveryExchangeItEndsWithTheSameBits(PinnedRun run) {
        Network network = Topology.named(run.topology()).build(run.nodes(), run.seed());
        List<ForgetfulProgram<TrainingJob>> jobs = IntStream.range(0, run.nodes())
                .mapToObj(node -> {
                    Dataset own = share(run.data(), node, run.nodes());
                    return new ForgetfulProgram<>(() -> alone(run.trainer().settings(), network, node, own));
                })
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(run.tau()), StopSignal.manual());

        for (ForgetfulProgram<TrainingJob> job : jobs) {
            assertThat(PinnedRun.digest(job.program().result().model(""))).isEqualTo(run.digest());
        }
    }

    @Test
    void balancedClassesGiveTheSameBitsSeparatelyAndAfterRestarts() {
        Settings settings = Settings.of(new Logistic()).with(Setting.CLASS_WEIGHTS, ClassWeighting.BALANCED);
        Network network = Topology.named("ring").build(4, 1);
        List<ForgetfulProgram<TrainingJob>> jobs = IntStream.range(0, 4)
                .mapToObj(node -> {
                    Dataset own = share(THREE_CLASSES, node, 4);
                    return new ForgetfulProgram<>(() -> alone(settings, network, node, own));
                })
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(1), StopSignal.manual());

        Fit fit = Trainer.of(settings).nodes(4).topology("ring").fit(THREE_CLASSES);
        for (ForgetfulProgram<TrainingJob> job : jobs) {
            assertThat(job.program().result().model("").hash())
                    .isEqualTo(fit.model().hash());
        }
    }

    /** What a value has taught the method is part of the state until the next has ended. */
    @Test
    void aPathGivesTheSameBitsSeparatelyAndAfterRestarts() {
        Settings settings = Settings.of(new Logistic())
                .with(Setting.INTERCEPT, true)
                .withPath(LambdaPath.of(5).l1Ratios(0, 0.5));
        Network network = Topology.named("line").build(3, 1);
        List<ForgetfulProgram<TrainingJob>> jobs = IntStream.range(0, 3)
                .mapToObj(node -> {
                    Dataset own = share(THREE_CLASSES, node, 3);
                    return new ForgetfulProgram<>(() -> alone(settings, network, node, own));
                })
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(1), StopSignal.manual());

        Fit fit = Trainer.of(settings).nodes(3).topology("line").fit(THREE_CLASSES);
        assertThat(fit.isCertified()).isTrue();
        for (ForgetfulProgram<TrainingJob> job : jobs) {
            assertThat(job.program().result().model("").hash())
                    .isEqualTo(fit.model().hash());
        }
    }

    @Test
    void settingsReadFromTextGiveTheSameBits() {
        PinnedRun run =
                runs().filter(one -> !one.classWeights().isEmpty()).findFirst().orElseThrow();
        Settings read = Settings.of(run.trainer().settings().toMap());
        assertThat(read.toMap()).isEqualTo(run.trainer().settings().toMap());
        Fit fit = Trainer.of(read).nodes(run.nodes()).topology(run.topology()).fit(run.data());
        assertThat(PinnedRun.digest(fit.model())).isEqualTo(run.digest());
    }

    private static final Dataset THREE_CLASSES = classes(300, 3);

    private static Dataset classes(int rows, int classes) {
        Dataset data = Generator.classification(rows, 6).seed(5).generate();
        double[] labels = new double[rows];
        java.util.Arrays.setAll(labels, i -> i % classes);
        return data.withLabels(labels);
    }

    /** Raises a signal after this many exchanges of all nodes together, wherever they are then. */
    private static final class Interrupting implements Runner {
        private final Runner runner;
        private final int after;

        Interrupting(Runner runner, int after) {
            this.runner = runner;
            this.after = after;
        }

        @Override
        public RunReport run(
                Network network,
                List<? extends dev.starling.node.NodeProgram> programs,
                Delays delays,
                StopSignal signal) {
            AtomicInteger asked = new AtomicInteger();
            return runner.run(network, programs, delays, signal.or(() -> asked.incrementAndGet() > after));
        }
    }

    /**
     * The simulator asks once in a turn of all nodes, so that nodes are in different phases at many of these moments.
     */
    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void aJobStoppedAtAnyTimeEndsWithATrueCertificateOfEveryClass(String method) {
        List<String> topologies = List.of("line", "star", "ring");
        for (int first = 0; first < 3; first++) {
            Trainer trainer = Trainer.logistic()
                    .method(method)
                    .oneVersusRest(true)
                    .lambda(1e-2)
                    .nodes(5)
                    .topology(topologies.get(first))
                    .gap(1e-9);
            Fit whole = trainer.runner(new Simulator()).fit(THREE_CLASSES);
            // Every moment, on one of the three.
            for (int after = first; after < 60; after += 3) {
                Fit fit =
                        trainer.runner(new Interrupting(new Simulator(), after)).fit(THREE_CLASSES);
                assertThat(fit.certificates()).hasSize(3);
                for (int k = 0; k < 3; k++) {
                    double optimum = whole.certificates().get(k).objective();
                    assertThat(fit.certificates().get(k).dual()).isLessThanOrEqualTo(optimum);
                    assertThat(fit.certificates().get(k).objective())
                            .isGreaterThanOrEqualTo(whole.certificates().get(k).dual());
                    assertThat(fit.certificates().get(k).relativeGap()).isFinite();
                }
                assertThat(fit.outcome()).isIn(Fit.Outcome.STOPPED, Fit.Outcome.CERTIFIED);
            }
        }
    }

    @Test
    void aStoppedJobOnThreadsEnds() {
        for (int after : new int[] {0, 1, 10, 100, 1000, 20_000}) {
            Fit fit = Trainer.logistic()
                    .method("adfs")
                    .lambda(1e-6)
                    .nodes(6)
                    .topology("ring")
                    .gap(1e-13)
                    .runner(new Interrupting(new Threads(3), after))
                    .fit(THREE_CLASSES);
            assertThat(fit.certificates())
                    .hasSize(3)
                    .allSatisfy(one -> assertThat(one.relativeGap()).isFinite());
        }
    }

    /** All classes get something of a budget that the first could use up alone. */
    @Test
    void classesShareTheTimeLimit() {
        Fit fit = Trainer.logistic()
                .method("adfs")
                .lambda(1e-10)
                .nodes(3)
                .topology("ring")
                .gap(1e-14)
                .maxEpochs(1e12)
                .maxSeconds(2.4)
                .fit(THREE_CLASSES);
        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        double most = fit.certificates().stream()
                .mapToDouble(one -> one.epochs())
                .max()
                .orElseThrow();
        fit.certificates().forEach(one -> assertThat(one.epochs()).isGreaterThan(most / 50));
        assertThat(fit.seconds()).isBetween(2.3, 12.0);
    }

    @Test
    void anInterruptedFitSaysSo() {
        Thread.currentThread().interrupt();
        Fit fit = Trainer.logistic().method("adfs").gap(1e-13).lambda(1e-8).fit(THREE_CLASSES);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.INTERRUPTED);
    }

    private static List<TrainingJob> sites(Settings settings, JobRules rules, Dataset... rows) {
        Network network = Topology.named("line").build(rows.length, 1);
        SpanningTree tree = network.spanningTree();
        List<TrainingJob> jobs = new ArrayList<>();
        for (Dataset own : rows) {
            Collectives nodes = Collectives.apart(tree, jobs.size(), network.size(), SumGuard.NONE);
            PlanningPhase agreement = new PlanningPhase(settings, rules, network, nodes, NodeRows.all(own));
            jobs.add(new TrainingJob(settings, rules, agreement, TrainingListener.NONE));
        }
        return jobs;
    }

    private static LinearModel train(List<TrainingJob> jobs) {
        Network network = Topology.named("line").build(jobs.size(), 1);
        new Simulator().run(network, jobs, Delays.uniform(1), StopSignal.manual());
        return jobs.get(0).result().model("");
    }

    @Test
    void anUnlistedLabelIsRefusedNamingItsNode() {
        Settings settings = Settings.of(Losses.named("logistic")).with(Setting.LABELS, List.of(0.0, 1.0));
        assertThatThrownBy(() -> train(sites(settings, JobRules.inMemory(), classes(20, 2), classes(20, 3))))
                .isInstanceOfSatisfying(
                        ObjectionException.class, e -> assertThat(e.node()).isEqualTo(1))
                .hasMessage("label 2.0 is not one of the classes [0.0, 1.0]");
    }

    private static JobRules rules(JobRules.LabelRule labels, boolean sameWidth) {
        return new JobRules(labels, JobRules.inMemory().delay(), sameWidth, false);
    }

    @Test
    void theLabelRuleDecidesWhichClassesThereAre() {
        Settings settings = Settings.of(Losses.named("logistic")).with(Setting.LAMBDA, 0.1);
        Dataset twos = classes(20, 2);
        Dataset others = classes(20, 2).withLabels(twos.labels().clone());
        java.util.Arrays.setAll(others.labels(), i -> 1.0 + i % 2);
        assertThat(train(sites(settings, rules(JobRules.LabelRule.FOUND, false), twos, others))
                        .classes())
                .containsExactly(0.0, 1.0, 2.0);
        assertThatRefused(() -> train(sites(settings, rules(JobRules.LabelRule.KNOWN_TO_ONE, false), twos, others)))
                .hasMessageContaining("labels must mean the same everywhere");
        Dataset gaps = twos.withLabels(twos.labels().clone());
        java.util.Arrays.setAll(gaps.labels(), i -> 3.0 * (i % 2));
        assertThat(train(sites(settings, rules(JobRules.LabelRule.COUNTED, false), gaps, gaps))
                        .classes())
                .containsExactly(0.0, 1.0, 2.0, 3.0);
    }

    @Test
    void rowsOfDifferentWidthAreWidenedOrRefused() {
        Settings settings = Settings.of(Losses.named("logistic")).with(Setting.LAMBDA, 0.1);
        Dataset narrow = Generator.classification(30, 4).seed(1).generate();
        Dataset wide = Generator.classification(30, 6).seed(2).generate();
        assertThat(train(sites(settings, rules(JobRules.LabelRule.FOUND, false), narrow, wide))
                        .features())
                .isEqualTo(6);
        assertThatThrownBy(() -> train(sites(settings, rules(JobRules.LabelRule.FOUND, true), narrow, wide)))
                .hasMessage("rows of 6 features at one node and 4 at another; all must have the same number");
    }

    @Test
    void columnsInAnotherOrderAreRefused() {
        Settings settings = Settings.of(Losses.named("logistic")).with(Setting.LAMBDA, 0.1);
        Dataset rows = Generator.classification(30, 2).seed(1).generate();
        Dataset right = rows.withNames(List.of("age", "dose"));
        Dataset swapped = rows.withNames(List.of("dose", "age"));
        assertThat(train(sites(settings, JobRules.inMemory(), right, right)).names())
                .containsExactly("age", "dose");
        for (Dataset other : List.of(swapped, rows)) {
            assertThatThrownBy(() -> train(sites(settings, JobRules.inMemory(), right, right, other)))
                    .isInstanceOfSatisfying(
                            ObjectionException.class, e -> assertThat(e.node()).isEqualTo(2))
                    .hasMessage("its columns are not those of node 1; their names, their order and their number must"
                            + " be the same everywhere");
        }
    }

    @Test
    void aNodeWithoutRowsIsRefused() {
        Settings settings = Settings.of(Losses.named("squared"));
        Dataset none = Dataset.dense(2, new float[0], new double[0]);
        Dataset some = Generator.regression(9, 2).generate();
        assertThatThrownBy(() -> train(sites(settings, JobRules.inMemory(), some, none)))
                .isInstanceOfSatisfying(
                        ObjectionException.class, e -> assertThat(e.node()).isEqualTo(1))
                .hasMessage("there are no rows; every node needs at least one");
    }

    @Test
    void standardisingLeavesSparseRowsSparse() {
        Dataset sparse = Generator.classification(200, 30)
                .density(0.1)
                .seed(3)
                .generate()
                .laidOut(false);
        TrainingPlan plan = Trainer.logistic().standardize(true).prepare(sparse);
        assertThat(plan.shape().dense()).isFalse();
        assertThat(plan.shape().stored()).isEqualTo(sparse.storedValues());
        TrainingPlan dense = Trainer.logistic()
                .standardize(true)
                .prepare(Generator.classification(200, 30).seed(3).generate());
        assertThat(dense.shape().dense()).isTrue();
    }

    @Test
    void thousandsOfNodesAgreeAndTrainInOneProcess() {
        Dataset data = Generator.classification(6000, 3).seed(3).generate();
        Fit fit = Trainer.logistic()
                .lambda(1e-2)
                .nodes(2000)
                .topology("grid")
                .runner(new Simulator())
                .fit(data);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.plan().facts()).hasSize(2000);
    }
}
