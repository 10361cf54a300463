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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The error of every method falls at least as fast as its theory says, by the factor 1 − rate a step, and not many
 * times faster, which would mean that the rate is not the method's. Measured between an error of a hundredth and of
 * 1e-9, for a suboptimality is of the order of a squared distance. The quotients that are allowed stand in the table.
 */
@Tag("thorough")
class RateTest {

    private static final double FROM = 1e-2;
    private static final double TO = 1e-9;

    /** Where a theorem is much too cautious. */
    private static final double ANY = Double.POSITIVE_INFINITY;

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

    /** What a method promises, how often its error is taken, and the quotients that are allowed. */
    private record Promise(String method, double rate, int every, double least, double most) {
        @Override
        public String toString() {
            return method;
        }
    }

    /** The bound of acc-vr-diging goes with the square of the graph's conditioning, and is that much looser. */
    static Stream<Promise> promises() {
        RateTest on = new RateTest();
        Gossip gossip = on.gossip;
        BaselineFacts facts = on.facts;
        Network network = on.network;
        Setting setting = new Setting("test", 1, on.problem, network, EdgeSampling.all(network), 5, 1);
        double heterogeneity = NetworkGiant.heterogeneity(
                on.problem.nodes().stream().map(NetworkGiant.Curved::atZero).toList());
        double largest = DoubleStream.of(facts.largestSmoothness()).max().orElseThrow();
        return Stream.of(
                new Promise("msda", Msda.Parameters.of(gossip, facts, 1).rate(), 1, 1, 4),
                new Promise("opapc", Opapc.Parameters.of(gossip, facts, 1).rate(), 1, 1, 10),
                new Promise("mudag", Mudag.Parameters.of(gossip, facts, 1).rate(), 1, 1, 10),
                new Promise("ogt", Ogt.Parameters.of(gossip, facts, 1).rate(), 1, 1, 10),
                new Promise("acc-vr-extra", accelerated(on, AccVr.Consensus.EXTRA), 1, 1, 10),
                new Promise("acc-vr-diging", accelerated(on, AccVr.Consensus.DIGING), 1, 1, 40),
                new Promise("esdacd", Esdacd.Parameters.of(network, facts).rate(), 1, 1, 4),
                new Promise("nids", Nids.Parameters.of(gossip, facts, 1).rate(), 1, 1, 15),
                new Promise("extra", Extra.Parameters.of(gossip, facts, 1).rate(), 1, 0.5, 8),
                new Promise("proxskip", ProxSkip.Parameters.of(gossip, facts, 1).rate(), 1, 1, 8),
                new Promise("adom-plus", adom(on, false), 1, 1, 8),
                new Promise("adom-vr", adom(on, true), 1, 1, 10),
                new Promise("sonata", Sonata.Parameters.of(setting, false).rate(), 1, 1, 60),
                new Promise("acc-sonata", Sonata.Parameters.of(setting, true).rate(), 1, 1, 60),
                new Promise("cola", Cola.Parameters.of(gossip, facts).rate(), 1, 1, ANY),
                new Promise("dadao", Dadao.Parameters.of(network, gossip, facts).rate(), 1, 1, 8),
                new Promise("fednl", FedNl.RATE, 1, 1, 20),
                new Promise(
                        "network-giant",
                        NetworkGiant.Parameters.of(gossip, heterogeneity, 1).rate(),
                        1,
                        1,
                        3),
                new Promise("dsba", Dsba.Parameters.of(gossip, facts, 1).rate(), 50, 0.5, 8),
                new Promise("gt-saga", GtSaga.Parameters.of(gossip, facts, 1).rate(), 50, 1, 50),
                new Promise(
                        "point-saga",
                        PointSaga.Parameters.of(on.problem.samples(), on.problem.totalSigma(), largest)
                                .rate(),
                        1,
                        1,
                        4),
                new Promise("dvr", Dvr.Parameters.plain(network, gossip, facts).rate(), 10, 1, ANY),
                new Promise(
                        "dvr-chebyshev",
                        Dvr.Parameters.chebyshev(network, gossip, facts).rate(),
                        10,
                        1,
                        ANY));
    }

    private static double accelerated(RateTest on, AccVr.Consensus consensus) {
        return AccVr.parameters(consensus, on.gossip, on.facts, 1).rate();
    }

    private static double adom(RateTest on, boolean sampled) {
        return AdomPlus.Parameters.of(1 / on.gossip.gap(), on.facts, sampled, 1).rate();
    }

    @ParameterizedTest
    @MethodSource("promises")
    void errorsFallAsTheirTheoremsPromise(Promise promise) {
        assertThat(ratio(Baselines.named(promise.method), promise.rate, promise.every))
                .isBetween(promise.least, promise.most);
    }

    @Test
    void dvrCatalystKeepsItsRate() {
        DvrCatalyst.Parameters parameters = DvrCatalyst.Parameters.of("test", problem, network, 1);
        assertThat(parameters.quotient()).isLessThan(1);
        assertThat(ratio(Baselines.named("dvr-catalyst"), parameters.rate(), 10))
                .isGreaterThan(1);
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
}
