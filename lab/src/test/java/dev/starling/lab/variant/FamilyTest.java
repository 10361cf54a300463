package dev.starling.lab.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Facts;
import dev.starling.method.adfs.CertifiedProgram;
import dev.starling.method.adfs.DualProgram;
import dev.starling.method.adfs.StepForecast;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.NodeProgram;
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
import java.util.List;
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
    void shouldReachTheOptimumAtTheRateOfTheory(String method, String dataset, String loss, double lambda) {
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
    void threadsShouldComputeTheBitsOfTheSimulator(String method) {
        Problem problem = problem("forest", "squared-hinge", 1e-2);
        Outcome one = run(method, problem, 1e-4, new Simulator(), Delays.uniform(5));
        Outcome other = run(method, problem, 1e-4, new Threads(2), Delays.uniform(5));

        assertThat(other.parameter).isEqualTo(one.parameter);
        assertThat(other.report.idealisedTime()).isEqualTo(one.report.idealisedTime());
    }

    @Test
    void aStragglerShouldCostNoMoreThanItsOwnFactor() {
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
    void kinksShouldBeRefusedByNameWithWhatCanTakeThem() {
        Problem problem = SmallProblems.random(20, 3, Losses.named("hinge"), 0.1, 1, 1);
        assertThatThrownBy(() -> Algorithms.named("adfs-local")
                        .programs(problem, Topology.named("line").build(1, 1), 5, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("adfs-local cannot take the loss hinge, which has kinks; ns-adfs can");
    }

    private static Problem problem(String dataset, String lossName, double lambda) {
        Dataset rows = Fixtures.read(dataset);
        Loss loss = Losses.named(lossName);
        return Problem.deal(Labels.classification(rows).binary(rows), loss, lambda, 9);
    }

    private record Outcome(
            List<Certificate> certificates, List<Double> parameter, Runner.RunReport report, double rate) {}

    private static Outcome run(String method, Problem problem, double gap, Runner runner, Delays delays) {
        List<? extends NodeProgram> algorithms = Algorithms.named(method).programs(problem, GRID, 5, 1);
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        StepForecast pace = pace(method, facts);
        List<Certificate> certificates = new ArrayList<>();
        CertificateListener listener = (certificate, next) -> certificates.add(certificate);
        List<CertifiedProgram> programs = IntStream.range(0, GRID.size())
                .mapToObj(node -> new CertifiedProgram(
                        (DualProgram) algorithms.get(node),
                        GRID.spanningTree(),
                        node,
                        new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]),
                        pace,
                        new StoppingRule(gap, 5000),
                        GRID.size(),
                        node == 0 ? listener : CertificateListener.NONE))
                .toList();
        Runner.RunReport report = runner.run(GRID, programs, delays, StopSignal.manual());
        List<Double> parameter = java.util.Arrays.stream(
                        programs.get(0).result().parameter())
                .boxed()
                .toList();
        return new Outcome(certificates, parameter, report, 1 / pace.stepsFor(Math.E));
    }

    private static StepForecast pace(String method, List<Conditioning> facts) {
        return switch (method) {
            case "adfs-local" -> LocalTuning.of(GRID, facts, 5);
            case "adfs-matchings" -> EdgeSampling.matchings(GRID).tune(GRID, facts, 5);
            case "adfs-pairs" -> EdgeSampling.pairs(GRID).tune(GRID, facts, 5);
            case "adfs-half" -> EdgeSampling.independent(0.5).tune(GRID, facts, 5);
            default -> EdgeSampling.all(GRID).tune(GRID, facts, 5);
        };
    }
}
