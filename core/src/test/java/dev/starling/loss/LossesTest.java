package dev.starling.loss;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LossesTest {

    @ParameterizedTest
    @MethodSource("dev.starling.loss.Losses#names")
    void findsEveryLossByItsName(String name) {
        Loss loss = Losses.named(name);
        assertThat(loss.name()).startsWith(name);
        assertThat(Losses.named(loss.name())).isEqualTo(loss);
    }

    @Test
    void readsAParameterInParentheses() {
        assertThat(Losses.named("huber(0.5)")).isEqualTo(new Huber(0.5));
        assertThat(Losses.named("smoothed-hinge(1e-3)")).isEqualTo(new SmoothedHinge(1e-3));
        assertThat(Losses.named("quantile( 0.9 )")).isEqualTo(Deviations.quantile(0.9));
        assertThat(Losses.named("epsilon-insensitive(0)")).isEqualTo(Deviations.epsilonInsensitive(0));
        assertThat(Losses.named("squared-epsilon-insensitive(2)")).isEqualTo(new SquaredEpsilonInsensitive(2));
    }

    @Test
    void usesTheDocumentedDefaults() {
        assertThat(Losses.named("huber").name()).isEqualTo("huber(1.0)");
        assertThat(Losses.named("smoothed-hinge").name()).isEqualTo("smoothed-hinge(1.0)");
        assertThat(Losses.named("quantile").name()).isEqualTo("quantile(0.5)");
        assertThat(Losses.named("epsilon-insensitive").name()).isEqualTo("epsilon-insensitive(0.1)");
        assertThat(Losses.named("squared-epsilon-insensitive").name()).isEqualTo("squared-epsilon-insensitive(0.1)");
    }

    @Test
    void offersTheNearestNameForAnUnknownOne() {
        assertThatRefused(() -> Losses.named("logistc"))
                .hasMessageContaining("unknown loss 'logistc'; did you mean 'logistic'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"huber(", "huber()", "huber(x)", "huber(1", "huber(1)2"})
    void rejectsParenthesesWithoutANumber(String name) {
        assertThatRefused(() -> Losses.named(name))
                .hasMessage("the loss '" + name + "' has no number in its parentheses; write for example huber(0.5)");
    }

    @Test
    void rejectsAParameterWhereThereIsNone() {
        assertThatRefused(() -> Losses.named("logistic(2)"))
                .hasMessage("the loss 'logistic' takes no parameter, found 2.0; write logistic");
    }

    @ParameterizedTest
    @CsvSource({
        "huber(0), threshold, 0.0",
        "huber(NaN), threshold, NaN",
        "huber(1e-61), threshold, 1.0E-61",
        "huber(1e46), threshold, 1.0E46",
        "epsilon-insensitive(1e46), tolerance, 1.0E46",
        "smoothed-hinge(-1), band, -1.0",
        "smoothed-hinge(0), band, 0.0",
        "smoothed-hinge(Infinity), band, Infinity",
        "epsilon-insensitive(-0.1), tolerance, -0.1",
        "squared-epsilon-insensitive(-0.1), tolerance, -0.1",
        "quantile(1), level, 1.0",
        "quantile(0), level, 0.0"
    })
    void namesTheParameterThatIsOutOfRange(String name, String parameter, String value) {
        assertThatRefused(() -> Losses.named(name))
                .hasMessageStartingWith("the " + parameter + " of the loss is " + value + "; it must be ");
    }

    @Test
    void acceptsParametersUpToTheEndsOfTheirRange() {
        assertThat(Losses.named("smoothed-hinge(1e45)")).isEqualTo(new SmoothedHinge(1e45));
        assertThat(Losses.named("huber(1e-60)")).isEqualTo(new Huber(1e-60));
    }

    @ParameterizedTest
    @CsvSource({
        "probit, binomial(probit)",
        "cloglog, binomial(cloglog)",
        "logit, binomial",
        "binomial(logit), binomial",
        "poisson(log), poisson",
        "gaussian(identity), squared",
        "multinomial(logit), softmax",
        "ordinal(logit), ordinal",
        "inverse-gaussian( log ), inverse-gaussian"
    })
    void familiesAndLinksAreLosses(String name, String loss) {
        assertThat(Losses.named(name)).isEqualTo(Losses.named(loss));
    }

    @Test
    void refusesALinkThatAFamilyHasNot() {
        assertThatRefused(() -> Losses.named("poisson(logit)"))
                .hasMessage("the link logit does not go with poisson; it takes log");
        assertThatThrownBy(() -> Losses.named("negative-binomial(2)", "probit")).hasMessageContaining("it takes log");
    }

    @Test
    void knowsWhichLossesAreForClassification() {
        assertThat(Losses.names())
                .filteredOn(name -> Losses.named(name).isClassification())
                .containsExactlyInAnyOrder(
                        "logistic", "softmax", "ordinal", "hinge", "squared-hinge", "smoothed-hinge");
    }

    /** At a kink of the derivative any value between those on both sides will do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic",
                "squared",
                "squared-hinge",
                "smoothed-hinge",
                "smoothed-hinge(0.3)",
                "huber",
                "huber(0.3)",
                "squared-epsilon-insensitive",
                "squared-epsilon-insensitive(0)"
            })
    void curvatureIsThatOfFiniteDifferences(String name) {
        Loss loss = Losses.named(name);
        double h = 1e-5;
        double largest = 0;
        for (double label : new double[] {-1, 1}) {
            for (double u = -3.0005; u < 3; u += 0.01) {
                double below = (loss.derivative(u, label) - loss.derivative(u - h, label)) / h;
                double above = (loss.derivative(u + h, label) - loss.derivative(u, label)) / h;
                double curvature = loss.curvature(u, label);
                assertThat(curvature)
                        .as("%s at %s, label %s", name, u, label)
                        .isBetween(Math.min(below, above) - 1e-5, Math.max(below, above) + 1e-5);
                largest = Math.max(largest, curvature);
            }
        }
        assertThat(largest).isBetween(0.99 * loss.smoothness(), loss.smoothness());
    }

    /** With the default band a run that starts at zero has all its margins there, and must not seem flat. */
    @ParameterizedTest
    @ValueSource(doubles = {0.25, 1})
    void aSmoothedHingeIsCurvedUpToTheEndsOfItsBand(double band) {
        for (double label : new double[] {-1, 1}) {
            Loss loss = new SmoothedHinge(band);
            assertThat(loss.curvature(label, label)).isEqualTo(1 / band);
            assertThat(loss.curvature(label * (1 - band), label)).isEqualTo(1 / band);
            assertThat(loss.curvature(label * 1.001, label)).isZero();
            assertThat(loss.curvature(label * (0.999 - band), label)).isZero();
        }
    }
}
