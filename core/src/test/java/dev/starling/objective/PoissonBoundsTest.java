package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Exact;
import dev.starling.loss.Poisson;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the sums of a pass over counts say about their own rounding, beside the same sums in 50 digits. The loss has no
 * bound on its curvature, so these bounds rest on how fast the curvature changes.
 */
class PoissonBoundsTest {

    private static final MathContext DIGITS = Exact.DIGITS;
    private static final int FEATURES = 4;
    private static final int ROWS = 60;

    /** The exact sums at a point, and the slopes as they are computed. */
    private static final class Truth {

        private BigDecimal value = BigDecimal.ZERO;
        private BigDecimal missed = BigDecimal.ZERO;
        private BigDecimal distances = BigDecimal.ZERO;
        private final BigDecimal[] ofSlopes = zeros();
        private final BigDecimal[] gradient = zeros();

        Truth(Dataset data, double[] theta) {
            Poisson loss = new Poisson();
            for (int i = 0; i < data.rows(); i++) {
                double[] x = new double[FEATURES];
                data.addTo(i, 1, x);
                BigDecimal margin = Exact.of(data.offset(i));
                for (int c = 0; c < FEATURES; c++) {
                    margin = margin.add(Exact.of(x[c]).multiply(Exact.of(theta[c])));
                }
                double rounded = data.dot(i, theta) + data.offset(i);
                double slope = data.weight(i) * loss.derivative(rounded, data.label(i));
                add(data.weight(i), Exact.of(data.label(i)), margin, slope, x);
                distances = distances.add(margin.subtract(Exact.of(rounded)).abs());
            }
        }

        private void add(double weight, BigDecimal y, BigDecimal margin, double slope, double[] x) {
            BigDecimal w = Exact.of(weight);
            BigDecimal mean = Exact.exp(margin);
            boolean none = y.signum() == 0;
            BigDecimal loss = none ? mean : mean.subtract(y).subtract(y.multiply(margin.subtract(Exact.log(y))));
            BigDecimal s = Exact.of(slope).divide(w, DIGITS);
            BigDecimal mu = y.add(s);
            BigDecimal conjugate = mu.signum() == 0 ? BigDecimal.ZERO : mu.multiply(Exact.log(mu));
            conjugate = conjugate.subtract(s).subtract(none ? BigDecimal.ZERO : y.multiply(Exact.log(y)));
            value = value.add(w.multiply(loss));
            missed = missed.add(w.multiply(loss.add(conjugate).subtract(s.multiply(margin)), DIGITS));
            for (int c = 0; c < FEATURES; c++) {
                ofSlopes[c] = ofSlopes[c].add(Exact.of(slope).multiply(Exact.of(x[c])));
                gradient[c] = gradient[c].add(w.multiply(mean.subtract(y)).multiply(Exact.of(x[c])));
            }
        }

        private static BigDecimal[] zeros() {
            BigDecimal[] zeros = new BigDecimal[FEATURES];
            Arrays.fill(zeros, BigDecimal.ZERO);
            return zeros;
        }
    }

