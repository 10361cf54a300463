package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The bound that a certificate states is at most the optimum, in 100 digits, however much of both is rounding. */
class StatedBoundTest {

    private static final MathContext DIGITS = new MathContext(100);
    private static final BigDecimal TWO = new BigDecimal(2);

    /** Targets that are met to a part of their size, from rows with offsets and units of many sizes. */
    private static Dataset rows(Random random) {
        int features = 1 + random.nextInt(4);
        double[][] x = new double[features + 3 + random.nextInt(30)][features];
        double[] y = new double[x.length];
        double noise = random.nextInt(4) == 0 ? 0 : Math.pow(10, -13 + 8 * random.nextDouble());
        double[] units = random.doubles(features, -2, 2)
                .map(exponent -> Math.pow(10, exponent))
                .toArray();
        double[] origins = random.doubles(features, -9, 9).toArray();
        for (int i = 0; i < x.length; i++) {
            y[i] = 0.5 + noise * random.nextGaussian();
            for (int c = 0; c < features; c++) {
                x[i][c] = units[c] * (origins[c] + random.nextGaussian());
                y[i] += (c % 2 == 0 ? 1 : -1) * x[i][c] / units[c];
            }
        }
        return Dataset.of(x, y);
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void leastSquaresThatMeetTheirTargetsNearlyHaveNoBoundAboveTheOptimum(Scaling scaling) {
        int beforeRounding = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Dataset rows = rows(random);
            double lambda = random.nextInt(3) == 0 ? 0 : Math.pow(10, -28 + 24 * random.nextDouble());
            Fit fit = Trainer.of(Losses.named("squared"))
                    .lambda(lambda)
                    .intercept(true)
                    .scaling(scaling)
                    .gap(1e-6)
                    .maxEpochs(200)
                    .nodes(1 + random.nextInt(2))
                    .runner(new Simulator())
                    .fit(rows);
            // Without a penalty, scaling does not change the best model, and nothing is scaled.
            BigDecimal optimum = optimum(rows, lambda, lambda == 0 ? Scaling.NONE : scaling);
            Certificate certificate = fit.certificate();
            assertThat(new BigDecimal(certificate.bound()))
                    .as("seed %d, lambda %s, %s", seed, lambda, fit)
                    .isLessThanOrEqualTo(optimum);
            assertThat(certificate.bound()).isLessThanOrEqualTo(certificate.objective());
            beforeRounding += new BigDecimal(certificate.dual() - certificate.error()).compareTo(optimum) > 0 ? 1 : 0;
        }
        // Otherwise nothing was tried.
        assertThat(beforeRounding).isGreaterThan(5);
    }

