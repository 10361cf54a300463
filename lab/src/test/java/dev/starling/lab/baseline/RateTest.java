package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.curvature.FedNl;
import dev.starling.lab.baseline.curvature.NetworkGiant;
import dev.starling.lab.baseline.dual.Cola;
import dev.starling.lab.baseline.dual.Dadao;
import dev.starling.lab.baseline.dual.Dvr;
import dev.starling.lab.baseline.dual.DvrCatalyst;
import dev.starling.lab.baseline.dual.Esdacd;
import dev.starling.lab.baseline.dual.Msda;
import dev.starling.lab.baseline.dual.PointSaga;
import dev.starling.lab.baseline.gossip.AccVr;
import dev.starling.lab.baseline.gossip.AdaptiveNids;
import dev.starling.lab.baseline.gossip.AdomPlus;
import dev.starling.lab.baseline.gossip.Extra;
import dev.starling.lab.baseline.gossip.GtSaga;
import dev.starling.lab.baseline.gossip.Mudag;
import dev.starling.lab.baseline.gossip.Nids;
import dev.starling.lab.baseline.gossip.Ogt;
import dev.starling.lab.baseline.gossip.Opapc;
import dev.starling.lab.baseline.gossip.ProxSkip;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.similarity.Sonata;
import dev.starling.lab.baseline.sparse.Dsba;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import dev.starling.support.ReferenceNewton;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The error of every method falls at least as fast as its theory says, by the factor 1 − rate a step, and not many
 * times faster, which would mean that the rate is not the method's. Measured between an error of a hundredth and of
 * 1e-9, for a suboptimality is of the order of a squared distance. The quotient that is allowed stands in each test.
 */
@Tag("thorough")
class RateTest {

    private static final double FROM = 1e-2;
    private static final double TO = 1e-9;

    private final Network network = Topology.named("ring").build(8, 1);
    private final Dataset data = Rows.classification(400, 5);
    private final double lambda = 5e-3;
    private final Problem problem = Problem.deal(data, new Logistic(), lambda, 8);
    private final BaselineFacts facts = BaselineFacts.of("test", problem, network);
    private final Gossip gossip = Gossip.of(network);

    /** Measured rate over theoretical rate. */
    private double ratio(Algorithm method, double rate, int every) {
        return ratio(method, network, rate, every);
    }

    private double ratio(Algorithm method, Network graph, double rate, int every) {
        double[] optimum = ReferenceNewton.optimum(data, new Logistic(), lambda);
        double best = ReferenceNewton.objective(data, new Logistic(), lambda, optimum);
        List<Trial.Point> curve = new Trial(method, problem, graph, 5, best).run(TO, 50_000_000, every, 60);
        Trial.Point first =
                curve.stream().filter(p -> p.error() <= FROM).findFirst().orElseThrow();
        Trial.Point last = curve.get(curve.size() - 1);
        assertThat(last.error()).isLessThanOrEqualTo(TO);
        double measured = Math.log(first.error() / last.error()) / (last.steps() - first.steps());
        return measured / -Math.log1p(-rate);
    }

