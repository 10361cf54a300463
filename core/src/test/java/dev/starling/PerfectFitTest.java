package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import dev.starling.support.ExactObjective;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where targets can be met exactly, the gap is relative to what nine digits of them leave, not to next to nothing. */
class PerfectFitTest {

    private static Trainer trainer(String loss) {
        return Trainer.of(Losses.named(loss))
                .intercept(true)
                .nodes(2)
                .topology("line")
                .runner(new Simulator());
    }

    /** y = 2x₁ − 3x₂ + 1, times a factor, with an error of alternating sign. */
    private static Dataset plane(int rows, double factor, double error) {
        double[][] x = new double[rows][2];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            x[i] = new double[] {i * 0.3, (i * i) % 11 - 5};
            y[i] = factor * (2 * x[i][0] - 3 * x[i][1] + 1 + (i % 2 == 0 ? error : -error));
        }
        return Dataset.of(x, y);
    }

    @ParameterizedTest
    @CsvSource({"squared, NONE", "squared, SCALE", "squared, STANDARDIZE", "absolute, NONE", "absolute, STANDARDIZE"})
    void aConstantTargetIsMetByTheIntercept(String loss, Scaling scaling) {
        Dataset rows = plane(30, 1, 0);
        double[] fives = new double[rows.rows()];
        Arrays.fill(fives, 5);
        Fit fit = trainer(loss).lambda(1e-3).scaling(scaling).fit(rows.withLabels(fives));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.model().intercept(0)).isCloseTo(5, within(1e-9));
        assertThat(fit.epochs()).isLessThan(100);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1e-7, 0", "1e8, 0", "1, 1e-13", "1, 1e-12", "1, 1e-11", "1, 1e-9", "1, 1e-6"})
    void leastSquaresThatMeetTheirTargetsAreCertified(double factor, double error) {
        Dataset rows = plane(30, factor, error);
        Fit fit = trainer("squared").lambda(0).fit(rows);

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.epochs()).isLessThan(10);
        assertThat(fit.model().weights(0))
                .containsExactly(new double[] {2 * factor, -3 * factor}, within(factor * Math.max(1e-12, error)));
        BigDecimal objective =
                new ExactObjective(rows.withBias(1), "squared", 0, 0, 0).primal(Claim.withIntercept(fit));
        Certificate certificate = fit.certificate();
        // Nothing is below 0, so this holds of the distance from the optimum as well.
        if (error == 0) {
            assertThat(objective).isLessThanOrEqualTo(new BigDecimal(certificate.scale() * fit.gap()));
        }
        assertThat(certificate.scale()).isGreaterThanOrEqualTo(certificate.objective());
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared", "huber(1)", "absolute", "epsilon-insensitive(0.0)", "quantile(0.3)"})
    void oneRowWithAnInterceptIsMet(String loss) {
        Dataset row = Dataset.of(new double[][] {{2}}, new double[] {3.5});
        Fit fit = trainer(loss).nodes(1).lambda(1e-3).fit(row);

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        double[] theta = Claim.withIntercept(fit);
        assertThat(2 * theta[0] + theta[1]).isCloseTo(3.5, within(1e-9));
        assertThat(theta[0]).isCloseTo(0, within(1e-6));
    }

    @Test
    void anOrdinaryGapIsRelativeToTheObjective() {
        Certificate certificate =
                trainer("squared").lambda(1e-3).fit(plane(30, 1, 0.1)).certificate();
        assertThat(certificate.scale()).isEqualTo(certificate.objective());
    }

    /** Weights of 50,000 cancel each other in margins of 1, whose rounding would be more than all there is to prove. */
    @Test
    void nearlyDependentColumnsAreProvenInAFewPasses() {
        double[][] x = new double[200][2];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double a = Math.floorMod(i * 7919, 2003) / 1000.0 - 1;
            double z = Math.floorMod(i * 104729, 1999) / 1000.0 - 1;
            x[i] = new double[] {(float) a, (float) (a + 2e-5 * z)};
            y[i] = z;
        }
        Fit fit = trainer("squared").lambda(0).gap(1e-12).maxEpochs(20_000).fit(Dataset.of(x, y));
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.epochs()).isLessThan(10);
    }
}
