package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.NegativeBinomial;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Setting;
import org.junit.jupiter.api.Test;

class SizeSearchTest {

    private static LinearModel fitted(Dataset rows, double size) {
        return Trainer.of(new NegativeBinomial(size))
                .lambda(0)
                .gap(1e-12)
                .intercept(true)
                .nodes(1)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(rows)
                .model();
    }

    private static double likelihood(Dataset rows, double size) {
        return GlmTable.of(fitted(rows, size), 0.95).logLik().value();
    }

    /** R's glm.nb stops at 1.2748926451. */
    @Test
    void theSizeIsWhereTheLikelihoodIsGreatest() {
        Dataset rows = Golden.read("quine-nb-given").rows();
        SizeSearch found = SizeSearch.by(size -> fitted(rows, size));
        double size = found.size().value();
        assertThat(size).isCloseTo(1.274892645062285, within(1e-12));
        assertThat(found.size().error()).isLessThan(1e-10);
        double best = likelihood(rows, size);
        assertThat(likelihood(rows, size * 1.001)).isLessThan(best);
        assertThat(likelihood(rows, size * 0.999)).isLessThan(best);
        // The curvature of the profile by differences; the standard error leaves the coefficients where they are.
        double step = 0.01;
        double curvature = -(likelihood(rows, size + step) - 2 * best + likelihood(rows, size - step)) / (step * step);
        assertThat(found.standardError().value()).isCloseTo(1 / Math.sqrt(curvature), within(0.01));
    }

    @Test
    void countsThatVaryLittleHaveNoSize() {
        double[] labels = new double[40];
        double[] values = new double[40];
        for (int k = 0; k < labels.length; k++) {
            labels[k] = 5 + k % 2;
            values[k] = k % 3;
        }
        Dataset rows = Dataset.dense(1, values, labels).withNames(java.util.List.of("x"));
        assertThatThrownBy(() -> SizeSearch.by(size -> fitted(rows, size)))
                .hasMessageContaining("use the family poisson");
    }
}
