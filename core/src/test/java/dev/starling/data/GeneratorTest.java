package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.keys.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratorTest {

    @Test
    void theSameSettingsMakeTheSameRowsAndAnotherSeedOthers() {
        Generator settings = Generator.classification(200, 20).density(0.3).seed(5);
        assertThat(Fingerprint.of(settings.generate())).isEqualTo(Fingerprint.of(settings.generate()));
        assertThat(Fingerprint.of(settings.seed(6).generate())).isNotEqualTo(Fingerprint.of(settings.generate()));
    }

    @Test
    void makesTheSameBitsOnEveryJdkAndProcessor() {
        Dataset rows = Generator.regression(2000, 30)
                .density(0.4)
                .conditioning(1e3)
                .noise(0.2)
                .seed(42)
                .generate();
        // Computed on JDK 17 and, interpreted and compiled, on JDK 25.
        assertThat(Fingerprint.of(rows)).isEqualTo("da25ec37d219a58a63210bc098ce419e");
        Standardizer standardizer = Standardizer.centred(Moments.of(rows)).withTarget();
        assertThat(Fingerprint.of(standardizer.apply(rows))).isEqualTo("e85d3de376a82efb7489c95c76ac63f4");
    }

    @Test
    void writesTheRowsThatItGenerates(@TempDir Path folder) throws IOException {
        Generator settings = Generator.regression(3000, 30).density(0.2).conditioning(100);
        settings.write(folder.resolve("streamed"));
        LibsvmWriter.write(settings.generate(), folder.resolve("held"));
        assertThat(Files.mismatch(folder.resolve("streamed"), folder.resolve("held")))
                .isEqualTo(-1);
    }

    @Test
    void theNumberOfValuesFollowsTheDensity() {
        Dataset rows = Generator.classification(5000, 100).density(0.07).generate();
        assertThat(rows.isDense()).isFalse();
        // 500,000 draws with probability 0.07: four standard deviations are 0.0015.
        assertThat(rows.nonZeros() / 5e5).isCloseTo(0.07, within(0.0015));
    }

    @Test
    void variancesFallFromOneToTheInverseOfTheConditioning() {
        Dataset rows = Generator.regression(40_000, 5).conditioning(1e4).generate();
        Moments moments = Moments.of(rows);
        for (int c = 0; c < 5; c++) {
            double relative = moments.deviation(c) * StrictMath.pow(10, c / 2.0);
            // The deviation of a sample of n is off by 1/√(2n) = 0.0035; four times that.
            assertThat(relative).as("feature %d", c).isCloseTo(1, within(0.015));
            assertThat(moments.mean(c) / moments.deviation(c)).isCloseTo(0, within(0.02));
        }
    }

    @Test
    void theTargetOfARegressionHasTheVarianceOfSignalPlusNoise() {
        Dataset rows = Generator.regression(40_000, 10).density(0.5).noise(0.5).generate();
        assertThat(Moments.of(rows).targetDeviation()).isCloseTo(Math.sqrt(1.25), within(0.02));
    }

    @Test
    void withoutNoiseTheClassesAreSeparable() {
        Dataset rows = Generator.classification(300, 5).noise(0).generate();
        double[] w = new double[5];
        int mistakes = 1;
        for (int pass = 0; pass < 10_000 && mistakes > 0; pass++) {
            mistakes = 0;
            for (int i = 0; i < rows.rows(); i++) {
                if (rows.label(i) * rows.dot(i, w) <= 0) {
                    rows.addTo(i, rows.label(i), w);
                    mistakes++;
                }
            }
        }
        assertThat(mistakes)
                .as("the perceptron stops iff a separating plane exists")
                .isZero();
    }

    @Test
    void noiseFlipsItsShareOfTheLabels() {
        Generator settings = Generator.classification(20_000, 5);
        double[] clean = settings.noise(0).generate().labels();
        double[] noisy = settings.noise(0.2).generate().labels();
        int flipped = 0;
        for (int i = 0; i < clean.length; i++) {
            flipped += clean[i] == noisy[i] ? 0 : 1;
        }
        assertThat(flipped / 20_000.0).isCloseTo(0.2, within(0.012));
    }

    static Object[][] wrong() {
        Generator good = Generator.classification(1, 1);
        return new Object[][] {
            {(Runnable) () -> Generator.classification(0, 1), "rows 0; must be at least 1"},
            {(Runnable) () -> Generator.classification(1, -2), "features -2; must be at least 1"},
            {(Runnable) () -> good.density(0), "density 0.0; must be above 0 and at most 1"},
            {(Runnable) () -> good.density(1.5), "density 1.5; must be above 0 and at most 1"},
            {(Runnable) () -> good.conditioning(0.5), "conditioning 0.5; must be between 1 and 1e30"},
            {(Runnable) () -> good.noise(0.6), "noise 0.6; must be a probability of at most 0.5"},
            {(Runnable) () -> Generator.regression(1, 1).noise(-1), "noise -1.0; must be zero or positive"},
            {(Runnable) () -> good.noise(Double.NaN), "noise NaN; must be a probability of at most 0.5"}
        };
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void refusesInvalidSettings(Runnable attempt, String message) {
        assertThatThrownBy(attempt::run)
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage(message);
    }
}
