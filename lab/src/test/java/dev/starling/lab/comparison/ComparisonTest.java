package dev.starling.lab.comparison;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.lab.paper.TwoGaussians;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Dataset ROWS = Generator.classification(600, 8).generate();
    private static final Network GRID = Topology.named("grid:2x3").build(6, 1);
    private static final double LAMBDA = 1e-2;

    private static Comparison comparison() {
        return Comparison.of(ROWS, new Logistic(), LAMBDA, GRID, 5);
    }

    /** The curves of a single method. */
    private static MethodResult of(Comparison comparison, String method) {
        return comparison.methods(List.of(method)).run().orElseThrow().methods().get(0);
    }

    @Test
    void everySmoothMethodReachesTheSameOptimum() {
        List<String> methods = new ArrayList<>(ComparedMethods.names());
        methods.removeAll(List.of("ns-adfs", "multipliers", "adfs-conference"));
        ComparisonResult outcome = comparison()
                .methods(methods)
                .time(1e6)
                .gap(1e-3)
                .points(60)
                .run()
                .orElseThrow();
        assertThat(outcome.optimum().certified()).isTrue();
        assertThat(outcome.methods()).extracting(MethodResult::method).isEqualTo(methods);
        assertThat(outcome.methods()).allSatisfy(result -> {
            assertThat(result.timeTo(1e-3)).as(result.method()).isPresent();
            assertThat(result.curves().get(0).end()).isEqualTo(Curve.End.REACHED);
        });
    }

    @Test
    void theObjectiveOfTheOptimumIsThatOfItsParameter() {
        Optimum optimum =
                comparison().methods(List.of("adfs")).run().orElseThrow().optimum();
        double[] theta =
                optimum.parameter().stream().mapToDouble(Double::doubleValue).toArray();
        Problem problem = Problem.deal(ROWS, new Logistic(), LAMBDA, 6);
        assertThat(problem.objective(theta)).isCloseTo(optimum.objective(), within(1e-12));
        assertThat(optimum.gap()).isLessThanOrEqualTo(1e-10);
    }

    @Test
    void theFirstPointIsTheObjectiveAtTheStart() {
        ComparisonResult outcome = comparison().methods(List.of("adfs")).run().orElseThrow();
        Point start = outcome.methods().get(0).curves().get(0).points().get(0);
        double best = outcome.optimum().objective();
        assertThat(start.time()).isZero();
        assertThat(start.suboptimality()).isCloseTo((Math.log(2) - best) / best, within(1e-9));
    }

    @Test
    void costsNeverDecreaseAlongACurve() {
        ComparisonResult outcome = comparison()
                .methods(List.of("adfs", "adfs-local", "msda", "point-saga"))
                .run()
                .orElseThrow();
        for (MethodResult result : outcome.methods()) {
            List<Point> points = result.curves().get(0).points();
            for (int k = 1; k < points.size(); k++) {
                Point before = points.get(k - 1);
                Point now = points.get(k);
                assertThat(now.time()).isGreaterThanOrEqualTo(before.time());
                assertThat(now.steps()).isGreaterThanOrEqualTo(before.steps());
                assertThat(now.rounds()).isGreaterThanOrEqualTo(before.rounds());
                assertThat(now.bytes()).isGreaterThanOrEqualTo(before.bytes());
                assertThat(now.worst()).isGreaterThanOrEqualTo(now.suboptimality() * (1 - 1e-12));
            }
        }
    }

    @Test
    void aSingleMachineSendsNothingAndTakesAStepPerUnitOfTime() {
        Point last = of(comparison(), "point-saga").last();
        assertThat(last.bytes()).isZero();
        assertThat(last.rounds()).isZero();
        assertThat(last.steps()).isEqualTo(last.time());
    }

    @Test
    void everyRoundOfAdfsSendsAVectorOverEveryEdgeBothWays() {
        Point last = of(comparison(), "adfs-theory").last();
        assertThat(last.bytes()).isEqualTo(last.rounds() * GRID.edges() * 2 * 8 * Double.BYTES);
        assertThat(last.time()).isEqualTo(last.steps() / 6 + 5 * last.rounds());
    }

    /** Sums go up and down a tree, so that a node waits less often than messages follow each other. */
    @Test
    void latencyIsWhatIsLeftOfTheTimeWhenAMessageTakesLong() {
        double delay = 1e9;
        ComparisonResult outcome = Comparison.of(ROWS, new Logistic(), 1e-2, GRID, delay)
                .methods(List.of("newton", "adfs", "adfs-pairs"))
                .time(600 * delay)
                .gap(1e-3)
                .run()
                .orElseThrow();
        assertThat(outcome.methods()).hasSize(3).allSatisfy(result -> {
            Point last = result.last();
            assertThat(last.latency()).isPositive().isEqualTo(Math.floor(last.time() / delay));
            if (result.method().equals("newton")) {
                assertThat(last.latency()).isGreaterThan(1.5 * last.rounds());
            }
        });
    }

    @Test
    void theSameSeedsGiveTheSameCurves() {
        Comparison comparison =
                comparison().methods(List.of("adfs", "dsba", "adfs-local")).seeds(List.of(3L, 4L));
        assertThat(withoutWallTime(comparison.run().orElseThrow()))
                .isEqualTo(withoutWallTime(comparison.run().orElseThrow()));
    }

    private static List<List<Point>> withoutWallTime(ComparisonResult outcome) {
        return outcome.methods().stream()
                .flatMap(result -> result.curves().stream())
                .map(curve -> curve.points().stream()
                        .map(p -> new Point(
                                p.time(),
                                p.steps(),
                                p.rounds(),
                                p.latency(),
                                p.bytes(),
                                0,
                                p.suboptimality(),
                                p.worst(),
                                p.gradient(),
                                p.certified()))
                        .toList())
                .toList();
    }

    @Test
    void certificatesOfNodesAreReportedAndTrue() {
        ComparisonResult outcome =
                comparison().methods(List.of("cola", "adfs")).run().orElseThrow();
        MethodResult cola = outcome.methods().get(0);
        Point last = cola.last();

        assertThat(cola.certified().orElseThrow())
                .isPositive()
                .isLessThan(cola.moments().get(1).median().certified());
        assertThat(last.certified()).isGreaterThanOrEqualTo(last.suboptimality());
        assertThat(outcome.methods().get(1).certified()).isEmpty();
    }

    @Test
    void targetsAreNotReachedInTooShortATime() {
        MethodResult result = of(comparison().time(50), "adfs");
        assertThat(result.timeTo(1e-6)).isEmpty();
        assertThat(result.curves().get(0).end()).isEqualTo(Curve.End.TIME);
        assertThat(result.curves().get(0).last().time()).isBetween(50.0, 150.0);
    }

    @Test
    void aStoppedComparisonReturnsTheCurvesSoFar() {
        StopSignal stop = StopSignal.manual();
        ComparisonResult outcome = comparison()
                .methods(List.of("dsba", "adfs-local", "gt-saga"))
                .time(1e12)
                .stopSignal(stop)
                .listener(new ComparisonListener() {
                    @Override
                    public void begun(Optimum optimum, int curves) {
                        CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS)
                                .execute(stop::request);
                    }
                })
                .run()
                .orElseThrow();
        assertThat(outcome.complete()).isFalse();
        assertThat(outcome.methods()).isNotEmpty();
        assertThat(outcome.methods().get(0).curves().get(0).end()).isEqualTo(Curve.End.STOPPED);
    }

    @Test
    void aComparisonStoppedBeforeTheOptimumIsFoundReturnsNothing() {
        StopSignal stop = StopSignal.manual();
        stop.request();
        assertThat(comparison().stopSignal(stop).run()).isEmpty();
    }

    @Test
    void aMethodThatCannotTakeTheLossIsRefusedByName() {
        assertThatRefused(() -> Comparison.checkMethods(new Hinge(), 0, GRID, Conditions.usual(5), List.of("msda")))
                .hasMessageStartingWith("msda cannot take the loss hinge");
    }

    @Test
    void aStepSizeOtherThanTheTheorysIsPartOfTheName() {
        ComparisonResult outcome = comparison()
                .methods(List.of("extra", "extra@2", "extra@1"))
                .run()
                .orElseThrow();
        assertThat(outcome.methods()).extracting(MethodResult::method).containsExactly("extra", "extra@2", "extra@1");
        double usual = outcome.methods().get(0).timeTo(1e-6).orElseThrow();
        assertThat(outcome.methods().get(1).timeTo(1e-6).orElseThrow()).isBetween(0.3 * usual, 0.7 * usual);
        assertThat(outcome.methods().get(2).timeTo(1e-6).orElseThrow()).isEqualTo(usual);
        assertThat(ComparedMethods.description("extra@2"))
                .isEqualTo("EXTRA, batch gradients; step size tuned, 2 times its theory's");
    }

    @Test
    void aStepSizeThatCannotBeTunedIsRefused() {
        for (String factor : List.of("", "x", "0", "-1", "NaN", "Infinity")) {
            assertThatRefused(() -> comparison().methods(List.of("extra@" + factor)))
                    .hasMessage("algorithm 'extra@" + factor + "': the factor of the step size, '" + factor
                            + "', must be a positive number, as in extra@2");
        }
        assertThatRefused(() -> comparison().methods(List.of("adfs@2")))
                .hasMessageStartingWith(
                        "algorithm 'adfs@2': adfs has no step size to tune; those that have one are: msda,");
        assertThatRefused(() -> comparison().methods(List.of("extr@2"))).hasMessageContaining("did you mean 'extra'");
    }

    @Test
    void methodsUsedForTrainingCanBeCompared() {
        MethodResult newton = of(comparison(), "newton");
        List<Point> points = newton.curves().get(0).points();
        Point last = points.get(points.size() - 1);
        assertThat(last.suboptimality()).isLessThan(1e-6);
        // Passes of rows at every node, and hops of the tree with the delay of a message each.
        assertThat(last.time()).isGreaterThan(5 * last.rounds());
    }

    /** The authors' program never ran on such rows; with its constants the steps had no end. */
    @Test
    void constantsThatWouldStepBackwardsAreRefused() {
        assertThatThrownBy(() -> Comparison.of(ROWS, new Logistic(), 10, GRID, 5)
                        .methods(List.of("adfs-conference"))
                        .time(1e4)
                        .gap(1e-3)
                        .run())
                .hasStackTraceContaining("these constants do not suit these rows");
    }

    @Test
    void theConstantsOfTheAuthorsProgramRunOnRowsLikeTheirs() {
        ComparisonResult outcome = Comparison.of(
                        TwoGaussians.rows(400, 10, 1),
                        new Logistic(),
                        1e-3,
                        Topology.named("grid").build(4, 1),
                        5)
                .methods(List.of("adfs-conference"))
                .time(1e5)
                .gap(1e-4)
                .run()
                .orElseThrow();
        assertThat(outcome.methods().get(0).timeTo(1e-4)).isPresent();
    }

    @Test
    void methodsThatCannotTakeAnL1TermRefuseItByName() {
        for (String method : ComparedMethods.names()) {
            if (!List.of("adfs", "ns-adfs", "proximal-newton", "multipliers", "dual")
                    .contains(method)) {
                assertThatRefused(() -> Comparison.checkMethods(
                                new Logistic(), 1e-3, GRID, Conditions.usual(5), List.of(method)))
                        .hasMessageContaining(method + " cannot take an l1 term");
            }
        }
    }

    @Test
    void anElasticNetIsMeasuredAgainstItsOwnOptimum() {
        double l1 = 0.05;
        ComparisonResult outcome =
                comparison().methods(List.of("ns-adfs")).l1(l1).gap(1e-2).run().orElseThrow();
        double[] theta = outcome.optimum().parameter().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        double absolute = Arrays.stream(theta).map(Math::abs).sum();
        Problem problem = Problem.deal(ROWS, new Logistic(), LAMBDA, 6);
        assertThat(outcome.optimum().objective()).isCloseTo(problem.objective(theta) + l1 * absolute, within(1e-12));
        assertThat(Arrays.stream(theta).filter(entry -> entry == 0).count()).isPositive();
        assertThat(outcome.methods().get(0).timeTo(1e-2)).isPresent();
    }

    @Test
    void sparseCommunicationTakesTheSameStepsWithOtherMessages() {
        Dataset sparse = Generator.classification(300, 500).density(0.01).generate();
        List<MethodResult> results = Comparison.of(sparse, new Logistic(), LAMBDA, GRID, 5)
                .methods(List.of("dsba", "dsba-sparse"))
                .time(3000)
                .points(10)
                .run()
                .orElseThrow()
                .methods();
        List<Point> plain = results.get(0).curves().get(0).points();
        List<Point> changes = results.get(1).curves().get(0).points();
        assertThat(changes).hasSameSizeAs(plain);
        for (int k = 0; k < plain.size(); k++) {
            assertThat(changes.get(k).time()).isEqualTo(plain.get(k).time());
            assertThat(changes.get(k).suboptimality()).isCloseTo(plain.get(k).suboptimality(), within(1e-9));
        }
        Point last = plain.get(plain.size() - 1);
        assertThat(last.bytes()).isEqualTo(8 * 500.0 * 2 * GRID.edges() * last.rounds(), within(0.02 * last.bytes()));
        assertThat(changes.get(plain.size() - 1).bytes()).isLessThan(last.bytes() / 10);
    }

    @Test
    void theWorstNodeIsReportedWhenAllNodesAreWatched() {
        MethodResult all = of(comparison().time(500).points(2).watch(6), "dsba");
        MethodResult one = of(comparison().time(500).points(2).watch(1), "dsba");
        Point last = all.curves().get(0).last();
        assertThat(last.worst()).isGreaterThan(last.suboptimality());
        Point single = one.curves().get(0).last();
        assertThat(single.worst()).isEqualTo(single.suboptimality()).isLessThanOrEqualTo(last.worst());
    }

    @Test
    void lossesWithKinksCanBeCompared() {
        MethodResult result = of(Comparison.of(ROWS, new Hinge(), 0.1, GRID, 1).gap(1e-2), "ns-adfs");
        assertThat(result.timeTo(1e-2)).isPresent();
    }

    @Test
    void anUnknownMethodIsAnsweredWithTheNearestName() {
        assertThatThrownBy(() -> comparison().methods(List.of("dbsa")))
                .hasMessageStartingWith("unknown algorithm 'dbsa'; did you mean 'dsba'?");
    }

    @Test
    void theGradientToStopAtIsThatOfTheObjective() {
        MethodResult result = of(comparison().gradient(1e-4).watch(6), "adfs");
        Curve curve = result.curves().get(0);
        assertThat(curve.end()).isEqualTo(Curve.End.REACHED);
        assertThat(curve.last().gradient()).isBetween(0.0, 1e-4);
        assertThat(curve.points().get(curve.points().size() - 2).gradient()).isGreaterThan(1e-4);
        // At the start all nodes are at zero, where a difference quotient along the gradient is its norm.
        Problem problem = Problem.deal(ROWS, new Logistic(), LAMBDA, 6);
        double[] slopes = new double[8];
        double step = 1e-6;
        double square = 0;
        for (int c = 0; c < slopes.length; c++) {
            double[] there = new double[8];
            there[c] = step;
            double above = problem.objective(there);
            there[c] = -step;
            slopes[c] = (above - problem.objective(there)) / (2 * step);
            square += slopes[c] * slopes[c];
        }
        assertThat(curve.points().get(0).gradient()).isCloseTo(Math.sqrt(square), within(1e-8));
    }

    @Test
    void theCurveOfAMethodThatStopsByItselfEndsWithItsLastEstimate() {
        Curve curve = of(comparison().gradient(1e-300), "newton").curves().get(0);
        assertThat(curve.end()).isEqualTo(Curve.End.ENDED);
        // It ends at a relative gap of 1e-14, and P − P* ≤ ‖∇P‖²/2λ.
        assertThat(curve.last().gradient()).isBetween(0.0, 1e-6);
    }

    @Test
    void aKnownOptimumIsNotComputedAgain() {
        ComparisonResult first = comparison().methods(List.of("adfs")).run().orElseThrow();
        ComparisonResult again = comparison()
                .methods(List.of("adfs"))
                .reference(first.optimum())
                .run()
                .orElseThrow();
        assertThat(again.optimum()).isSameAs(first.optimum());
        assertThat(again.methods().get(0).timeTo(1e-4))
                .isEqualTo(first.methods().get(0).timeTo(1e-4));
    }
}
