package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.keys.Fingerprint;
import dev.starling.support.Fixtures;
import dev.starling.support.SharedData;
import dev.starling.support.Stored;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandardizerTest {

    private static final Dataset SMALL =
            Dataset.dense(3, new float[] {1, 5, 0, 3, 5, 0, 5, 5, 6}, new double[] {10, 20, 60});

    @Test
    void subtractsTheMeanAndDividesByThePopulationDeviation() {
        Dataset result = Standardizer.centred(Moments.of(SMALL)).apply(SMALL);
        float a = (float) Math.sqrt(1.5);
        float b = (float) Math.sqrt(0.5);
        float c = (float) Math.sqrt(2);
        assertThat(Stored.values(result)).containsExactly(new double[] {-a, 0, -b, 0, 0, -b, a, 0, c}, within(1e-7));
        assertThat(result.labels()).isEqualTo(SMALL.labels());
    }

    @Test
    void standardisesTheTargetOnlyWhenAsked() {
        Dataset result = Standardizer.centred(Moments.of(SMALL)).withTarget().apply(SMALL);
        double deviation = Math.sqrt(1400.0 / 3);
        assertThat(result.labels())
                .containsExactly(new double[] {-20 / deviation, -10 / deviation, 30 / deviation}, within(1e-15));
    }

    @Test
    void aConstantFeatureBecomesZeroDespiteRounding() {
        float[] values = new float[1000];
        Arrays.fill(values, 0.1f);
        Dataset rows = Dataset.dense(1, values, new double[1000]);
        Moments moments = Moments.of(rows);
        assertThat(moments.deviation(0)).isZero();
        assertThat(Stored.values(Standardizer.centred(moments).apply(rows))).containsOnly(0);
    }

    @Test
    void scalingKeepsZerosAndLayoutAndConstants() {
        Dataset sparse = SMALL.laidOut(false);
        Dataset result = Standardizer.scaled(Moments.of(sparse)).apply(sparse);
        assertThat(result.isDense()).isFalse();
        assertThat(Stored.columns(result)).isEqualTo(Stored.columns(sparse));
        float unit = (float) (1 / Math.sqrt(8.0 / 3));
        assertThat(Stored.values(result))
                .containsExactly(
                        new double[] {unit, 5, 3 * unit, 5, 5 * unit, 5, (float) (6 / Math.sqrt(8))}, within(1e-6));
        Dataset dense = Standardizer.scaled(Moments.of(SMALL)).apply(SMALL);
        assertThat(dense.isDense()).isTrue();
        assertThat(Fingerprint.of(dense)).isEqualTo(Fingerprint.of(result));
    }

    @Test
    void momentsAreTheSameBitsInEitherLayout() {
        Dataset rows = Generator.regression(500, 7).density(0.6).generate();
        Moments dense = Moments.of(rows.laidOut(true));
        Moments sparse = Moments.of(rows.laidOut(false));
        for (int c = 0; c < 7; c++) {
            assertThat(dense.mean(c)).isEqualTo(sparse.mean(c));
            assertThat(dense.deviation(c)).isCloseTo(sparse.deviation(c), within(1e-15));
        }
    }

    @Test
    void sumsOfPartsGiveTheMomentsOfTheWhole() {
        Dataset rows = Generator.regression(1000, 6).generate();
        double[] sums = added(Moments.sums(rows.dealt(0, 2)), Moments.sums(rows.dealt(1, 2)));
        double[] means = Moments.means(sums);
        double[] squares = added(Moments.squares(rows.dealt(0, 2), means), Moments.squares(rows.dealt(1, 2), means));
        Moments merged = Moments.of((long) sums[0], means, squares);
        Moments whole = Moments.of(rows);
        assertThat(sums[0]).isEqualTo(1000);
        for (int c = 0; c < 6; c++) {
            assertThat(merged.mean(c)).isCloseTo(whole.mean(c), within(1e-15));
            assertThat(merged.deviation(c)).isCloseTo(whole.deviation(c), within(1e-15));
        }
        assertThat(merged.targetDeviation()).isCloseTo(whole.targetDeviation(), within(1e-15));
    }

    private static double[] added(double[] one, double[] other) {
        double[] both = new double[one.length];
        Arrays.setAll(both, k -> one[k] + other[k]);
        return both;
    }

    /** One row in a million that differs in its last bit is no constant. */
    @Test
    void aFeatureIsConstantOnlyIfAllValuesAreEqual() {
        float[] values = new float[1_000_000];
        Arrays.fill(values, 0.1f);
        values[777] = Math.nextUp(0.1f);
        assertThat(Moments.of(Dataset.dense(1, values, new double[values.length]))
                        .deviation(0))
                .isPositive();
    }

    @Test
    void theDeviationOfAFeatureFarFromZeroIsAccurate() {
        Random random = new Random(3);
        float[] values = new float[5000];
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal squares = BigDecimal.ZERO;
        for (int i = 0; i < values.length; i++) {
            values[i] = 1e7f + random.nextInt(3);
            BigDecimal exact = new BigDecimal(values[i]);
            sum = sum.add(exact);
            squares = squares.add(exact.multiply(exact));
        }
        BigDecimal n = BigDecimal.valueOf(values.length);
        double expected = n.multiply(squares)
                .subtract(sum.multiply(sum))
                .sqrt(new MathContext(40))
                .divide(n, new MathContext(40))
                .doubleValue();
        Moments moments = Moments.of(Dataset.dense(1, values, new double[5000]));
        assertThat(moments.deviation(0)).isCloseTo(expected, within(1e-14));
    }

    @Test
    void aModelOfStandardisedRowsPredictsTheSameOnRawRows() {
        Dataset rows = Generator.regression(200, 4).conditioning(50).generate();
        for (Standardizer standardizer : new Standardizer[] {
            Standardizer.centred(Moments.of(rows)),
            Standardizer.scaled(Moments.of(rows)),
            Standardizer.centred(Moments.of(rows)).withTarget(),
            Standardizer.scaled(Moments.of(rows)).withTarget()
        }) {
            double[] w = {1, -2, 3, 0.5};
            Dataset standardised = standardizer.apply(rows);
            Standardizer.RawModel raw = standardizer.toRaw(w, 0.25);
            for (int i = 0; i < rows.rows(); i++) {
                double residual = standardised.dot(i, w) + 0.25 - standardised.label(i);
                double rawResidual = rows.dot(i, raw.weights()) + raw.intercept() - rows.label(i);
                double unit = standardised.labels() == rows.labels()
                        ? 1
                        : Moments.of(rows).targetDeviation();
                assertThat(rawResidual).isCloseTo(unit * residual, within(1e-5));
            }
        }
    }

    @Test
    void weightsOfRowsAreKept() {
        Dataset weighted = SMALL.withWeights(new double[] {1, 2, 3});
        assertThat(Standardizer.centred(Moments.of(weighted)).apply(weighted).weight(2))
                .isEqualTo(3);
    }

    @Test
    void refusesRowsWithAnotherNumberOfFeatures() {
        Standardizer standardizer = Standardizer.centred(Moments.of(SMALL));
        assertThatThrownBy(() -> standardizer.apply(SMALL.withFeatures(4)))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("4 features; standardisation was measured on 3");
        assertThatThrownBy(() -> standardizer.toRaw(new double[2], 0))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("2 weights; standardisation was measured on 3");
    }

    /** Ridge regression solved exactly on standardised rows must reach the objective found elsewhere. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-2, 1e-4})
    void ridgeOnStandardisedRowsReachesTheKnownOptimum(double lambda) {
        assertRidgeReaches(Fixtures.read("houses"), lambda, Fixtures.optimum("houses", "squared", lambda));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cadata", "cpusmall", "abalone", "space_ga"})
    void ridgeOnRealRowsReachesTheReferenceOptimum(String name) {
        assertRidgeReaches(SharedData.read(name + ".gz"), 1e-4, SharedData.optimum(name, "squared", 1e-4));
    }

    private static void assertRidgeReaches(Dataset raw, double lambda, double optimum) {
        Dataset rows = Standardizer.centred(Moments.of(raw)).withTarget().apply(raw);
        assertThat(ridge(rows, lambda)).isCloseTo(optimum, within(1e-8));
    }

    private static double ridge(Dataset rows, double lambda) {
        int d = rows.features();
        int n = rows.rows();
        DMatrixRMaj gram = new DMatrixRMaj(d, d);
        DMatrixRMaj right = new DMatrixRMaj(d, 1);
        for (int i = 0; i < n; i++) {
            double[] x = new double[d];
            rows.addTo(i, 1, x);
            for (int a = 0; a < d; a++) {
                right.data[a] += x[a] * rows.label(i) / n;
                for (int b = 0; b < d; b++) {
                    gram.add(a, b, x[a] * x[b] / n);
                }
            }
        }
        for (int a = 0; a < d; a++) {
            gram.add(a, a, lambda);
        }
        DMatrixRMaj w = new DMatrixRMaj(d, 1);
        assertThat(CommonOps_DDRM.solve(gram, right, w)).isTrue();
        double loss = 0;
        for (int i = 0; i < n; i++) {
            double residual = rows.dot(i, w.data) - rows.label(i);
            loss += residual * residual / 2;
        }
        double norm = 0;
        for (double weight : w.data) {
            norm += weight * weight;
        }
        return loss / n + lambda / 2 * norm;
    }
}
