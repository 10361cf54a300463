package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.method.Shape;
import dev.starling.settings.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ScalingTest {

    /** Mean 4, deviation 2 of the feature; mean 20, deviation 10 of the target. */
    private static final Dataset ROWS = Dataset.dense(1, new float[] {2, 6}, new double[] {10, 30});

    @Test
    void onlyStandardisingCentresAndOnlyDenseRows() {
        assertThat(Scaling.STANDARDIZE.centres(true)).isTrue();
        assertThat(Scaling.STANDARDIZE.centres(false)).isFalse();
        assertThat(Scaling.SCALE.centres(true)).isFalse();
        assertThat(Scaling.NONE.centres(true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "STANDARDIZE, true, true, -1, -1",
        "STANDARDIZE, false, true, 1, -1",
        "STANDARDIZE, true, false, -1, 10",
        "SCALE, false, true, 1, 10",
    })
    void theTargetOfARegressionIsStandardisedWithTheFeatures(
            Scaling scaling, boolean centred, boolean regression, double value, double label) {
        Standardizer standardizer = scaling.standardizer(Moments.of(ROWS), centred, regression);
        Dataset scaled = standardizer.apply(ROWS);

        assertThat(scaled.dot(0, new double[] {1})).isCloseTo(value, within(1e-6));
        assertThat(scaled.label(0)).isCloseTo(label, within(1e-6));
    }

    @ParameterizedTest
    @EnumSource
    void aScalingIsFoundByName(Scaling scaling) {
        assertThat(Scaling.named(scaling.lowerCase())).isEqualTo(scaling);
        assertThat(Scaling.names()).contains(scaling.lowerCase());
    }

    @Test
    void otherNamesAreRefused() {
        assertThatRefused(() -> Scaling.named("scaled"));
    }

    @Test
    void theDelayInMemoryIsTheWorkOnWholeVectors() {
        assertThat(JobRules.sharedMemoryDelay(new Shape(100, 10, 200, 200, false)))
                .as("20 values in a row")
                .isEqualTo(5 + 10);
        assertThat(JobRules.sharedMemoryDelay(new Shape(100, 10, 5, 5, false)))
                .as("less than one")
                .isEqualTo(205);
    }
}
