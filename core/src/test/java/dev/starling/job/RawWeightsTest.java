package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Logistic;
import dev.starling.loss.Softmax;
import dev.starling.loss.Squared;
import dev.starling.node.State;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawWeightsTest {

    private static final Settings PLAIN = Settings.of(new Logistic()).with(Setting.BIAS, 0.0);
    private static final List<double[]> TWO = List.of(new double[] {1, -2, 3}, new double[] {0.5, 4, -1});
    private static final Dataset ROWS = Generator.classification(50, 3).seed(7).generate();

    @Test
    void withoutScalingTheInterceptIsTheBiasTimesItsWeight() {
        RawWeights raw = RawWeights.of(TWO, PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 2, Optional.empty());

        assertThat(raw.weights()).isDeepEqualTo(new double[][] {{1, -2}, {0.5, 4}});
        assertThat(raw.intercepts()).containsExactly(6, -2);
    }

    @Test
    void withoutAConstantFeatureThereIsNoIntercept() {
        RawWeights raw = RawWeights.of(TWO, PLAIN, Units.NONE, 3, Optional.empty());

        assertThat(raw.weights()).isDeepEqualTo(TWO.toArray(new double[0][]));
        assertThat(raw.intercepts()).containsExactly(0, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void predictTheSameOnRawRowsAsParametersOnScaledRows(boolean centred) {
        Moments moments = Moments.of(ROWS);
        Standardizer standardizer = centred ? Standardizer.centred(moments) : Standardizer.scaled(moments);
        double[] parameter = {1, -2, 3, 0.5};
        RawWeights raw = RawWeights.of(
                List.of(parameter), PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 3, Optional.of(standardizer));

        Dataset scaled = standardizer.apply(ROWS).withBias(2);
        for (int i = 0; i < ROWS.rows(); i++) {
            // The scaled values are floats.
            assertThat(ROWS.dot(i, raw.weights()[0]) + raw.intercepts()[0])
                    .isCloseTo(scaled.dot(i, parameter), within(1e-5));
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {0, 1, 2})
    void areConvertedBackToTheParameterTheyCameFrom(float bias) {
        Settings settings = PLAIN.with(Setting.BIAS, (double) bias);
        int features = bias > 0 ? 2 : 3;
        Dataset rows = ROWS.picked(new int[] {0, 1, 2, 3, 4, 5});
        Optional<Standardizer> scaled = bias > 0
                ? Optional.of(Standardizer.centred(Moments.of(
                        Dataset.dense(2, new float[] {1, 2, 3, 5, 8, 13, 21, 34}, new double[] {1, 0, 1, 0}))))
                : Optional.of(Standardizer.scaled(Moments.of(rows)));
        for (Optional<Standardizer> standardizer : List.of(Optional.<Standardizer>empty(), scaled)) {
            RawWeights raw = RawWeights.of(TWO, settings, Units.NONE, features, standardizer);
            for (int problem = 0; problem < 2; problem++) {
                assertThat(raw.parameter(problem, 1, settings, Units.NONE, features, standardizer)
                                .orElseThrow())
                        .containsExactly(TWO.get(problem), within(1e-12));
            }
            assertThat(raw.parameter(2, 1, settings, Units.NONE, features, standardizer))
                    .isEmpty();
        }
    }

    @Test
    void theBlocksOfAParameterAreScores() {
        double[] three = {1, -2, 3, 0.5, 4, -1, -1.5, -2, -2};
        RawWeights raw = RawWeights.of(List.of(three), PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 2, Optional.empty());

        assertThat(raw.weights()).isDeepEqualTo(new double[][] {{1, -2}, {0.5, 4}, {-1.5, -2}});
        assertThat(raw.intercepts()).containsExactly(6, -2, -4);
        assertThat(raw.parameter(0, 3, PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 2, Optional.empty()))
                .hasValueSatisfying(same -> assertThat(same).containsExactly(three));
        assertThat(raw.parameter(1, 3, PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 2, Optional.empty()))
                .isEmpty();
    }

    @Test
    void twoBlocksAreOneScoreTheirDifference() {
        Settings softmax = PLAIN.with(Setting.LOSS, new Softmax());
        double[] two = {-1, 2, -3, 1, -2, 3};
        RawWeights raw = RawWeights.of(List.of(two), softmax, Units.NONE, 3, Optional.empty());

        assertThat(raw.weights()).isDeepEqualTo(new double[][] {{2, -4, 6}});
        assertThat(raw.parameter(0, 2, softmax, Units.NONE, 3, Optional.empty()))
                .hasValueSatisfying(same -> assertThat(same).containsExactly(two));
    }

    @Test
    void weightsForOtherFeaturesAreRefused() {
        RawWeights raw = RawWeights.of(TWO, PLAIN, Units.NONE, 3, Optional.empty());

        assertThatThrownBy(() -> raw.parameter(0, 1, PLAIN, Units.NONE, 4, Optional.empty()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("cannot resume training from 3 weights: the rows have 4 features; start over");
    }

    @Test
    void areTheSameAfterRestoring() throws IOException {
        RawWeights raw = RawWeights.of(TWO, PLAIN.with(Setting.BIAS, 2.0), Units.NONE, 2, Optional.empty());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        raw.state(State.saving(new DataOutputStream(bytes)));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        RawWeights restored = RawWeights.NONE.state(State.restoring(in));

        assertThat(restored.weights()).isDeepEqualTo(raw.weights());
        assertThat(restored.intercepts()).containsExactly(raw.intercepts());
        assertThat(in.available()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 100_000_001})
    void anInvalidNumberOfProblemsIsNotRestored(int problems) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new DataOutputStream(bytes).writeInt(problems);

        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        assertThatThrownBy(() -> RawWeights.NONE.state(State.restoring(in)))
                .isInstanceOf(IOException.class)
                .hasMessage(problems + " problems");
    }

    @Test
    void parametersInOtherUnitsBecomeRawWeightsAndBack() {
        Settings settings =
                Settings.of(new Squared()).with(Setting.INTERCEPT, true).with(Setting.LAMBDA, 1.0);
        // Columns of about 2^-50 and a target of about 2^60.
        Units units = Units.of(new Units.Sizes(0, 60, -50, 0), new double[0], 2, List.of(), settings);

        RawWeights raw = RawWeights.of(TWO, settings, units, 2, Optional.empty());

        assertThat(raw.weights()[0]).containsExactly(0x1p110, -0x1p111);
        assertThat(raw.intercepts()[0]).isEqualTo(3 * 0x1p60);
        assertThat(raw.parameter(1, 1, settings, units, 2, Optional.empty()))
                .hasValueSatisfying(back -> assertThat(back).containsExactly(TWO.get(1)));
    }
}
