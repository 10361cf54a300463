package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statistics needs of the families, against differences and each other. */
class LikelihoodTest {

    private static final double STEP = 0x1p-10;

    static Stream<Likelihood> families() {
        return Stream.concat(
                        Losses.names().stream().map(Losses::named),
                        Stream.of("negative-binomial(2.5)", "tweedie(1.2)", "tweedie(1.9)")
                                .map(Losses::named))
                .filter(Likelihood.class::isInstance)
                .map(Likelihood.class::cast);
    }

    private static double label(Likelihood family, Random random) {
        return switch (family.domain()) {
            case CLASSES -> random.nextBoolean() ? 1 : -1;
            case UNIT, SHARES -> random.nextInt(5) / 4.0;
            case COUNTS -> random.nextInt(12);
            case POSITIVE -> 0.1 + 5 * random.nextDouble();
            case NOT_NEGATIVE -> random.nextInt(3) == 0 ? 0 : 5 * random.nextDouble();
            default -> random.nextGaussian();
        };
    }

    /** Five points, so that the error is of the fourth order. */
    private static double slope(DoubleUnaryOperator f, double x) {
        return (8 * (f.applyAsDouble(x + STEP) - f.applyAsDouble(x - STEP))
                        - (f.applyAsDouble(x + 2 * STEP) - f.applyAsDouble(x - 2 * STEP)))
                / (12 * STEP);
    }

    @ParameterizedTest
    @MethodSource("families")
    void derivativesAreThoseOfTheValue(Likelihood family) {
        Random random = new Random(3);
        for (int k = 0; k < 400; k++) {
            double label = label(family, random);
            double margin = 2 * random.nextGaussian();
            double size = 1 + Math.abs(family.curvature(margin, label)) + family.value(margin, label);
            assertThat(family.value(margin, label)).isNotNegative();
            assertThat(family.derivative(margin, label))
                    .isCloseTo(slope(at -> family.value(at, label), margin), within(2e-8 * size));
            assertThat(family.curvature(margin, label))
                    .isCloseTo(slope(at -> family.derivative(at, label), margin), within(2e-8 * size));
            double third = slope(at -> family.curvature(at, label), margin);
            assertThat(family.thirdWithin(margin, label, 0x1p-30)).isGreaterThan(Math.abs(third) - 2e-8 * size);
            double far = slope(at -> family.curvature(at, label), margin + 0.01);
            assertThat(family.thirdWithin(margin, label, 0.0101)).isGreaterThan(Math.abs(far) - 2e-8 * size);
            if (family.isConvex()) {
                assertThat(family.curvature(margin, label)).isNotNegative();
            }
        }
    }

    /** Where e^margin is so large that a success is certain, rounding errors times the bound are no infinity. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 1.4265, 3, 6, 7, 30, 40, 600, 720})
    void certainSuccessesHaveABoundedThirdDerivative(double margin) {
        Likelihood family = (Likelihood) Losses.named("cloglog");
        double third = Math.abs(slope(at -> family.curvature(at, 1), margin));

        assertThat(family.thirdWithin(margin, 1, 1e-13 * margin)).isBetween(third - 1e-8, 1.0);
    }

    /** The information is the squared slope of the mean divided by the variance. */
    @ParameterizedTest
    @MethodSource("families")
    void theInformationFollowsFromTheLinkAndTheVariance(Likelihood family) {
        Random random = new Random(4);
        for (int k = 0; k < 200; k++) {
            double margin = 0.8 * random.nextGaussian();
            double mean = family.link().mean(margin);
            double steep = slope(family.link()::mean, margin);
            double information = steep * steep / family.variance(mean);
            assertThat(family.information(margin)).isCloseTo(information, within(1e-7 * information));
            double change = slope(family::information, margin);
            assertThat(Math.abs(change))
                    .isLessThanOrEqualTo((1 + 1e-6) * family.informationChange(margin, 0) * information + 1e-7);
            double inside = Math.max(mean, 0.1);
            assertThat(family.varianceSlope(inside))
                    .isCloseTo(slope(family::variance, inside), within(1e-7 * (1 + inside * inside)));
            assertThat(family.link().score(mean)).isCloseTo(margin, within(1e-9 * (1 + Math.abs(margin))));
        }
    }

    /** Where the mean is the label, the loss is least, and 0. */
    @ParameterizedTest
    @MethodSource("families")
    void theLossIsZeroWhereTheMeanIsTheLabel(Likelihood family) {
        for (double label : new double[] {0.25, 0.5, 1.0, 3.0}) {
            if (family.domain() != LabelDomain.CLASSES && family.domain().contains(label)) {
                double margin = family.link().score(label);
                if (Double.isFinite(margin)) {
                    assertThat(family.value(margin, label)).isCloseTo(0, within(1e-15));
                    assertThat(family.derivative(margin, label)).isCloseTo(0, within(1e-14));
                }
            }
        }
    }

    /** Both are certified, each by its own means. */
    @ParameterizedTest
    @ValueSource(strings = {"binomial(probit)", "binomial", "gaussian"})
    void adfsFindsTheOptimumOfNewtonsMethod(String name) {
        Likelihood family = (Likelihood) Losses.named(name);
        Random random = new Random(6);
        double[][] x = new double[200][4];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], c -> random.nextGaussian());
            y[i] = label(family, random);
        }
        double[] trials = new double[x.length];
        Arrays.fill(trials, 4);
        Dataset rows = Dataset.of(x, y).withWeights(trials);
        Trainer trainer = Trainer.of(family).lambda(1e-2).gap(1e-8).nodes(3).topology("line");

        Fit adfs = trainer.method("adfs").fit(rows);
        Fit newton = trainer.method("newton").fit(rows);

        assertThat(adfs.isCertified()).isTrue();
        assertThat(newton.isCertified()).isTrue();
        assertThat(adfs.objective()).isCloseTo(newton.objective(), within(2e-8 * newton.objective()));
    }
}
