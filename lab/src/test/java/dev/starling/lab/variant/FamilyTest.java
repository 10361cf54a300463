package dev.starling.lab.variant;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.Labels;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.MethodNode;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.support.Fixtures;
import dev.starling.support.SmallProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every member of the family on real data, against optima that other programs found. */
@Timeout(120)
class FamilyTest {

    private static final double GAP = 1e-8;
    private static final Network GRID = Topology.named("grid").build(9, 1);

    @ParameterizedTest
    @CsvSource({
        "adfs-local,census,logistic,1e-4",
        "adfs-local,forest,squared-hinge,1e-2",
        "adfs-matchings,census,logistic,1e-4",
        "adfs-matchings,forest,squared-hinge,1e-2",
        "adfs-pairs,census,logistic,1e-4",
        "adfs-pairs,forest,squared-hinge,1e-2",
        "adfs-half,census,logistic,1e-4",
        "adfs-half,forest,squared-hinge,1e-2"
    })
    void reachesTheOptimumAtTheTheorysRate(String method, String dataset, String loss, double lambda) {
        Problem problem = problem(dataset, loss, lambda);
        Outcome outcome = run(method, problem, GAP, new Simulator(), Delays.uniform(5));
        double best = Fixtures.optimum(dataset, loss, lambda);

        Certificate last = outcome.certificates.get(outcome.certificates.size() - 1);
        assertThat(last.relativeGap()).isLessThanOrEqualTo(GAP);
        assertThat(last.objective()).isBetween(best * (1 - 1e-9), best * (1 + 2 * GAP));
        // The gap falls like the error but for a constant; from the first check to the last it must not be slower.
        Certificate first = outcome.certificates.get(0);
        double measured = Math.log(first.relativeGap() / last.relativeGap()) / (last.steps() - first.steps());
        assertThat(measured).isGreaterThan(0.9 * outcome.rate);
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs-local", "adfs-matchings", "adfs-pairs", "adfs-half", "ns-adfs"})
    void threadsGiveTheBitsOfTheSimulator(String method) {
        Problem problem = problem("forest", "squared-hinge", 1e-2);
        Outcome one = run(method, problem, 1e-4, new Simulator(), Delays.uniform(5));
        Outcome other = run(method, problem, 1e-4, new Threads(2), Delays.uniform(5));

        assertThat(other.parameter).isEqualTo(one.parameter);
        assertThat(other.report.idealisedTime()).isEqualTo(one.report.idealisedTime());
    }

    @Test
    void aStragglerSlowsTheRunByAtMostItsOwnFactor() {
        Problem problem = Problem.deal(
                Generator.classification(1000, 20).seed(2).generate(), Losses.named("squared-hinge"), 1e-2, 9);
        Delays even = Delays.uniform(5);
        Delays straggler = new Delays(node -> node == 4 ? 3 : 1, even.message());
        double slowed = run("adfs-local", problem, 1e-4, new Simulator(), straggler)
                .report
                .idealisedTime();
        double usual =
                run("adfs-local", problem, 1e-4, new Simulator(), even).report.idealisedTime();

        assertThat(slowed / usual).isGreaterThan(1.2).isLessThanOrEqualTo(3);
    }

    @Test
    void lossesWithKinksAreRefusedByNameAndAlternativesAreListed() {
        Problem problem = SmallProblems.random(20, 3, Losses.named("hinge"), 0.1, 1, 1);
        assertThatRefused(() -> Algorithms.named("adfs-pairs")
                        .programs(problem, Topology.named("line").build(1, 1), 5, 1))
                .hasMessage("adfs-pairs cannot take the loss hinge, which has kinks; ns-adfs can");
    }

    private static Problem problem(String dataset, String lossName, double lambda) {
        Dataset rows = Fixtures.read(dataset);
        Loss loss = Losses.named(lossName);
        return Problem.deal(Labels.classification(rows).binary(rows), loss, lambda, 9);
    }

    private record Outcome(
            List<Certificate> certificates, List<Double> parameter, Runner.RunReport report, double rate) {}

    private static Outcome run(String method, Problem problem, double gap, Runner runner, Delays delays) {
        List<Certificate> certificates = new ArrayList<>();
        CertificateListener listener = (certificate, next) -> certificates.add(certificate);
        boolean trains = Methods.names().contains(method) && !method.equals("ns-adfs");
        Made made = trains ? trained(method, problem, gap, listener) : compared(method, problem, gap, listener);
        Runner.RunReport report = runner.run(GRID, made.nodes, delays, StopSignal.manual());
        List<Double> parameter =
                Arrays.stream(made.nodes.get(0).result().parameter()).boxed().toList();
        return new Outcome(certificates, parameter, report, made.rate);
    }

    private record Made(List<? extends MethodNode> nodes, double rate) {}

    private static Made trained(String name, Problem problem, double gap, CertificateListener listener) {
        Method method = Methods.named(name);
        Objective objective = new Objective(problem.nodes().get(0).loss(), problem.regulariser());
        List<Facts> facts = problem.nodes().stream()
                .map(node -> Facts.of(node, method.facts(node)))
                .toList();
        Shape shape = new Shape(problem.features(), problem.samples(), problem.samples(), problem.samples(), true);
        Tuned tuned = method.tune(GRID, objective, shape, facts, 5);
        SharedWork shared = new SharedWork();
        double rate = tuned.constants().stream()
                .filter(constant -> constant.name().equals("rate"))
                .findFirst()
                .orElseThrow()
                .value();
        return new Made(
                IntStream.range(0, GRID.size())
                        .mapToObj(node -> tuned.node(
                                new Assignment(
                                        problem.nodes().get(node),
                                        Collectives.together(GRID.spanningTree(), node, GRID.size(), shared),
                                        new StoppingRule(gap, 5000),
                                        1,
                                        node == 0 ? listener : CertificateListener.NONE),
                                Optional.empty()))
                        .toList(),
                rate);
    }

    private static Made compared(String method, Problem problem, double gap, CertificateListener listener) {
        List<? extends NodeProgram> algorithms = Algorithms.named(method).programs(problem, GRID, 5, 1);
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        StepForecast pace = sampling(method).tune(GRID, facts, Timing.even(5));
        SharedWork shared = new SharedWork();
        return new Made(
                IntStream.range(0, GRID.size())
                        .mapToObj(node -> new CertifiedProgram(
                                (DualProgram) algorithms.get(node),
                                Collectives.together(GRID.spanningTree(), node, GRID.size(), shared),
                                new Facts(
                                        problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]),
                                Theory.fixed(pace),
                                new StoppingRule(gap, 5000),
                                node == 0 ? listener : CertificateListener.NONE))
                        .toList(),
                1 / pace.stepsFor(Math.E));
    }

    private static EdgeSampling sampling(String method) {
        return switch (method) {
            case "adfs-pairs" -> EdgeSampling.pairs(GRID);
            case "adfs-half" -> EdgeSampling.independent(0.5);
            default -> EdgeSampling.all(GRID);
        };
    }
}