    private static Dataset rows(int seed, boolean dense, double largest) {
        Random random = new Random(seed);
        double[][] x = new double[ROWS][FEATURES];
        double[] counts = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            Arrays.setAll(x[i], c -> random.nextInt(3) == 0 ? 0 : (float) (2 * random.nextGaussian()));
            counts[i] = i % 5 == 0 ? 0 : Math.rint(Math.pow(largest, random.nextDouble()));
        }
        return Dataset.of(x, counts)
                .laidOut(dense)
                .withWeights(random.doubles(ROWS, 0.1, 3).toArray())
                .withOffsets(random.doubles(ROWS, -1, 1).toArray());
    }

    private static double distance(BigDecimal[] exact, double[] sums, double[] scales) {
        double squares = 0;
        for (int c = 0; c < FEATURES; c++) {
            double off = scales[c]
                    * Exact.of(sums[PassLayout.GRADIENT + c]).subtract(exact[c]).doubleValue();
            squares += off * off;
        }
        return Math.sqrt(squares);
    }

    @ParameterizedTest
    @CsvSource({"1,true,20,1", "2,false,20,3", "3,true,2e7,0.3", "4,false,2e7,5", "5,true,1000,8", "6,false,5,1e-9"})
    void boundsCoverWhatRoundingDid(int seed, boolean dense, double largest, double size) {
        Dataset data = rows(seed, dense, largest);
        double[] theta = new Random(seed).doubles(FEATURES, -size, size).toArray();
        LocalProblem problem = LocalProblem.of(data, new Poisson(), 0);
        PassLayout layout = new PassLayout(FEATURES, false);
        Term term = Family.of(new Poisson()).term(problem, layout, 1);
        Truth truth = new Truth(data, theta);
        double[] sums = new double[layout.length(PassSums.GRADIENT)];
        double[] ones = {1, 1, 1, 1};
        for (boolean tight : new boolean[] {false, true}) {
            term.sum(PassSums.GRADIENT, theta, 1, tight, sums);

            double loss = sums[PassLayout.LOSS];
            double tooSmall = truth.value.subtract(Exact.of(loss)).doubleValue();
            assertThat(sums[PassLayout.ERROR]).isPositive().isLessThan(Double.POSITIVE_INFINITY);
            assertThat(tooSmall)
                    .isLessThanOrEqualTo(sums[PassLayout.ERROR] + Term.VALUE_OPERATIONS * Rounding.UNIT * loss);
            assertThat(truth.missed.doubleValue())
                    .isLessThanOrEqualTo(sums[PassLayout.SLACK] + Term.SLOPE_OPERATIONS * Rounding.UNIT * loss);
            assertThat(distance(truth.ofSlopes, sums, ones)).isLessThanOrEqualTo(sums[PassLayout.SPREAD]);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,true,20,1", "2,false,20,3", "3,true,2e7,0.3", "4,false,2e7,5", "5,true,3,8"})
    void boundsOfAProofCoverWhatRoundingDid(int seed, boolean dense, double largest, double size) {
        Dataset data = rows(seed, dense, largest);
        double[] theta = new Random(seed).doubles(FEATURES, -size, size).toArray();
        PassLayout layout = new PassLayout(FEATURES, false);
        Term term = Family.of(new Poisson()).term(LocalProblem.of(data, new Poisson(), 0), layout, 1);
        double[] scales = {0.5, 2, 0.25, 1};
        double[] identity = new double[FEATURES * FEATURES];
        for (int c = 0; c < FEATURES; c++) {
            identity[c * FEATURES + c] = 1;
        }
        Truth truth = new Truth(data, theta);
        double[] sums = new double[layout.length(PassSums.PROOF)];

        term.prove(theta, new ProofBasis(identity, scales, 3, 10, true, 0), sums);

        int proof = layout.proof();
        assertThat(truth.value.subtract(Exact.of(sums[PassLayout.LOSS])).doubleValue())
                .isLessThanOrEqualTo(
                        sums[PassLayout.ERROR] + Term.VALUE_OPERATIONS * Rounding.UNIT * sums[PassLayout.LOSS]);
        assertThat(truth.distances.doubleValue()).isLessThanOrEqualTo(sums[proof + PassLayout.DISTANCES]);
        // Errors of slopes come through rows of the length √(wℓ'')‖x/scale‖.
        double length = 0;
        for (int i = 0; i < data.rows(); i++) {
            double[] x = new double[FEATURES];
            data.addTo(i, 1, x);
            double mean = Math.exp(data.dot(i, theta) + data.offset(i));
            for (int c = 0; c < FEATURES; c++) {
                length += data.weight(i) * mean * x[c] * x[c] * scales[c] * scales[c];
            }
        }
        double ofSlopes = Rounding.UNIT * Math.sqrt(sums[proof + PassLayout.SQUARED_ERROR] * length);
        assertThat(distance(truth.gradient, sums, scales))
                .isLessThanOrEqualTo(sums[proof + PassLayout.SCALED_ERROR] + ofSlopes);
    }
}