    /** Nor do models of well-behaved rows: their bound is off by a few roundings, not by more. */
    @Test
    void theBoundOfOrdinaryRowsIsCloseToTheDualValue() {
        Random random = new Random(7);
        double[][] x = new double[200][3];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], c -> random.nextGaussian());
            y[i] = x[i][0] - x[i][1] + random.nextGaussian();
        }
        Dataset rows = Dataset.of(x, y);
        for (Scaling scaling : Scaling.values()) {
            Certificate certificate = Trainer.of(Losses.named("squared"))
                    .lambda(1e-3)
                    .intercept(true)
                    .scaling(scaling)
                    .gap(1e-12)
                    .runner(new Simulator())
                    .fit(rows)
                    .certificate();
            assertThat(new BigDecimal(certificate.bound())).isLessThanOrEqualTo(optimum(rows, 1e-3, scaling));
            assertThat(certificate.bound()).isGreaterThan(certificate.dual() - 1e-12 * certificate.objective());
        }
    }

    /** Slopes of counts have no bound, so what rounding of scaled rows does to their losses follows from none. */
    @ParameterizedTest
    @CsvSource({"poisson, SCALE", "poisson, STANDARDIZE", "gamma, SCALE", "gamma, STANDARDIZE"})
    void countsAndDurationsOfScaledRowsAreCertified(String loss, Scaling scaling) {
        Random random = new Random(3);
        double[][] x = new double[100][2];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = new double[] {random.nextGaussian(), 30 + random.nextGaussian()};
            y[i] = 1 + random.nextInt(5);
        }
        Fit fit = Trainer.of(Losses.named(loss))
                .lambda(1e-3)
                .intercept(true)
                .scaling(scaling)
                .runner(new Simulator())
                .fit(Dataset.of(x, y));
        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.certificate().bound()).isGreaterThan(fit.objective() * (1 - 2e-6));
    }

    /** The least mean of half the squared residuals + (λ/2)‖θ‖², as training scales rows and target. */
    private static BigDecimal optimum(Dataset rows, double lambda, Scaling scaling) {
        int d = rows.features();
        int n = rows.rows();
        BigDecimal[][] columns = new BigDecimal[d + 2][n];
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < d; c++) {
                columns[c][i] = new BigDecimal(rows.values(i).at(rows.start(i) + c));
            }
            columns[d][i] = BigDecimal.ONE;
            columns[d + 1][i] = new BigDecimal(rows.label(i));
        }
        BigDecimal[][] lines = new BigDecimal[d + 1][d + 2];
        for (int a = 0; a <= d; a++) {
            for (int b = 0; b < d + 2; b++) {
                lines[a][b] = product(columns[a], columns[b]);
            }
            if (a < d) {
                BigDecimal square = scaling == Scaling.NONE ? BigDecimal.ONE : variance(columns[a]);
                lines[a][a] = lines[a][a].add(square.multiply(new BigDecimal(lambda)));
            }
        }
        BigDecimal[] theta = solved(lines);
        BigDecimal penalty = BigDecimal.ZERO;
        BigDecimal[] residuals = columns[d + 1].clone();
        for (int c = 0; c <= d; c++) {
            for (int i = 0; i < n; i++) {
                residuals[i] = residuals[i].subtract(columns[c][i].multiply(theta[c]));
            }
            if (c < d) {
                BigDecimal square = scaling == Scaling.NONE ? BigDecimal.ONE : variance(columns[c]);
                penalty = penalty.add(square.multiply(theta[c]).multiply(theta[c]));
            }
        }
        BigDecimal value = product(residuals, residuals)
                .add(penalty.multiply(new BigDecimal(lambda)))
                .divide(TWO, DIGITS);
        return scaling == Scaling.STANDARDIZE ? value.divide(variance(columns[d + 1]), DIGITS) : value;
    }

    private static BigDecimal product(BigDecimal[] one, BigDecimal[] other) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < one.length; i++) {
            sum = sum.add(one[i].multiply(other[i]));
        }
        return sum.divide(new BigDecimal(one.length), DIGITS);
    }

    private static BigDecimal variance(BigDecimal[] column) {
        BigDecimal sum = Arrays.stream(column).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal mean = sum.divide(new BigDecimal(column.length), DIGITS);
        BigDecimal[] centred =
                Arrays.stream(column).map(value -> value.subtract(mean)).toArray(BigDecimal[]::new);
        return product(centred, centred);
    }

    private static BigDecimal[] solved(BigDecimal[][] lines) {
        int d = lines.length;
        for (int k = 0; k < d; k++) {
            for (int a = 0; a < d; a++) {
                BigDecimal factor = a == k ? BigDecimal.ZERO : lines[a][k].divide(lines[k][k], DIGITS);
                for (int b = k; b <= d && a != k; b++) {
                    lines[a][b] = lines[a][b].subtract(factor.multiply(lines[k][b], DIGITS), DIGITS);
                }
            }
        }
        BigDecimal[] theta = new BigDecimal[d];
        Arrays.setAll(theta, k -> lines[k][d].divide(lines[k][k], DIGITS));
        return theta;
    }
}
