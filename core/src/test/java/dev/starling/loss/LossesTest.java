package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LossesTest {

    @ParameterizedTest
    @MethodSource("dev.starling.loss.Losses#names")
    void shouldGiveBackTheLossOfItsOwnName(String name) {
        Loss loss = Losses.named(name);
        assertThat(loss.name()).startsWith(name);
        assertThat(Losses.named(loss.name())).isEqualTo(loss);
    }

    @Test
    void shouldReadAParameterInParentheses() {
        assertThat(Losses.named("huber(0.5)")).isEqualTo(new Huber(0.5));
        assertThat(Losses.named("smoothed-hinge(1e-3)")).isEqualTo(new SmoothedHinge(1e-3));
        assertThat(Losses.named("quantile( 0.9 )")).isEqualTo(new Quantile(0.9));
        assertThat(Losses.named("epsilon-insensitive(0)")).isEqualTo(new EpsilonInsensitive(0));
        assertThat(Losses.named("squared-epsilon-insensitive(2)")).isEqualTo(new SquaredEpsilonInsensitive(2));
    }

    @Test
    void shouldUseTheDocumentedDefaults() {
        assertThat(Losses.named("huber").name()).isEqualTo("huber(1.0)");
        assertThat(Losses.named("smoothed-hinge").name()).isEqualTo("smoothed-hinge(1.0)");
        assertThat(Losses.named("quantile").name()).isEqualTo("quantile(0.5)");
        assertThat(Losses.named("epsilon-insensitive").name()).isEqualTo("epsilon-insensitive(0.1)");
        assertThat(Losses.named("squared-epsilon-insensitive").name()).isEqualTo("squared-epsilon-insensitive(0.1)");
    }

    @Test
    void shouldOfferTheNearestNameForAnUnknownOne() {
        assertThatThrownBy(() -> Losses.named("logistc"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("unknown loss 'logistc'; did you mean 'logistic'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"huber(", "huber()", "huber(x)", "huber(1", "huber(1)2"})
    void shouldRejectParenthesesWithoutANumber(String name) {
        assertThatThrownBy(() -> Losses.named(name))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("the loss '" + name + "' has no number in its parentheses; write for example huber(0.5)");
    }

    @Test
    void shouldRejectAParameterWhereThereIsNone() {
        assertThatThrownBy(() -> Losses.named("logistic(2)"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("the loss 'logistic' takes no parameter, found 2.0; write logistic");
    }

    @ParameterizedTest
    @CsvSource({
        "huber(0), threshold, 0.0",
        "huber(NaN), threshold, NaN",
        "smoothed-hinge(-1), band, -1.0",
        "smoothed-hinge(Infinity), band, Infinity",
        "epsilon-insensitive(-0.1), tolerance, -0.1",
        "squared-epsilon-insensitive(-0.1), tolerance, -0.1",
        "quantile(1), level, 1.0",
        "quantile(0), level, 0.0"
    })
    void shouldNameTheParameterThatIsOutOfRange(String name, String parameter, String value) {
        assertThatThrownBy(() -> Losses.named(name))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("the " + parameter + " of the loss is " + value + "; it must be ");
    }
}