    @Test
    void msdaKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("msda"),
                        Msda.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 4.0);
    }

    @Test
    void opapcKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("opapc"),
                        Opapc.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 10.0);
    }

    @Test
    void mudagKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("mudag"),
                        Mudag.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 10.0);
    }

    @Test
    void dvrCatalystKeepsItsRate() {
        DvrCatalyst.Parameters parameters = DvrCatalyst.Parameters.of("test", problem, network, 1);
        assertThat(parameters.quotient()).isLessThan(1);
        assertThat(ratio(Baselines.named("dvr-catalyst"), parameters.rate(), 10))
                .isGreaterThan(1);
    }

    @Test
    void ogtKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("ogt"),
                        Ogt.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 10.0);
    }

    /** Nodes that have rows of one label each, and a graph that is slow to mix, are what gradient tracking dislikes. */
    @Test
    void ogtConvergesWhenNodesHaveDifferentLabels() {
        int nodes = 12;
        int[] byLabel = IntStream.range(0, 360)
                .boxed()
                .sorted(Comparator.comparingDouble(data::label))
                .mapToInt(Integer::intValue)
                .toArray();
        Dataset apart = data.picked(IntStream.range(0, 360)
                .map(k -> byLabel[k % nodes * 30 + k / nodes])
                .toArray());
        Problem divided = Problem.deal(apart, new Logistic(), lambda, nodes);
        double best = ReferenceNewton.objective(
                apart, new Logistic(), lambda, ReferenceNewton.optimum(apart, new Logistic(), lambda));
        List<Trial.Point> curve = new Trial(
                        Baselines.named("ogt"), divided, Topology.named("line").build(nodes, 1), 5, best)
                .run(TO, 200_000, 50, 60);
        assertThat(curve.get(curve.size() - 1).error()).isBetween(-1e-14, TO);
    }

    @Test
    void accVrExtraKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("acc-vr-extra"),
                        AccVr.parameters(AccVr.Consensus.EXTRA, gossip, facts, 1)
                                .rate(),
                        1))
                .isBetween(1.0, 10.0);
    }

    /** Its bound goes with the square of the graph's conditioning, and is that much looser. */
    @Test
    void accVrDigingKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("acc-vr-diging"),
                        AccVr.parameters(AccVr.Consensus.DIGING, gossip, facts, 1)
                                .rate(),
                        1))
                .isBetween(1.0, 40.0);
    }

    @Test
    void esdacdKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("esdacd"),
                        Esdacd.Parameters.of(network, facts).rate(),
                        1))
                .isBetween(1.0, 4.0);
    }

    @Test
    void nidsKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("nids"),
                        Nids.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 15.0);
    }

    @Test
    void extraKeepsTheOrderOfItsRate() {
        assertThat(ratio(
                        Baselines.named("extra"),
                        Extra.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(0.5, 8.0);
    }

    @Test
    void proxSkipKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("proxskip"),
                        ProxSkip.Parameters.of(gossip, facts, 1).rate(),
                        1))
                .isBetween(1.0, 8.0);
    }

    @Test
    void adomPlusWithVarianceReductionKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("adom-vr"),
                        AdomPlus.Parameters.of(1 / gossip.gap(), facts, true, 1).rate(),
                        1))
                .isBetween(1.0, 10.0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sonataKeepsItsRate(boolean accelerated) {
        Setting on = new Setting("test", 1, problem, network, EdgeSampling.all(network), 5, 1);
        assertThat(ratio(
                        Baselines.named(accelerated ? "acc-sonata" : "sonata"),
                        Sonata.Parameters.of(on, accelerated).rate(),
                        1))
                .isBetween(1.0, 60.0);
    }

    /** With the steps that the line searches end with. */
    @Test
    void adaptiveNidsKeepsItsRate() {
        double[] optimum = ReferenceNewton.optimum(data, new Logistic(), lambda);
        double best = ReferenceNewton.objective(data, new Logistic(), lambda, optimum);
        Trial trial = new Trial(Baselines.named("adaptive-nids"), problem, network, 5, best);
        trial.run(TO, 1_000_000, 1, 60);
        double[] steps = trial.programs().stream()
                .mapToDouble(program -> ((AdaptiveNids.Program) program).step())
                .toArray();
        double[] weights = IntStream.range(0, network.edges())
                .mapToDouble(e -> 1 / (6 * Math.max(steps[network.tail(e)], steps[network.head(e)])))
                .toArray();
        double[] inverses = DoubleStream.of(steps).map(step -> 1 / step).toArray();
        double mixing = Spectrum.smallest(network.withWeights(weights), inverses);
        double descent = IntStream.range(0, steps.length)
                .mapToDouble(i -> steps[i] * problem.nodes().get(i).sigma())
                .min()
                .orElseThrow();
        assertThat(ratio(Baselines.named("adaptive-nids"), Math.min(descent, mixing), 1))
                .isBetween(1.0, 20.0);
    }

    @Test
    void adomPlusKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("adom-plus"),
                        AdomPlus.Parameters.of(1 / gossip.gap(), facts, false, 1)
                                .rate(),
                        1))
                .isBetween(1.0, 8.0);
    }

    @Test
    void colaKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("cola"),
                        Cola.Parameters.of(gossip, facts).rate(),
                        1))
                .isGreaterThan(1);
    }

    /** On a complete graph CoLA is CoCoA, and its theorem no longer cautious. */
    @Test
    void colaKeepsItsRateOnACompleteGraph() {
        Network complete = Topology.named("complete").build(8, 1);
        assertThat(ratio(
                        Baselines.named("cola"),
                        complete,
                        Cola.Parameters.of(Gossip.of(complete), facts).rate(),
                        1))
                .isBetween(1.0, 40.0);
    }

    @Test
    void dadaoKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("dadao"),
                        Dadao.Parameters.of(network, gossip, facts).rate(),
                        1))
                .isBetween(1.0, 8.0);
    }

    @Test
    void fedNlKeepsItsRate() {
        assertThat(ratio(Baselines.named("fednl"), FedNl.RATE, 1)).isBetween(1.0, 20.0);
    }

    @Test
    void networkGiantKeepsItsRate() {
        double heterogeneity = NetworkGiant.heterogeneity(
                problem.nodes().stream().map(NetworkGiant.Curved::atZero).toList());
        double rate = NetworkGiant.Parameters.of(gossip, heterogeneity, 1).rate();
        assertThat(ratio(Baselines.named("network-giant"), rate, 1)).isBetween(1.0, 3.0);
    }

    @Test
    void dsbaKeepsTheOrderOfItsRate() {
        assertThat(ratio(
                        Baselines.named("dsba"),
                        Dsba.Parameters.of(gossip, facts, 1).rate(),
                        50))
                .isBetween(0.5, 8.0);
    }

    @Test
    void gtSagaKeepsTheOrderOfItsRate() {
        assertThat(ratio(
                        Baselines.named("gt-saga"),
                        GtSaga.Parameters.of(gossip, facts, 1).rate(),
                        50))
                .isBetween(1.0, 50.0);
    }

    @Test
    void pointSagaKeepsItsRate() {
        double largest = 0;
        for (double smoothness : facts.largestSmoothness()) {
            largest = Math.max(largest, smoothness);
        }
        double rate = PointSaga.Parameters.of(problem.samples(), problem.totalSigma(), largest)
                .rate();
        assertThat(ratio(Baselines.named("point-saga"), rate, 1)).isBetween(1.0, 4.0);
    }

    @Test
    void dvrKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("dvr"),
                        Dvr.Parameters.plain(network, gossip, facts).rate(),
                        10))
                .isGreaterThan(1);
    }

    @Test
    void dvrWithChebyshevGossipKeepsItsRate() {
        assertThat(ratio(
                        Baselines.named("dvr-chebyshev"),
                        Dvr.Parameters.chebyshev(network, gossip, facts).rate(),
                        10))
                .isGreaterThan(1);
    }
}
