package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An intercept that is not regularised beside an l1 term or a loss with kinks. */
@Timeout(120)
class FreeInterceptWithKinksTest {

    private static final double LAMBDA = 1e-3;
    private static final double L1 = 2e-2;

    static Stream<String> smoothLosses() {
        return Losses.names().stream()
                .map(Losses::named)
                .filter(Loss::hasBoundedCurvature)
                .filter(loss -> loss.isClassification() || loss.domain().isScalable())
                .map(Loss::name);
    }

    /** Rows far from zero, in classes or with targets that are not balanced; enough to begin with a sample of them. */
    private static Dataset rows(boolean classes, int count, int seed) {
        Random random = new Random(seed);
        double[][] x = new double[count][8];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> 3 + random.nextGaussian() / (c + 1));
            double score = 4 * (x[i][0] - 3) - 2 + random.nextGaussian();
            y[i] = classes ? (score > 0 ? 1 : -1) : score;
        }
        return Dataset.of(x, y);
    }

    private static Trainer trainer(String loss, double lambda) {
        return Trainer.of(Losses.named(loss))
                .lambda(lambda)
                .intercept(true)
                .nodes(3)
                .topology("line")
                .gap(1e-10)
                .runner(new Simulator());
    }

    /** What makes a point the optimum: no slope left along the intercept, and λ₁ along weights, or up to it at 0. */
    @ParameterizedTest
    @MethodSource("smoothLosses")
    void anElasticNetReachesItsOptimum(String name) {
        Loss loss = Losses.named(name);
        for (int count : new int[] {90, 17_000}) {
            Dataset data = rows(loss.isClassification(), count, count);
            Fit fit = trainer(name, LAMBDA).l1(L1).fit(data);
            double[] weights = fit.model().weights(0);
            double[] gradient = new double[weights.length];
            double ofIntercept = 0;
            for (int i = 0; i < count; i++) {
                double slope = loss.derivative(fit.model().score(data, i, 0), data.label(i)) / count;
                data.addTo(i, slope, gradient);
                ofIntercept += slope;
            }

            assertThat(fit.plan().method().name()).isEqualTo("proximal-newton");
            assertThat(fit.isCertified()).as(fit.toString()).isTrue();
            assertThat(fit.epochs()).isLessThan(60);
            assertThat(Arrays.stream(weights).filter(weight -> weight == 0).count())
                    .isBetween(1L, weights.length - 1L);
            assertThat(fit.model().intercept(0)).isNotZero();
            assertThat(ofIntercept).isCloseTo(0, within(1e-5));
            for (int c = 0; c < weights.length; c++) {
                double slope = gradient[c] + LAMBDA * weights[c];
                if (weights[c] == 0) {
                    assertThat(Math.abs(slope)).isLessThanOrEqualTo(L1 * (1 + 1e-6));
                } else {
                    assertThat(slope).isCloseTo(-L1 * Math.signum(weights[c]), within(1e-4));
                }
            }
        }
    }

    /** For squares a free intercept is the same as centred features and a centred target. */
    @Test
    void anElasticNetOfSquaresEqualsThatOfCentredRows() {
        Dataset data = Generator.regression(300, 12).density(0.3).seed(5).generate();
        Dataset centred = Standardizer.centred(Moments.of(data)).withTarget().apply(data);
        Fit free =
                trainer("squared", LAMBDA).l1(L1).scaling(Scaling.STANDARDIZE).fit(data);
        Fit plain = Trainer.of(new Squared())
                .lambda(LAMBDA)
                .l1(L1)
                .gap(1e-10)
                .runner(new Simulator())
                .fit(centred);

        // Values are kept as floats once they are centred.
        assertThat(free.objective()).isCloseTo(plain.objective(), within(1e-6 * plain.objective()));
    }

    @Test
    void aLargeL1TermLeavesOnlyTheIntercept() {
        Dataset data = rows(true, 200, 3);
        Fit fit = trainer("logistic", LAMBDA).l1(100).fit(data);
        double positive = Arrays.stream(data.labels()).filter(y -> y > 0).count();

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().weights(0)).containsOnly(0);
        assertThat(fit.model().intercept(0)).isCloseTo(Math.log(positive / (200 - positive)), within(1e-4));
    }

    /** An intercept whose feature is B costs λ/2 (b/B)²: that much is the objective off, at most. */
    @ParameterizedTest
    @CsvSource({"hinge", "absolute", "epsilon-insensitive(0.3)", "quantile(0.2)"})
    void aLossWithKinksEndsWhereABarelyRegularisedInterceptDoes(String loss) {
        Dataset data = rows(loss.equals("hinge"), 300, 7);
        for (double lambda : new double[] {1e-6, 1e-2}) {
            Fit free = trainer(loss, lambda).fit(data);
            Fit biased = Trainer.of(Losses.named(loss))
                    .lambda(lambda)
                    .bias(1024)
                    .gap(1e-10)
                    .runner(new Simulator())
                    .fit(data);
            double price = lambda / 2 * Math.pow(free.model().intercept(0) / 1024, 2);

            assertThat(free.plan().method().name()).isEqualTo("multipliers");
            assertThat(free.isCertified()).as(free.toString()).isTrue();
            assertThat(biased.isCertified()).as(biased.toString()).isTrue();
            assertThat(biased.objective() - free.objective())
                    .isBetween(-1e-9 * free.objective(), price + 1e-9 * free.objective());
        }
    }

    /** The share of targets below a quantile is that quantile, but for the rows that it goes through. */
    @ParameterizedTest
    @CsvSource({"0.1", "0.5", "0.9"})
    void aQuantileHasItsShareOfTheRowsBelowIt(double share) {
        Dataset data = rows(false, 400, 9);
        Fit fit = trainer("quantile(" + share + ")", 1e-4).fit(data);
        double[] residuals = IntStream.range(0, 400)
                .mapToDouble(i -> data.label(i) - fit.model().score(data, i, 0))
                .toArray();

        assertThat(fit.isCertified()).isTrue();
        assertThat(Arrays.stream(residuals).filter(r -> r < -1e-6).count()).isLessThanOrEqualTo((long) (share * 400));
        assertThat(Arrays.stream(residuals).filter(r -> r > 1e-6).count())
                .isLessThanOrEqualTo((long) Math.ceil((1 - share) * 400));
    }

    @ParameterizedTest
    @CsvSource({"absolute", "epsilon-insensitive(0.3)", "quantile(0.2)"})
    void shiftingTheTargetShiftsOnlyTheIntercept(String loss) {
        Dataset data = rows(false, 200, 4);
        Fit here = trainer(loss, 1e-2).fit(data);
        Fit there = trainer(loss, 1e-2)
                .fit(data.withLabels(
                        Arrays.stream(data.labels()).map(y -> y + 4096).toArray()));

        assertThat(there.isCertified()).as(there.toString()).isTrue();
        assertThat(there.objective()).isCloseTo(here.objective(), within(1e-9 * here.objective()));
        assertThat(there.model().intercept(0) - 4096).isCloseTo(here.model().intercept(0), within(1e-3));
    }

    @Test
    void theInterceptIsFreeWithTooManyFeaturesForAHessian() {
        Dataset data = Generator.classification(150, 700)
                .density(0.05)
                .noise(0.1)
                .seed(3)
                .generate();
        Fit hinge = trainer("hinge", 1e-2).gap(1e-5).fit(data);
        Fit net = trainer("logistic", 1e-2).l1(1e-3).gap(1e-8).fit(data);

        assertThat(hinge.isCertified()).as(hinge.toString()).isTrue();
        assertThat(net.isCertified()).as(net.toString()).isTrue();
        assertThat(net.plan().method().name()).isEqualTo("proximal-newton");
    }

    @Test
    void severalClassesHaveAnInterceptEach() {
        Dataset data = rows(false, 90, 2);
        double[] labels = new double[90];
        Arrays.setAll(labels, i -> i % 10 == 0 ? 2 : data.label(i) > -2 ? 1 : 0);
        for (String loss : new String[] {"hinge", "logistic"}) {
            Fit fit = trainer(loss, 1e-2)
                    .l1(loss.equals("hinge") ? 0 : 1e-3)
                    .gap(1e-8)
                    .fit(data.withLabels(labels));

            assertThat(fit.isCertified()).as(fit.toString()).isTrue();
            assertThat(fit.model().intercept(2)).isNotZero();
        }
    }
}
