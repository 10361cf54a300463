package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.data.Dataset;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of several classes against values with 20 digits, and against differences of their own values. */
class ClassTableTest {

    private static final double DIGITS = 1e-10;

    private static void compare(GlmTable table, double[] estimates, double[] errors, Golden golden) {
        for (int k = 0; k < estimates.length; k++) {
            Coefficient line = table.coefficients().get(k);
            assertThat(line.estimate().value())
                    .as(line.name())
                    .isCloseTo(estimates[k], offset(DIGITS * Math.abs(estimates[k])));
            assertThat(Math.abs(line.estimate().value() - estimates[k]))
                    .isLessThanOrEqualTo(line.estimate().error());
            assertThat(line.se().value()).isCloseTo(errors[k], offset(DIGITS * errors[k]));
            assertThat(Math.abs(line.se().value() - errors[k]))
                    .isLessThanOrEqualTo(line.se().error());
        }
        assertThat(table.deviance().value()).isCloseTo(golden.number("deviance"), offset(1e-8));
        assertThat(table.aic().value()).isCloseTo(golden.number("aic"), offset(1e-8));
        assertThat(table.standardErrors()).isLessThan(1e-8);
        assertThat(table.dfNull() - table.dfResidual())
                .as("coefficients beside the two intercepts of three classes")
                .isEqualTo(estimates.length - 2.0);
    }

    @ParameterizedTest
    @CsvSource({"birthwt-softmax, 3", "iris-softmax, 3"})
    void multinomialRegressionAgreesWithGoldenValuesToTenDigits(String name, int classes) {
        Golden golden = Golden.read(name);
        List<String> labels = List.of("0", "1", "2").subList(0, classes);

        ClassTable table = ClassTable.multinomial(golden.rowsWithoutOffsets(), labels, true, 0.95);

        compare(table.table(), golden.vector("coefficients"), golden.vector("se"), golden);
        assertThat(table.classes()).startsWith("1").endsWith(labels.get(classes - 1));
    }

    @Test
    void proportionalOddsAgreeWithGoldenValuesToTenDigits() {
        Golden golden = Golden.read("housing-polr");

        GlmTable table = ClassTable.ordinal(golden.rows(), List.of("Low", "Medium", "High"), 0.95)
                .table();

        double[] all = DoubleStream.concat(
                        DoubleStream.of(golden.vector("coefficients")), DoubleStream.of(golden.vector("zeta")))
                .toArray();
        compare(table, all, golden.vector("se"), golden);
        assertThat(table.coefficients()).extracting(Coefficient::name).endsWith("Low|Medium", "Medium|High");
    }

    @Test
    void separatedClassesHaveNoEstimate() {
        double[][] x = {{1, 0}, {2, 1}, {3, 0}, {4, 1}, {5, 0}, {6, 1}, {7, 1}, {8, 0}};
        Dataset data = Dataset.of(x, new double[] {0, 0, 1, 1, 1, 2, 2, 2}).withNames(List.of("dose", "sex"));

        assertThatRefused(() -> ClassTable.multinomial(data, List.of("a", "b", "c"), true, 0.95))
                .hasMessageContaining("no best model")
                .hasMessageContaining("dose");
        assertThatRefused(() -> ClassTable.ordinal(data, List.of("a", "b", "c"), 0.95))
                .hasMessageContaining("no best model")
                .hasMessageContaining("dose");
    }
}
