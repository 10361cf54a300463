package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private static final Settings ALL = Settings.of(new Huber(0.5))
            .withLambda(0.25)
            .withL1(0.125)
            .withMethod("adfs")
            .withGap(1e-3)
            .withMaxEpochs(77)
            .withMaxSeconds(9.5)
            .withSeed(-3)
            .withDelay(OptionalDouble.of(12.5))
            .withBias(2)
            .withScaling(Scaling.SCALE)
            .withClassWeights(Map.of(2.0, 3.0, -1.0, 0.5))
            .withLabels(List.of(2.0, -1.0, 2.0));

    @Test
    void everySettingIsWhatItWasSetTo() {
        assertThat(ALL.loss().name()).isEqualTo("huber(0.5)");
        assertThat(ALL.lambda()).isEqualTo(0.25);
        assertThat(ALL.l1()).isEqualTo(0.125);
        assertThat(ALL.method()).isEqualTo("adfs");
        assertThat(ALL.gap()).isEqualTo(1e-3);
        assertThat(ALL.maxEpochs()).isEqualTo(77);
        assertThat(ALL.maxSeconds()).isEqualTo(9.5);
        assertThat(ALL.seed()).isEqualTo(-3);
        assertThat(ALL.delay()).hasValue(12.5);
        assertThat(ALL.bias()).isEqualTo(2);
        assertThat(ALL.scaling()).isEqualTo(Scaling.SCALE);
        assertThat(ALL.classWeights()).containsExactly(Map.entry(-1.0, 0.5), Map.entry(2.0, 3.0));
        assertThat(ALL.labels()).containsExactly(-1.0, 2.0);
    }

    @Test
    void textGivesTheSameSettingsAgain() {
        for (Settings settings : List.of(ALL, Settings.of(new Logistic()))) {
            assertThat(Settings.of(settings.toMap()).toMap()).isEqualTo(settings.toMap());
        }
        assertThat(ALL.toMap())
                .containsExactly(
                        Map.entry("loss", "huber(0.5)"),
                        Map.entry("lambda", "0.25"),
                        Map.entry("l1", "0.125"),
                        Map.entry("method", "adfs"),
                        Map.entry("gap", "0.001"),
                        Map.entry("max-epochs", "77.0"),
                        Map.entry("max-seconds", "9.5"),
                        Map.entry("seed", "-3"),
                        Map.entry("tau", "12.5"),
                        Map.entry("bias", "2.0"),
                        Map.entry("scaling", "scale"),
                        Map.entry("class-weights", "-1.0=0.5,2.0=3.0"),
                        Map.entry("labels", "-1.0,2.0"));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        assertThat(Settings.of(Map.of("lambda", "2")).toMap())
                .isEqualTo(Settings.of(new Logistic()).withLambda(2).toMap());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lambda        | 0         | lambda 0.0 must be positive and finite, for example 1e-4
            lambda        | Infinity  | lambda Infinity must be positive and finite, for example 1e-4
            lambda        | much      | lambda is 'much'; it must be a number
            l1            | -1        | l1 -1.0 must be 0 or more, and finite, for example 1e-4
            gap           | 0         | gap 0.0 must be positive, for example 1e-6
            gap           | 1e-15     | gap 1.0E-15 is less than double precision can prove; use 1.0E-14 or more
            max-epochs    | 0         | max-epochs 0.0 must be positive
            max-seconds   | -2        | max-seconds -2.0 must be positive
            seed          | 1.5       | seed is '1.5'; it must be a whole number
            tau           | -1        | tau -1.0 must be 0 or more, and finite
            bias          | 1e39      | bias 1.0E39 must be positive, for example 1, or 0 for none
            scaling       | scal      | unknown scaling 'scal'; did you mean 'scale'? there are: none, scale, standardize
            class-weights | 1         | class-weights has '1'; each must be LABEL=WEIGHT, such as 1=2.5
            class-weights | 1=2,1=3   | class-weights names label 1.0 twice
            class-weights | 1=-2      | class weight -2.0 of label 1.0 must be positive and finite
            labels        | spam,ham  | labels is 'spam'; it must be a number
            method        | newtn     | unknown method 'newtn'; did you mean 'newton'? there are: auto, newton, adfs, ns-adfs, adfs-local, adfs-matchings
            lamda         | 1         | unknown setting 'lamda'; did you mean 'lambda'? there are: loss, lambda, l1, method, gap, max-epochs, max-seconds, seed, tau, bias, scaling, class-weights, labels
            """)
    void whatMakesNoSenseIsRefusedByItsName(String key, String value, String message) {
        assertThatThrownBy(() -> Settings.of(Map.of(key, value)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(message);
    }

    @Test
    void aMethodThatCannotTakeTheObjectiveIsRefused() {
        assertThatThrownBy(() -> Settings.of(Map.of("method", "newton", "l1", "0.5")))
                .hasMessage("method newton cannot take an l1 term, which has kinks; adfs can");
    }

    @Test
    void aLossOfOnesOwnIsReadBySomebodyWhoKnowsIt() {
        Loss own = new Loss() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public double value(double margin, double label) {
                return (margin - label) * (margin - label);
            }

            @Override
            public double derivative(double margin, double label) {
                return 2 * (margin - label);
            }

            @Override
            public double smoothness() {
                return 2;
            }

            @Override
            public boolean isClassification() {
                return false;
            }
        };
        Map<String, String> text = new LinkedHashMap<>(Settings.of(own).toMap());
        assertThatThrownBy(() -> Settings.of(text)).hasMessageStartingWith("unknown loss 'own'");
        assertThat(Settings.of(text, name -> name.equals("own") ? own : Losses.named(name))
                        .loss())
                .isSameAs(own);
    }
}
