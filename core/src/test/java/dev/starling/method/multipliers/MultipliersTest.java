package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Losses;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import dev.starling.support.SavedStates;
import dev.starling.support.Stored;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class MultipliersTest {

    /** Rows whose third column repeats the first, whose fourth is constant, and whose fifth is nothing. */
    private static Dataset dependent(boolean classes) {
        Generator generator = classes ? Generator.classification(120, 2) : Generator.regression(120, 2);
        Dataset rows = generator.noise(0.2).seed(5).generate();
        double[][] x = new double[120][];
        for (int i = 0; i < x.length; i++) {
            double first = rows.value(i, rows.start(i));
            x[i] = new double[] {first, Stored.value(rows, i, 1), first, 1, 0};
        }
        return Dataset.of(x, rows.labels());
    }

    private static Trainer trainer(String loss, double lambda, int nodes) {
        return Trainer.of(Losses.named(loss))
                .method("multipliers")
                .lambda(lambda)
                .nodes(nodes)
                .maxEpochs(5000)
                .runner(new Simulator());
    }

    @ParameterizedTest
    @CsvSource({
        "hinge, 1e-10, 0, false",
        "hinge, 1e-4, 0, false",
        "hinge, 10, 0, false",
        "absolute, 1e-10, 0, false",
        "absolute, 1e-4, 0, false",
        "absolute, 10, 0, false",
        "quantile(0.9), 1e-8, 0, false",
        "quantile(0.1), 1, 0, false",
        "epsilon-insensitive(0.2), 1e-8, 0, false",
        "epsilon-insensitive(0.2), 1, 0, false",
        "hinge, 1e-10, 0, true",
        "hinge, 1e-4, 0, true",
        "hinge, 10, 0, true",
        "absolute, 1e-10, 0, true",
        "absolute, 10, 0, true",
        "quantile(0.9), 1e-8, 0, true",
        "quantile(0.1), 1, 0, true",
        "epsilon-insensitive(0.2), 1e-4, 0, true",
        "epsilon-insensitive(0.2), 1, 0, true",
        "hinge, 1e-8, 1e-3, false",
        "hinge, 1e-2, 0.1, true",
        "absolute, 1e-6, 1e-2, true",
        "quantile(0.9), 1e-4, 1e-4, false",
        "epsilon-insensitive(0.2), 1e-6, 1e-2, true"
    })
    void dependentColumnsAndAnyRidgeAreCertifiedToTenDigits(String loss, double lambda, double l1, boolean intercept) {
        Dataset rows = dependent(loss.equals("hinge"));
        Fit alone =
                trainer(loss, lambda, 1).l1(l1).intercept(intercept).gap(1e-10).fit(rows);
        Fit shared =
                trainer(loss, lambda, 4).l1(l1).intercept(intercept).gap(1e-10).fit(rows);

        assertThat(alone.isCertified()).as("%s", alone).isTrue();
        assertThat(shared.isCertified()).as("%s", shared).isTrue();
        assertThat(shared.objective()).isCloseTo(alone.objective(), within(1e-10 * alone.objective()));
        // The fifth column is nothing, and so is its weight.
        assertThat(alone.model().weight(0, 4)).isZero();
    }

    @Test
    void withTooManyFeaturesForAHessianTheOptimumIsThatOfAdfs() {
        Dataset rows = Generator.classification(200, 700)
                .density(0.05)
                .noise(0.1)
                .seed(3)
                .generate();
        Fit fit = trainer("hinge", 1e-2, 3).gap(1e-6).fit(rows);
        Fit other = trainer("hinge", 1e-2, 3).method("ns-adfs").gap(1e-4).fit(rows);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(other.objective(), within(1e-4 * other.objective()));
    }

    @ParameterizedTest
    @CsvSource({"hinge, false", "hinge, true", "quantile(0.9), false", "quantile(0.9), true"})
    void stepsOnSamplesOfManyRowsLeadToTheOptimumOfAll(String loss, boolean intercept) throws IOException {
        LocalProblem problem = many(loss, intercept);
        Solution sampled = run(problem, Optional.empty(), false);
        // With a start no samples are taken.
        Solution onAll = run(problem, Optional.of(new double[problem.features()]), false);

        assertThat(sampled.certificate().relativeGap()).isLessThanOrEqualTo(1e-7);
        assertThat(sampled.certificate().objective())
                .isCloseTo(
                        onAll.certificate().objective(),
                        within(1e-7 * sampled.certificate().objective()));
    }

    @ParameterizedTest
    @CsvSource({
        // An eighth of the rows would be fewer than 2048.
        "16000, 3, 48000, 1",
        "20000, 4, 80000, 8",
        "581012, 54, 31374648, 64",
        // A factor of the Hessian takes longer than a pass over all rows.
        "49749, 300, 579586, 1",
        // There are no Hessians.
        "1000000, 501, 501000000, 1"
    })
    void theFirstStepsAreOnSamplesWhenThatIsCheaper(long rows, int features, long stored, int every) {
        Shape shape = new Shape(features, rows, stored, stored, stored == rows * features);
        TunedMultipliers tuned = (TunedMultipliers) new MultipliersMethod()
                .tune(
                        Topology.named("line").build(1, 1),
                        new Objective(new Hinge(), Regulariser.elasticNet(1e-2, 0)),
                        shape,
                        List.of(new Facts(rows, rows, 1, new double[0])),
                        1);

        assertThat(tuned.stride()).isEqualTo(every);
    }

    @Test
    void aRunThatEndsOnASampleIsCertifiedByAllRows() {
        Dataset rows = many("hinge", false).data();
        Fit cut = trainer("hinge", 1e-3, 2).gap(1e-8).maxEpochs(1).fit(rows);
        double[] weights = cut.model().weights(0);
        double ridge = 0.5e-3 * DoubleStream.of(weights).map(w -> w * w).sum();
        double loss = LocalProblem.of(rows, new Hinge(), 1e-3).lossSum(weights) / rows.rows();

        assertThat(cut.isCertified()).isFalse();
        assertThat(cut.objective()).isCloseTo(loss + ridge, within(1e-12));
        assertThat(cut.gap()).isFinite();
    }

    /** So many rows that the first steps are made on every eighth. */
    private static LocalProblem many(String loss, boolean intercept) {
        Generator generator =
                loss.equals("hinge") ? Generator.classification(20_000, 4) : Generator.regression(20_000, 4);
        Dataset rows = generator.noise(0.2).seed(7).generate();
        return LocalProblem.of(intercept ? rows.withBias(1) : rows, Losses.named(loss), 1e-3)
                .withIntercept(intercept);
    }

    @Test
    void anEpsilonThatCoversAllLabelsGivesAnObjectiveOfZero() {
        Dataset rows = Dataset.of(new double[][] {{1, 2}, {3, 4}}, new double[] {0.1, -0.1});
        Fit fit = trainer("epsilon-insensitive(0.5)", 1e-2, 1).gap(1e-9).fit(rows);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"80, 6, false", "80, 600, false", "80, 6, true", "16400, 3, false", "16400, 3, true"})
    void aNodeRestoredAfterEveryExchangeEndsWithTheSameBits(int count, int features, boolean intercept)
            throws IOException {
        Dataset rows = Generator.classification(count, features).seed(2).generate();
        LocalProblem problem = LocalProblem.of(intercept ? rows.withBias(1) : rows, new Hinge(), 1e-2)
                .withIntercept(intercept);
        Solution straight = run(problem, Optional.empty(), false);
        Solution restored = run(problem, Optional.empty(), true);

        assertThat(straight.certificate().relativeGap()).isLessThanOrEqualTo(1e-7);
        assertThat(restored.parameter()).isEqualTo(straight.parameter());
        assertThat(restored.certificate()).isEqualTo(straight.certificate());
    }

    private static MethodNode node(LocalProblem problem, Optional<double[]> start) {
        MultipliersMethod method = new MultipliersMethod();
        return method.tune(
                        Topology.named("line").build(1, 1),
                        new Objective(problem.loss(), problem.regulariser(), problem.hasIntercept()),
                        Shape.of(problem.data()),
                        List.of(Facts.of(problem, method.facts(problem))),
                        1)
                .node(
                        new Assignment(
                                problem,
                                Collectives.alone(),
                                new StoppingRule(1e-7, 10_000),
                                1,
                                CertificateListener.NONE),
                        start);
    }

    private static Solution run(LocalProblem problem, Optional<double[]> start, boolean forgetful) throws IOException {
        MethodNode node = node(problem, start);
        for (int exchange = 0; exchange < 100_000 && !node.isDone(); exchange++) {
            node.advance();
            node.absorb(new double[0][]);
            if (forgetful) {
                node = SavedStates.copy(node, node(problem, start));
            }
        }
        return node.result();
    }
}
