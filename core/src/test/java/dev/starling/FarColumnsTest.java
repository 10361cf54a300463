package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.starling.data.Dataset;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Logistic;
import dev.starling.loss.Squared;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Setting;
import dev.starling.support.Stored;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Beside a free intercept, columns far from zero (dates as numbers, Unix time, identifiers) train like any others. */
class FarColumnsTest {

    private static final MathContext DIGITS = new MathContext(60);

    private static Dataset line(double origin, double step, int rows) {
        Random random = new Random(7);
        double[][] x = new double[rows][1];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            x[i][0] = origin + step * i;
            y[i] = 2.5 * step * i + random.nextGaussian();
        }
        return Dataset.of(x, y);
    }

    /** The slope of least squares, in 60 digits. */
    private static double slope(Dataset rows) {
        BigDecimal n = BigDecimal.valueOf(rows.rows());
        BigDecimal x = BigDecimal.ZERO;
        BigDecimal y = BigDecimal.ZERO;
        BigDecimal xx = BigDecimal.ZERO;
        BigDecimal xy = BigDecimal.ZERO;
        for (int i = 0; i < rows.rows(); i++) {
            BigDecimal a = new BigDecimal(Stored.value(rows, i, 0));
            BigDecimal b = new BigDecimal(rows.label(i));
            x = x.add(a);
            y = y.add(b);
            xx = xx.add(a.multiply(a));
            xy = xy.add(a.multiply(b));
        }
        return n.multiply(xy)
                .subtract(x.multiply(y))
                .divide(n.multiply(xx).subtract(x.multiply(x)), DIGITS)
                .doubleValue();
    }

    @ParameterizedTest
    @CsvSource({"4000000, 1, 30", "20240201, 1, 28", "16777216, 1, 9", "1700000000, 3, 200", "987654321012, 0.25, 50"})
    void withoutRegularisationTheSlopeIsThatOfExactLeastSquares(double origin, double step, int rows) {
        Dataset data = line(origin, step, rows);
        for (int nodes : new int[] {1, 3}) {
            Fit fit = trained(data, 0, nodes);
            assertThat(fit.model().weights(0)[0]).isCloseTo(slope(data), within(1e-11));
            assertThat(fit.isCertified()).isTrue();
        }
    }

    /** The squares of what tells rows apart are tiny beside those of the values, and must not be lost in a sum. */
    @ParameterizedTest
    @CsvSource({
        "1e9, gaussian", "1e12, gaussian", "1e15, gaussian", "-3e15, gaussian", "1e12, logistic", "1e15, logistic",
        "1e9, poisson", "1e15, poisson", "1e12, gamma", "1e12, tweedie(1.5)", "1e9, inverse-gaussian", "1e12, cloglog"
    })
    void anySlopeAndItsStandardErrorAreThoseOfTheColumnNearZero(double origin, String family) {
        Dataset near = line(0, 2, 40);
        Dataset far = line(origin, 2, 40);
        double[] labels = new double[40];
        Arrays.setAll(labels, i -> switch (family) {
            case "gaussian" -> 5 * i + i * 7 % 40;
            case "logistic", "cloglog" -> i * 7 % 40 > 20 - i / 4 ? 1 : family.equals("logistic") ? -1 : 0;
            default -> 1 + i * 7 % (2 + i);
        });
        near = near.withLabels(labels);
        far = far.withLabels(labels);
        for (int nodes : new int[] {1, 3}) {
            Fit here = unpenalised(near, family, nodes);
            Fit there = unpenalised(far, family, nodes);
            assertThat(there.model().weights(0)[0]).isCloseTo(here.model().weights(0)[0], withinPercentage(1e-9));
            assertThat(variance(there)).isCloseTo(variance(here), withinPercentage(1e-9));
        }
    }

    private static double variance(Fit fit) {
        return fit.model().inference().orElseThrow().covariance()[0];
    }

    private static Fit unpenalised(Dataset rows, String family, int nodes) {
        return Trainer.of(family.equals("cloglog") ? "binomial(cloglog)" : family)
                .lambda(0)
                .intercept(true)
                .nodes(nodes)
                .topology("complete")
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .runner(new Simulator())
                .fit(rows);
    }

    /** A penalty takes columns as they are, wherever they are. */
    @Test
    void countsWithAPenaltyAreCertifiedHoweverFarTheColumnIs() {
        double[] counts = new double[40];
        Arrays.setAll(counts, i -> i * 7 % (2 + i / 2));
        for (double origin : new double[] {0, 1.7e9, 1e12}) {
            Fit fit = Trainer.of("poisson")
                    .lambda(1e-4)
                    .intercept(true)
                    .runner(new Simulator())
                    .fit(line(origin, 2, 40).withLabels(counts));
            assertThat(fit.isCertified()).isTrue();
        }
    }

    @Test
    void orderedClassesTakeAColumnHoweverFarItIs() {
        double[] classes = new double[40];
        Arrays.setAll(classes, i -> Math.floorDiv(i * 7 % 40 + i, 27));
        Fit here = unpenalised(line(0, 2, 40).withLabels(classes), "ordinal", 1);
        Fit there = unpenalised(line(1e12, 2, 40).withLabels(classes), "ordinal", 1);
        assertThat(there.model().weights(0)[0]).isCloseTo(here.model().weights(0)[0], withinPercentage(1e-9));
        assertThat(there.isCertified()).isTrue();
    }

    /** No double holds the intercept to better than a unit, and the certificate knows. */
    @Test
    void aColumnTooFarForAnyInterceptIsNotCertified() {
        Dataset data = line(-3e15, 2, 40);
        Fit fit = trained(data, 0, 1);
        assertThat(fit.model().weights(0)[0]).isCloseTo(slope(data), within(1e-11));
        assertThat(fit.gap()).isGreaterThan(1e-3);
    }

    @Test
    void aRidgeIsCertifiedHoweverFarTheColumnIs() {
        assertThat(trained(line(1.7e9, 3, 200), 1e-6, 2).isCertified()).isTrue();
    }

    private static Fit trained(Dataset data, double lambda, int nodes) {
        return Trainer.of(new Squared())
                .lambda(lambda)
                .intercept(true)
                .nodes(nodes)
                .topology("complete")
                .runner(new Simulator())
                .fit(data);
    }

    @ParameterizedTest
    @CsvSource({"1e-3, 1", "0, 1", "0, 3"})
    void severalClassesTakeAColumnHoweverFarItIs(double lambda, int nodes) {
        Random random = new Random(5);
        double[][] near = new double[200][2];
        double[][] far = new double[200][2];
        double[] labels = new double[200];
        for (int i = 0; i < near.length; i++) {
            near[i] = new double[] {random.nextInt(64) / 16.0, random.nextInt(2)};
            far[i] = new double[] {near[i][0] + 0x1p30, near[i][1]};
            labels[i] = Math.min(2, (int) (near[i][0] / 2 + 2 * random.nextDouble()));
        }
        Trainer trainer = Trainer.logistic()
                .lambda(lambda)
                .gap(1e-10)
                .intercept(true)
                .nodes(nodes)
                .topology("complete")
                .runner(new Simulator());
        Fit there = trainer.fit(Dataset.of(far, labels));
        Fit here = trainer.fit(Dataset.of(near, labels));

        assertThat(there.isCertified()).isTrue();
        assertThat(there.model().loss()).isEqualTo("softmax");
        for (int k = 0; k < 3; k++) {
            assertThat(there.model().weights(k)).containsExactly(here.model().weights(k), within(1e-5));
        }
        // What rounding does to an intercept of 2^30 times a weight is counted.
        assertThat(there.certificate().error()).isGreaterThan(here.certificate().error());
    }

    /** A column that is moved together with the rows it stands in gives the same predictions. */
    @Test
    void movingAColumnFarAwayChangesNothingButTheIntercept() {
        Random random = new Random(3);
        double[][] near = new double[150][3];
        double[][] far = new double[150][3];
        double[] labels = new double[150];
        for (int i = 0; i < near.length; i++) {
            near[i] = new double[] {random.nextInt(2), random.nextInt(100) / 4.0, random.nextInt(2)};
            far[i] = new double[] {near[i][0], near[i][1] + 0x1p30, near[i][2]};
            labels[i] = random.nextDouble() < 1 / (1 + StrictMath.exp(8 - near[i][1] / 2)) ? 1 : -1;
        }
        for (boolean dense : new boolean[] {true, false}) {
            Trainer trainer = Trainer.of(new Logistic())
                    .lambda(1e-3)
                    .gap(1e-10)
                    .intercept(true)
                    .nodes(2)
                    .topology("complete")
                    .runner(new Simulator());
            Fit close = trainer.fit(Dataset.of(near, labels).laidOut(dense));
            Fit away = trainer.fit(Dataset.of(far, labels).laidOut(dense));
            assertThat(away.isCertified()).isTrue();
            assertThat(away.model().weights(0)).containsExactly(close.model().weights(0), within(1e-5));
            double moved = close.model().intercept(0) - 0x1p30 * away.model().weights(0)[1];
            assertThat(away.model().intercept(0)).isCloseTo(moved, within(1e-4));
        }
    }

    @Test
    void sparseRowsKeepTheirZerosInAllColumnsThatAreNotMoved() {
        double[][] x = {{0, 1e6, 0, 2}, {3, 1e6 + 1, 0, 0}, {0, 1e6 + 2, 5, 0}};
        Dataset rows = Dataset.of(x, new double[] {1, 2, 3}).laidOut(false);
        Moments moments = Moments.of(rows);
        Standardizer mover = Standardizer.identity(4).withFarFeaturesMoved(moments, false);

        Dataset moved = mover.apply(rows);

        assertThat(moved.isDense()).isFalse();
        assertThat(Stored.values(moved.laidOut(true)))
                .isEqualTo(Stored.values(mover.apply(rows.laidOut(true))))
                .containsExactly(0, -1, 0, 2, 3, 0, 0, 0, 0, 1, 5, 0);
        assertThat(moved.storedValues()).isLessThan(9);
    }

    @Test
    void ordinaryColumnsAreLeftAlone() {
        Dataset rows = Dataset.of(new double[][] {{1, 5}, {2, 6}, {3, 9}}, new double[] {1, 2, 3});
        assertThat(Standardizer.identity(2)
                        .withFarFeaturesMoved(Moments.of(rows), false)
                        .isIdentity())
                .isTrue();
    }
}
