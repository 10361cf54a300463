package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.Labels;
import dev.starling.job.TrainingListener;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Softmax;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.settings.ClassWeighting;
import dev.starling.support.ReferenceNewton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What training must do whichever method it takes. */
@Timeout(120)
@ParameterizedClass
@ValueSource(strings = {"adfs", "newton"})
class TrainerTest {

    private static final Dataset DATA =
            Generator.classification(400, 12).density(0.4).noise(0.1).seed(7).generate();

    private final String method;

    TrainerTest(String method) {
        this.method = method;
    }

    private Trainer trainer() {
        return Trainer.logistic().method(method).lambda(1e-3).gap(1e-8);
    }

    private static double[] optimum(Dataset data, Loss loss, double lambda) {
        Labels labels = loss.isClassification() ? Labels.classification(data) : Labels.regression();
        return ReferenceNewton.optimum(labels.binary(data), loss, lambda);
    }

    @ParameterizedTest
    @CsvSource({"1,ring", "2,line", "4,star", "9,grid", "16,hypercube", "12,erdos-renyi", "31,binary-tree", "100,torus"
    })
    void anyNetworkFindsTheOptimumOfAllItsData(int nodes, String topology) {
        Fit fit = trainer().nodes(nodes).topology(topology).fit(DATA);
        double[] expected = optimum(DATA, new Logistic(), 1e-3);
        double best =
                ReferenceNewton.objective(Labels.classification(DATA).binary(DATA), new Logistic(), 1e-3, expected);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.gap()).isLessThanOrEqualTo(1e-8);
        assertThat(fit.objective()).isBetween(best * (1 - 1e-13), best * (1 + 1e-8));
        // λ-strong convexity turns the certified gap into a distance: λ/2 ‖θ − θ*‖² ≤ P − P*.
        double distance = 0;
        for (int c = 0; c < expected.length; c++) {
            distance += Math.pow(fit.model().weight(0, c) - expected[c], 2);
        }
        assertThat(Math.sqrt(distance)).isLessThanOrEqualTo(Math.sqrt(2 * 1e-8 * best / 1e-3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared-hinge", "smoothed-hinge(0.5)", "logistic"})
    void everySmoothClassificationLossReachesItsOptimum(String name) {
        assertReachesOptimum(DATA, Losses.named(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared", "huber(0.5)", "squared-epsilon-insensitive(0.2)"})
    void everySmoothRegressionLossReachesItsOptimum(String name) {
        assertReachesOptimum(Generator.regression(300, 8).noise(0.3).seed(5).generate(), Losses.named(name));
    }

    private void assertReachesOptimum(Dataset data, Loss loss) {
        Fit fit = Trainer.of(loss)
                .method(method)
                .lambda(1e-3)
                .nodes(4)
                .topology("ring")
                .gap(1e-9)
                .fit(data);
        Labels labels = loss.isClassification() ? Labels.classification(data) : Labels.regression();
        double best = ReferenceNewton.objective(labels.binary(data), loss, 1e-3, optimum(data, loss, 1e-3));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(best, within(2e-9 * best));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 9})
    void everyRunnerAndThreadCountGivesTheSameBits(int nodes) {
        Trainer trainer = trainer().nodes(nodes).topology("ring").seed(3);
        String expected = trainer.runner(new Simulator()).fit(DATA).model().hash();

        for (int workers : new int[] {1, 2, 3, 8}) {
            assertThat(trainer.runner(new Threads(workers)).fit(DATA).model().hash())
                    .isEqualTo(expected);
        }
    }

    @Test
    void anotherSeedGivesOtherBitsWhereThereAreRandomChoices() {
        assertThat(trainer()
                        .seed(1)
                        .fit(DATA)
                        .model()
                        .hash()
                        .equals(trainer().seed(2).fit(DATA).model().hash()))
                .isEqualTo(method.equals("newton"));
    }

    @Test
    void everyCertificateOnTheWayIsTrue() {
        double best = ReferenceNewton.objective(
                Labels.classification(DATA).binary(DATA), new Logistic(), 1e-3, optimum(DATA, new Logistic(), 1e-3));
        List<Certificate> seen = new ArrayList<>();
        trainer()
                .nodes(4)
                .topology("line")
                .gap(1e-12)
                .maxEpochs(3000)
                .listener(new TrainingListener() {
                    @Override
                    public void certified(Certificate certificate, double epochsLeft) {
                        seen.add(certificate);
                    }
                })
                .fit(DATA);

        assertThat(seen).hasSizeGreaterThan(2);
        for (Certificate certificate : seen) {
            assertThat(certificate.dual()).isLessThanOrEqualTo(best * (1 + 1e-14));
            assertThat(certificate.objective()).isGreaterThanOrEqualTo(best * (1 - 1e-14));
        }
    }

    @Test
    void theObjectiveReportedIsThatOfTheModelReturned() {
        Fit fit = trainer().nodes(3).topology("ring").fit(DATA);
        Problem problem = Problem.deal(Labels.classification(DATA).binary(DATA), new Logistic(), 1e-3, 1);

        assertThat(fit.objective()).isCloseTo(problem.objective(fit.model().weights(0)), within(1e-14));
    }

    @Test
    void anIntegerWeightCountsLikeRepeatedRows() {
        double[] weights = new double[DATA.rows()];
        int[] rows = IntStream.range(0, DATA.rows())
                .flatMap(i -> IntStream.generate(() -> i).limit(1 + i % 3))
                .toArray();
        Arrays.setAll(weights, i -> 1 + i % 3);
        Fit weighted = trainer().nodes(2).fit(DATA.withWeights(weights));
        Fit repeated = trainer().nodes(2).fit(DATA.picked(rows).laidOut(true));

        assertThat(weighted.objective()).isCloseTo(repeated.objective(), within(3e-8 * repeated.objective()));
    }

    @Test
    void classWeightsMultiplyTheWeightsOfTheirRows() {
        double[] weights = new double[DATA.rows()];
        Arrays.setAll(weights, i -> DATA.label(i) > 0 ? 5 : 1);
        String expected = trainer().fit(DATA.withWeights(weights)).model().hash();

        assertThat(trainer().classWeights(Map.of(1.0, 5.0)).fit(DATA).model().hash())
                .isEqualTo(expected);
        assertThatRefused(() -> trainer().classWeights(Map.of(3.0, 5.0)).fit(DATA))
                .hasMessage("class weight for label 3.0, which no row has; there are: [-1.0, 1.0]");
    }

    @Test
    void balancedClassesHaveTheSameWeight() {
        double[] weights = new double[DATA.rows()];
        Arrays.setAll(weights, i -> 1 + i % 3);
        for (Dataset data : List.of(DATA, DATA.withWeights(weights))) {
            double positive = IntStream.range(0, data.rows())
                    .filter(i -> data.label(i) > 0)
                    .mapToDouble(data::weight)
                    .sum();
            double all =
                    IntStream.range(0, data.rows()).mapToDouble(data::weight).sum();
            Map<Double, Double> byHand = Map.of(-1.0, all / (2 * (all - positive)), 1.0, all / (2 * positive));
            LinearModel balanced =
                    trainer().classWeights(ClassWeighting.BALANCED).fit(data).model();
            assertThat(balanced.hash())
                    .isEqualTo(trainer().classWeights(byHand).fit(data).model().hash())
                    .isNotEqualTo(trainer().fit(data).model().hash());
            assertThat(balanced.provenance().settings()).containsEntry("class-weights", "balanced");
        }
    }

    @Test
    void balancingARegressionIsRefused() {
        assertThatRefused(() -> Trainer.of(new Squared())
                        .classWeights(ClassWeighting.BALANCED)
                        .settings()
                        .checked())
                .hasMessage("class-weights balanced goes with losses for classes, not with squared; leave it out");
    }

    @Test
    void allZeroAndDuplicateRowsAreAllowed() {
        int[] offsets = {0, 2, 2, 4, 5, 5, 7};
        int[] columns = {0, 1, 0, 1, 2, 0, 1};
        float[] values = {1, 2, 1, 2, -1, 1, 2};
        Dataset data = Dataset.sparse(3, offsets, columns, values, new double[] {1, -1, 1, -1, 1, -1});
        for (int nodes : new int[] {1, 2, 3, 6}) {
            Fit fit = trainer().nodes(nodes).topology("line").fit(data);
            double best = ReferenceNewton.objective(
                    data, new Logistic(), 1e-3, ReferenceNewton.optimum(data, new Logistic(), 1e-3));

            assertThat(fit.isCertified()).isTrue();
            assertThat(fit.objective()).isCloseTo(best, within(1e-8 * best));
        }
    }

    @Test
    void denseAndSparseRowsGiveTheSameAnswer() {
        Dataset dense = Generator.classification(200, 6).seed(2).generate().laidOut(true);
        Dataset sparse = dense.laidOut(false);

        // The trainer lays both out alike.
        assertThat(trainer().fit(sparse).model().hash())
                .isEqualTo(trainer().fit(dense).model().hash());
    }

    @ParameterizedTest
    @ValueSource(floats = {0.5f, 1, 3})
    void anInterceptIsTheBiasTimesTheWeightOfItsFeature(float bias) {
        LinearModel model = trainer().gap(1e-12).bias(bias).fit(DATA).model();
        double[] expected = optimum(DATA.withBias(bias), new Logistic(), 1e-3);

        assertThat(model.features()).isEqualTo(12);
        // A gap of 1e-12 leaves ‖θ − θ*‖ ≤ √(2 gap F/λ) < 4e-5.
        assertThat(model.weights(0)).containsExactly(Arrays.copyOf(expected, 12), within(4e-5));
        assertThat(model.intercept(0)).isCloseTo(bias * expected[12], within(bias * 4e-5));
        assertThat(Math.abs(expected[12]))
                .as("a weight that tells 3 times it from itself")
                .isGreaterThan(1e-2);
    }

    @Test
    void severalClassesAreToldApartAtOnceUnlessTheMethodTakesOneScorePerRow() {
        double[] labels = new double[DATA.rows()];
        double[] direction = {1, -1, 0.5, 2, 0, 0, 1, 0, 0, -1, 0, 0};
        Arrays.setAll(labels, i -> Math.floorMod(Math.round(DATA.dot(i, direction)), 3));
        Dataset data = DATA.withLabels(labels);
        Trainer byDefault = trainer().nodes(2);
        boolean joint = !method.startsWith("adfs");
        Trainer meant = joint
                ? Trainer.of(new Softmax())
                        .method(method)
                        .lambda(1e-3)
                        .gap(1e-8)
                        .nodes(2)
                : byDefault.oneVersusRest(true);
        LinearModel model = byDefault.fit(data).model();

        assertThat(model.weightsHash()).isEqualTo(meant.fit(data).model().weightsHash());
        assertThat(model.loss()).isEqualTo(joint ? "softmax" : "logistic");
        assertThat(model.provenance().settings())
                .containsEntry("loss", model.loss())
                .containsEntry("one-versus-rest", String.valueOf(!joint));
        assertThat(byDefault.settings().objectionToTogether().isEmpty()).isEqualTo(joint);
    }

    @Test
    void severalClassesAreOneProblemEach() {
        double[] labels = new double[DATA.rows()];
        double[] direction = {1, -1, 0.5, 2, 0, 0, 1, 0, 0, -1, 0, 0};
        Arrays.setAll(labels, i -> 10 + Math.floorMod(Math.round(DATA.dot(i, direction)), 3));
        Dataset data = DATA.withLabels(labels);
        Fit fit = trainer().oneVersusRest(true).nodes(2).fit(data);

        assertThat(fit.model().classes()).containsExactly(10.0, 11.0, 12.0);
        assertThat(fit.certificates()).hasSize(3);
        double sum = 0;
        for (double positive : new double[] {10, 11, 12}) {
            Dataset rest = Labels.classification(data).binary(data, positive);
            sum += ReferenceNewton.objective(
                    rest, new Logistic(), 1e-3, ReferenceNewton.optimum(rest, new Logistic(), 1e-3));
        }
        assertThat(fit.objective()).isCloseTo(sum, within(1e-8 * sum));
    }

    @Test
    void standardisedTrainingGivesAModelOnRawFeatures() {
        Dataset raw = Generator.regression(250, 5).noise(0.2).seed(9).generate();
        Fit fit = Trainer.of(new Squared())
                .method(method)
                .lambda(1e-4)
                .gap(1e-10)
                .standardize(true)
                .fit(raw);
        double mean = Arrays.stream(raw.labels()).average().orElseThrow();
        double spread = 0;
        double residual = 0;
        for (int i = 0; i < raw.rows(); i++) {
            spread += Math.pow(raw.label(i) - mean, 2);
            residual += Math.pow(raw.label(i) - fit.model().predict(raw, i), 2);
        }

        // The objective on the standardised problem is about half the unexplained share of the variance.
        double[] weights = fit.model().weights(0);
        assertThat(Arrays.stream(weights).allMatch(Double::isFinite)).isTrue();
        assertThat(residual / spread / 2).isLessThan(fit.objective());
        assertThat(residual / spread / 2).isCloseTo(fit.objective(), within(1e-3));
    }

    @Test
    void reachingALimitIsReportedWithTheGap() {
        Fit fit = trainer().nodes(4).topology("ring").gap(1e-14).maxEpochs(5).fit(DATA);

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.EPOCH_LIMIT);
        assertThat(fit.gap()).isBetween(1e-14, 1.0);
        assertThat(fit.epochs()).isBetween(5.0, 8.0);
        assertThat(fit.model().provenance().certified()).isFalse();
    }

    @Test
    void aStopSignalGivesTheBestCertifiedModelSoFar() {
        StopSignal signal = StopSignal.manual();
        signal.request();
        Fit fit = trainer().nodes(4).topology("ring").stopSignal(signal).fit(DATA);

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(fit.gap()).isFinite();
    }

    @Test
    void aTimeLimitEndsTraining() {
        // Newton's method would have ended by itself.
        Fit fit = trainer()
                .method("adfs")
                .lambda(1e-13)
                .nodes(3)
                .topology("ring")
                .gap(1e-14)
                .maxEpochs(1e12)
                .maxSeconds(0.3)
                .fit(DATA);

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(fit.gap()).isFinite();
        assertThat(fit.seconds()).isLessThan(20);
    }

    @Test
    void nodesThatRowsDoNotSufficeForAreRefused() {
        assertThatThrownBy(() -> trainer().nodes(0)).hasMessage("0 nodes; there must be at least one");
        assertThatThrownBy(() -> trainer().nodes(401).topology("ring").fit(DATA))
                .hasMessage("401 nodes for 400 samples; every node needs at least one, so use at most 400 nodes");
        assertThatThrownBy(() -> trainer().fit(DATA.withLabels(new double[400])))
                .hasMessage("only one class, label 0, in 400 rows; two are needed");
    }

    @Test
    void textShowsTheSettingsAndThePlan() {
        assertThat(Trainer.logistic()).hasToString("Trainer[loss=logistic, lambda=1.0E-4, gap=1.0E-6, 1 node]");
        Trainer trainer = Trainer.of(new Squared()).l1(0.5).nodes(2);
        assertThat(trainer.intercept(true))
                .hasToString("Trainer[loss=squared, lambda=1.0E-4, l1=0.5, gap=1.0E-6, intercept=true, 2 nodes]");
        assertThat(trainer.prepare(Dataset.of(new double[][] {{1, 2}, {3, 4}, {5, 7}}, new double[] {1, 2, 4})))
                .hasToString("TrainingPlan[proximal-newton on complete of 2, 3 rows × 2 features, to a gap of 1.0E-6]");
    }
}
