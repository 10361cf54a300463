package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.settings.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Least squares without regularisation have the certified estimates of NIST's Statistical Reference Datasets. */
class ReferenceDatasetsTest {

    /** The response of every row, its columns, and the certified estimates and deviations, the intercept first. */
    private record Reference(String name, boolean intercept, Dataset rows, double[] certified, double[] deviations) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<String> lines(String name) throws IOException {
        try (InputStream in = ReferenceDatasetsTest.class.getResourceAsStream("/nist/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    static Stream<Reference> references() throws IOException {
        List<Reference> found = new ArrayList<>();
        List<String> lines = lines("strd.txt");
        for (int at = 0; at < lines.size(); ) {
            String[] head = lines.get(at++).split(" ");
            double[] certified = numbers(lines.get(at++).substring("certified ".length()));
            double[] deviations = numbers(lines.get(at++).substring("deviations ".length()));
            List<double[]> columns = new ArrayList<>();
            List<Double> response = new ArrayList<>();
            for (; at < lines.size() && !lines.get(at).startsWith("set "); at++) {
                double[] row = numbers(lines.get(at));
                response.add(row[0]);
                columns.add(columns(Arrays.copyOfRange(row, 1, row.length), Integer.parseInt(head[3])));
            }
            double[] labels = response.stream().mapToDouble(Double::doubleValue).toArray();
            Dataset rows = Dataset.of(columns.toArray(double[][]::new), labels);
            found.add(new Reference(head[1], head[2].equals("1"), rows, certified, deviations));
        }
        return found.stream();
    }

    private static double[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    /** The powers of x, all of which are exact in doubles here. */
    private static double[] columns(double[] given, int degree) {
        double[] powers = new double[degree];
        for (int k = 0; k < degree; k++) {
            powers[k] = (k == 0 ? 1 : powers[k - 1]) * given[0];
        }
        return degree == 0 ? given : powers;
    }

    @ParameterizedTest
    @MethodSource("references")
    void estimatesAgreeToThirteenDigits(Reference reference) {
        Fit fit = Trainer.of(new Squared())
                .lambda(0)
                .intercept(reference.intercept)
                .fit(reference.rows);

        double[] weights = fit.model().weights(0);
        double[] found = reference.intercept
                ? DoubleStream.concat(DoubleStream.of(fit.model().intercept(0)), Arrays.stream(weights))
                        .toArray()
                : weights;
        assertThat(fit.model().provenance().exactness().aliased()).isEmpty();
        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        for (int k = 0; k < found.length; k++) {
            assertThat(Math.abs(found[k] / reference.certified[k] - 1))
                    .as("%s, estimate %d: %s", reference, k, found[k])
                    .isLessThan(1e-13);
        }
    }

    static Stream<Reference> withResiduals() throws IOException {
        return references().filter(reference -> reference.deviations[0] > 0);
    }

    static Stream<Arguments> withResidualsOnNodes() throws IOException {
        return withResiduals()
                .flatMap(reference -> Stream.of(1, 3)
                        .filter(nodes -> nodes == 1 || reference.rows.rows() > 10)
                        .map(nodes -> Arguments.of(reference, nodes)));
    }

    /** The columns of Longley nearly depend on each other, and the noise of Wampler5 is 20 million times its signal. */
    @ParameterizedTest
    @MethodSource("withResidualsOnNodes")
    void standardErrorsAgreeToThirteenDigitsAndTenAreProven(Reference reference, int nodes) {
        Inference found = Trainer.of(new Squared())
                .lambda(0)
                .nodes(nodes)
                .intercept(reference.intercept)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(reference.rows)
                .model()
                .inference()
                .orElseThrow();

        double dispersion = found.pearson() / found.degreesOfFreedom();
        int first = reference.intercept ? 1 : 0;
        int d = reference.deviations.length;
        for (int k = 0; k < d; k++) {
            int at = (k + d - first) % d;
            double error = Math.sqrt(dispersion * Inference.entry(found.covariance(), at, at));
            assertThat(Math.abs(error / reference.deviations[k] - 1))
                    .as("%s, standard error %d: %s", reference, k, error)
                    .isLessThan(1e-13)
                    .isLessThan(found.relativeErrors()[at] + found.pearsonError() / found.pearson() + 1e-14);
            assertThat(found.relativeErrors()[at] + found.pearsonError() / found.pearson() / 2)
                    .as("%s, what is proven of standard error %d", reference, k)
                    .isLessThan(5e-11);
            if (nodes == 1) {
                // What a node adds to a gradient that is nothing is rounded.
                assertThat(found.estimateErrors()[at])
                        .as("%s, what is proven of estimate %d", reference, k)
                        .isLessThan(5e-11 * Math.abs(reference.certified[k]));
            }
        }
    }

    @Test
    void allTenAreThere() throws IOException {
        assertThat(references()).hasSize(10);
    }

    /** The polynomial of degree 10 of Filip, on columns that some function of x and k makes. */
    private static Fit filip(DoubleBinaryOperator column) throws IOException {
        List<double[]> rows =
                lines("filip.txt").stream().map(ReferenceDatasetsTest::numbers).toList();
        double[][] columns = rows.stream()
                .map(row -> IntStream.rangeClosed(1, 10)
                        .mapToDouble(k -> column.applyAsDouble(row[1], k))
                        .toArray())
                .toArray(double[][]::new);
        double[] labels = rows.stream().mapToDouble(row -> row[0]).toArray();
        return Trainer.of(new Squared()).lambda(0).intercept(true).fit(Dataset.of(columns, labels));
    }

    /**
     * R's QR decomposition in doubles cannot: lm drops a power of x, without a word but for an estimate that is NA.
     * Told to keep it by a smaller tolerance, lm has seven digits.
     */
    @Test
    void powersThatNearlyDependOnEachOtherAreNotCertified() throws IOException {
        Fit fit = filip(StrictMath::pow);

        assertThat(fit.isCertified()).as(fit.toString()).isFalse();
        assertThat(fit.model().provenance().exactness().aliased()).isNotEmpty();
    }

    /** The same polynomial, as a sum of Chebyshev's. */
    @Test
    void aPolynomialInGoodColumnsIsCertified() throws IOException {
        Fit fit = filip((x, k) -> StrictMath.cos(k * StrictMath.acos((x + 5.96) / 2.83)));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(2 * 82 * fit.objective()).isCloseTo(0.795851382172941E-03, Percentage.withPercentage(1e-8));
    }
}
