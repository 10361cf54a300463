package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirthTest {

    @Test
    void estimatesAreThoseOfFiftyDigits() {
        Golden golden = Golden.read("birthwt-firth");
        GlmTable table = GlmTable.of(Firth.fit(golden.rows(), true), 0.95);
        double[] estimates = golden.vector("coefficients");
        double[] errors = golden.vector("se");
        for (int k = 0; k < estimates.length; k++) {
            Coefficient line = table.coefficients().get(k);
            assertThat(line.estimate().value())
                    .isCloseTo(estimates[k], within(line.estimate().error()));
            assertThat(line.se().value()).isCloseTo(errors[k], within(line.se().error()));
            assertThat(line.estimate().error()).isLessThan(1e-10 * errors[k]);
        }
        assertThat(table.deviance().value())
                .isCloseTo(golden.number("deviance"), within(table.deviance().error()));
        assertThat(table.deviance().error()).isLessThan(1e-9);
    }

    /** With one group of a successes and b failures, the estimate is ln (a + ½)/(b + ½). */
    @Test
    void theInterceptAloneHasAClosedFormEvenWithoutFailures() {
        for (int failures : new int[] {0, 1, 4}) {
            double[] labels = new double[10];
            for (int k = failures; k < labels.length; k++) {
                labels[k] = 1;
            }
            Dataset rows = Dataset.dense(0, new double[0], labels);
            LinearModel model = Firth.fit(rows, true);
            assertThat(model.intercept(0)).isCloseTo(Math.log((10 - failures + 0.5) / (failures + 0.5)), within(1e-12));
        }
    }

    @Test
    void separatedClassesHaveAnEstimate() {
        Dataset rows = Dataset.dense(1, new double[] {1, 2, 3, 4, 5, 6}, new double[] {0, 0, 0, 1, 1, 1})
                .withNames(List.of("x"));
        GlmTable table = GlmTable.of(Firth.fit(rows, true), 0.95);
        assertThat(table.coefficients().get(1).estimate().value()).isBetween(0.1, 10.0);
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 6, 10", "7, 7, 7, 7"})
    void refusesColumnsThatOthersOrTheInterceptDetermineByName(double a, double b, double c, double d) {
        Dataset rows = Dataset.dense(2, new double[] {1, a, 2, b, 3, c, 5, d}, new double[] {0, 1, 0, 1})
                .withNames(List.of("x", "z"));
        assertThatThrownBy(() -> Firth.fit(rows, true)).hasMessageContaining("determine z, which has no estimate");
    }
}
