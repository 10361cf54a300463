package dev.starling.settings;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Objective;
import dev.starling.method.StoppingRule;
import dev.starling.problem.Regulariser;
import dev.starling.support.PseudoHuber;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private final Settings all = Settings.of(new Huber(0.5))
            .with(Setting.LAMBDA, 0.25)
            .with(Setting.L1, 0.125)
            .with(Setting.METHOD, "adfs")
            .with(Setting.GAP, 1e-3)
            .with(Setting.MAX_EPOCHS, 77.0)
            .with(Setting.MAX_SECONDS, 9.5)
            .with(Setting.SEED, -3L)
            .with(Setting.TAU, OptionalDouble.of(12.5))
            .with(Setting.BIAS, 2.0)
            .with(Setting.SCALING, Scaling.SCALE)
            .with(Setting.CLASS_WEIGHTS, ClassWeighting.of(Map.of(2.0, 3.0, -1.0, 0.5)))
            .with(Setting.HOLDOUT, 0.25)
            .with(Setting.LABELS, List.of(2.0, -1.0, 2.0));

    @Test
    void everySettingIsWhatItWasSetTo() {
        assertThat(all.loss().name()).isEqualTo("huber(0.5)");
        assertThat(all.lambda()).isEqualTo(0.25);
        assertThat(all.l1()).isEqualTo(0.125);
        assertThat(all.method()).isEqualTo("adfs");
        assertThat(all.gap()).isEqualTo(1e-3);
        assertThat(all.maxEpochs()).isEqualTo(77);
        assertThat(all.maxSeconds()).isEqualTo(9.5);
        assertThat(all.seed()).isEqualTo(-3);
        assertThat(all.delay()).hasValue(12.5);
        assertThat(all.bias()).isEqualTo(2);
        assertThat(all.scaling()).isEqualTo(Scaling.SCALE);
        assertThat(all.classWeights().byLabel()).containsExactly(Map.entry(-1.0, 0.5), Map.entry(2.0, 3.0));
        assertThat(all.holdout()).isEqualTo(0.25);
        assertThat(all.labels()).containsExactly(-1.0, 2.0);
    }

    @Test
    void textIsReadBackToTheSameSettings() {
        for (Settings settings : List.of(all, Settings.of(new Logistic()))) {
            assertThat(Settings.of(settings.toMap()).toMap()).isEqualTo(settings.toMap());
        }
        assertThat(all.toMap())
                .containsExactly(
                        Map.entry("loss", "huber(0.5)"),
                        Map.entry("lambda", "0.25"),
                        Map.entry("l1", "0.125"),
                        Map.entry("lambda-path", ""),
                        Map.entry("l1-ratios", ""),
                        Map.entry("cv", ""),
                        Map.entry("cv-columns", ""),
                        Map.entry("cv-rule", "min"),
                        Map.entry("method", "adfs"),
                        Map.entry("gap", "0.001"),
                        Map.entry("max-epochs", "77.0"),
                        Map.entry("max-seconds", "9.5"),
                        Map.entry("seed", "-3"),
                        Map.entry("tau", "12.5"),
                        Map.entry("bias", "2.0"),
                        Map.entry("intercept", "false"),
                        Map.entry("scaling", "scale"),
                        Map.entry("precision", "exact"),
                        Map.entry("class-weights", "-1.0=0.5,2.0=3.0"),
                        Map.entry("holdout", "0.25"),
                        Map.entry("standard-errors", "none"),
                        Map.entry("heterogeneity", "false"),
                        Map.entry("curves", ""),
                        Map.entry("proportional-hazards", "none"),
                        Map.entry("labels", "-1.0,2.0"),
                        Map.entry("one-versus-rest", "false"));
    }

    @Test
    void missingSettingsHaveTheirDefaults() {
        assertThat(Settings.of(Map.of("lambda", "2")).toMap())
                .isEqualTo(Settings.of(new Logistic()).with(Setting.LAMBDA, 2.0).toMap());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            lambda        | -1        | lambda -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4
            lambda        | Infinity  | lambda Infinity must be 0 or from 1e-60 to 1e45, for example 1e-4
            lambda        | much      | lambda is 'much'; it must be a number
            l1            | -1        | l1 -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4
            gap           | 0         | gap 0.0 must be positive, for example 1e-6
            gap           | 1e-15     | gap 1.0E-15 is less than double precision can prove; use 1.0E-14 or more
            max-epochs    | 0         | max-epochs 0.0 must be positive
            max-seconds   | -2        | max-seconds -2.0 must be positive
            seed          | 1.5       | seed is '1.5'; it must be a whole number
            tau           | -1        | tau -1.0 must be 0 or more, and finite
            bias          | 1e39      | bias 1.0E39 must be positive, for example 1, or 0 for none
            intercept     | yes       | intercept is 'yes'; it must be true or false
            scaling       | scal      | unknown scaling 'scal'; did you mean 'scale'? there are: none, scale, standardize
            class-weights | 1         | class-weights has '1'; each must be LABEL=WEIGHT, such as 1=2.5, or the whole setting balanced
            class-weights | balanced,1=2 | class-weights has 'balanced'; each must be LABEL=WEIGHT, such as 1=2.5, or the whole setting balanced
            class-weights | =2        | class-weights is ''; it must be a number
            class-weights | 1=2,1=3   | class-weights names label 1.0 twice
            class-weights | 0=2,-0=3  | class-weights names label 0.0 twice
            class-weights | 1=-2      | class weight -2.0 of label 1.0 must be from 1e-60 to 1e45
            holdout       | 1         | holdout 1.0 must be a fraction of the rows below 1, for example 0.2, or 0 for none
            labels        | spam,ham  | labels is 'spam'; it must be a number
            method        | newtn     | unknown method 'newtn'; did you mean 'newton'? there are: auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs
            lamda         | 1         | unknown setting 'lamda'; did you mean 'lambda'? there are: loss, lambda, l1, lambda-path, l1-ratios, cv, cv-columns, cv-rule, method, gap, max-epochs, max-seconds, seed, tau, bias, intercept, scaling, precision, class-weights, holdout, standard-errors, heterogeneity, curves, proportional-hazards, labels, one-versus-rest
            """)
    void invalidSettingsAreRefusedByName(String key, String value, String message) {
        assertThatRefused(() -> Settings.of(Map.of(key, value))).hasMessage(message);
    }

    @Test
    void derivedValuesFollowFromSettings() {
        assertThat(all.rule()).isEqualTo(new StoppingRule(1e-3, 77));
        assertThat(all.constantFeature()).isEqualTo(2f);
        assertThat(all.objective()).isEqualTo(new Objective(all.loss(), Regulariser.elasticNet(0.25, 0.125)));
    }

    @Test
    void theDelayMayBeZero() {
        assertThat(all.with(Setting.TAU, OptionalDouble.of(0)).delay()).hasValue(0);
    }

    @Test
    void zeroAndMinusZeroAreOneLabel() {
        Settings settings =
                Settings.of(new Logistic()).with(Setting.CLASS_WEIGHTS, ClassWeighting.of(Map.of(-0.0, 2.0)));

        assertThat(settings.classWeights().byLabel()).containsExactly(Map.entry(0.0, 2.0));
        assertThat(settings.with(Setting.LABELS, List.of(-0.0, 0.0)).labels()).containsExactly(0.0);
        assertThatThrownBy(() -> settings.with(Setting.CLASS_WEIGHTS, ClassWeighting.of(Map.of(-0.0, 2.0, 0.0, 3.0))))
                .hasMessage("class-weights names label 0.0 twice");
    }

    @Test
    void aMethodThatCannotMinimiseTheObjectiveIsRefused() {
        assertThatThrownBy(() -> Settings.of(Map.of("method", "newton", "l1", "0.5")))
                .hasMessage("method newton cannot take an l1 term, which has kinks; adfs can");
    }

    @Test
    void aCustomLossIsReadWithItsName() {
        Loss own = new PseudoHuber();
        Map<String, String> text = new LinkedHashMap<>(Settings.of(own).toMap());
        assertThatThrownBy(() -> Settings.of(text)).hasMessageStartingWith("unknown loss 'pseudo-huber'");
        assertThat(Settings.of(text, name -> name.equals("pseudo-huber") ? own : Losses.named(name))
                        .loss())
                .isSameAs(own);
    }
}
