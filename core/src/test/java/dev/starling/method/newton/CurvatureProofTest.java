package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.internal.Cholesky;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What curvature proves, against what can be worked out with one, two or three features. */
class CurvatureProofTest {

    private static final int OVERFLOWS = 2;
    private static final Loss LOGISTIC = new Logistic();
    private static final Loss SQUARED = new Squared();

    /** The sums of a pass for a proof, made by hand. */
    private static final class Sums {
        private final PassLayout layout;
        private final double[] sums;

        Sums(int features, double weight) {
            layout = new PassLayout(features, false);
            sums = new double[layout.length(PassSums.PROOF)];
            sums[PassLayout.WEIGHT] = weight;
        }

        Sums with(int what, double value) {
            sums[layout.proof() + what] = value;
            return this;
        }

        /** Such that no row is longer than this in the norm of H⁻¹. */
        Sums longest(double length, ProofBasis basis) {
            return with(PassLayout.LEVERAGES, Math.pow(length * length / basis.unit(), 8));
        }

        CurvatureProof proof(
                Loss loss, ProofBasis basis, double[] hessian, double[] gradient, double shrinkage, long samples) {
            return CurvatureProof.of(layout, Smoothness.of(loss), basis, hessian, sums, gradient, shrinkage, samples);
        }
    }

    private static ProofBasis basis(double[] hessian, int d) {
        double[] factor = hessian.clone();
        Cholesky.factorise(factor, d);
        return ProofBasis.of(hessian, factor, new boolean[d], true, 0);
    }

    /** One feature, whose curvature is 4: ν = |g|/2. */
    private static CurvatureProof single(Loss loss, Sums sums, double gradient, double shrinkage, long samples) {
        double[] hessian = {4};
        return sums.proof(loss, basis(hessian, 1), hessian, new double[] {gradient}, shrinkage, samples);
    }

    @Test
    void provesTheDistanceFromTheMinimumOfAParabola() {
        CurvatureProof proof = single(SQUARED, new Sums(1, 10), 0.6, 0, 10);

        assertThat(proof.gap()).isCloseTo(0.045, within(1e-15));
        assertThat(proof.bound()).isBetween(0.045, 0.045 * (1 + 1e-11));
        assertThat(proof.distance()).isBetween(0.3, 0.3 * (1 + 1e-11));
    }

    /** H = CCᵀ with C = [2 0 0; 1 1 0; 3 −1 4]; C⁻¹(2, 2, 4) = (1, 1, 1/2). */
    @Test
    void provesTheDistanceFromTheMinimumOfAQuadraticForm() {
        double[] hessian = {4, 2, 6, 2, 2, 2, 6, 2, 26};

        CurvatureProof proof = new Sums(3, 1).proof(SQUARED, basis(hessian, 3), hessian, new double[] {2, 2, 4}, 0, 10);

        assertThat(proof.gap()).isCloseTo(1.125, within(1e-14));
        assertThat(proof.bound()).isBetween(1.125, 1.125 * (1 + 1e-10));
        assertThat(proof.distance()).isBetween(1.5, 1.5 * (1 + 1e-10));
    }

    /** Only its lower half is there to be read. */
    @Test
    void entriesOfLeftOutFeaturesAreIgnored() {
        double[] hessian = {4, 9, 9, 0, 0, 9, 6, 0, 25};
        double[] factor = {4, 0, 0, 0, 1, 0, 6, 0, 25};
        Cholesky.factorise(factor, 3);
        ProofBasis basis = ProofBasis.of(hessian, factor, new boolean[] {false, true, false}, true, 0);

        CurvatureProof proof = new Sums(3, 1).proof(SQUARED, basis, hessian, new double[] {2, 0, 7}, 0, 10);

        // C = [2 0; 3 4] and C⁻¹(2, 7) = (1, 1).
        assertThat(proof.bound()).isBetween(1.0, 1 + 1e-10);
    }

    /** (a + (1 − a) ln(1 − a))/B², where a = Bν: by how much a function may fall whose curvature changes so slowly. */
    @ParameterizedTest
    @CsvSource({"0.3,2", "0.3,1", "0.01,5", "0.0001,100", "0.02,45"})
    void provesLessWhereCurvatureMayChangeFaster(double nu, double longest) {
        double[] hessian = {4};
        ProofBasis basis = basis(hessian, 1);

        CurvatureProof proof = single(LOGISTIC, new Sums(1, 10).longest(longest, basis), 2 * nu, 0, 10);

        double a = longest * nu;
        double exact = (a + (1 - a) * Math.log1p(-a)) / (longest * longest);
        double away = -Math.log1p(-a) / longest;
        // The first term of what curvature adds is a third of a for the one and a half for the other.
        assertThat(proof.bound()).isBetween(exact, nu * nu / 2 * (1 + a / 3 / (1 - a)) * (1 + 1e-4));
        assertThat(proof.distance()).isBetween(away, nu * (1 + a / 2 / (1 - a)) * (1 + 1e-4));
        assertThat(proof.gap()).isCloseTo(nu * nu / 2, within(1e-15));
    }

    @Test
    void provesNothingWhereCurvatureMayVanish() {
        ProofBasis basis = basis(new double[] {4}, 1);

        CurvatureProof near = single(LOGISTIC, new Sums(1, 10).longest(0.999, basis), 2, 0, 10);
        CurvatureProof far = single(LOGISTIC, new Sums(1, 10).longest(1.001, basis), 2, 0, 10);

        assertThat(near.bound()).isFinite();
        assertThat(far.bound()).isInfinite();
        assertThat(far.distance()).isInfinite();
        assertThat(far.gap()).isCloseTo(0.5, within(1e-15));
        // The curvature of squares never changes.
        assertThat(single(SQUARED, new Sums(1, 10).longest(1000, basis), 2, 0, 10)
                        .bound())
                .isFinite();
    }

    @Test
    void errorsOfTheGradientAreAdded() {
        Sums sums = new Sums(1, 10).with(PassLayout.SCALED_ERROR, 1);

        // ν = 0.3 + 1/10 + 0.05, as the feature's own scale is what both are in units of.
        assertThat(single(SQUARED, sums, 0.6, 0.05, 10).distance()).isBetween(0.45, 0.45 * (1 + 0x1p-19));
        assertThat(single(SQUARED, sums, 0.6, 0.05, 10).bound()).isBetween(0.10125, 0.10125 * (1 + 0x1p-18));
        assertThat(single(SQUARED, sums, 0.6, 0.05, 10).gap()).isCloseTo(0.045, within(1e-15));
    }

    /** A root of squared errors is a length in the norm of the inverse Hessian as it is. */
    @Test
    void squaredErrorsOfSlopesAreAddedInUnitsOfRounding() {
        Sums sums = new Sums(1, 10).with(PassLayout.SQUARED_ERROR, 0x1p106 * 10 * 0.01);

        assertThat(single(SQUARED, sums, 0.6, 0, 10).distance()).isBetween(0.4, 0.4 * (1 + 0x1p-19));
    }

    /** The curvatures of the logistic loss may be wrong by a tenth if margins are. */
    @Test
    void errorsOfMarginsLowerTheCurvature() {
        ProofBasis basis = basis(new double[] {4}, 1);
        Sums sums = new Sums(1, 10).longest(0.001, basis).with(PassLayout.DISTANCES, 0.1);

        assertThat(single(LOGISTIC, sums, 0.6, 0, 10).bound()).isBetween(0.05, 0.05 * (1 + 1e-3));
        assertThat(single(SQUARED, sums, 0.6, 0, 10).bound()).isBetween(0.045, 0.045 * (1 + 1e-10));
    }

    @Test
    void rowsAreBoundedByMoreWhereTheCurvatureIsLessCertain() {
        ProofBasis basis = basis(new double[] {4}, 1);
        Sums sums = new Sums(1, 10).longest(1, basis).with(PassLayout.DISTANCES, 0.1);

        double nu = 0.3 / Math.sqrt(0.9);
        double a = nu / Math.sqrt(0.9);

        assertThat(single(LOGISTIC, sums, 0.6, 0, 10).distance()).isCloseTo(nu * (1 + a / 2 / (1 - a)), within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.12, 0.13})
    void marginsWrongByMoreThanAnEighthProveNothing(double wrong) {
        ProofBasis basis = basis(new double[] {4}, 1);
        Sums sums = new Sums(1, 10).longest(0.001, basis).with(PassLayout.DISTANCES, wrong);

        assertThat(single(LOGISTIC, sums, 0.6, 0, 10).bound() < 1).isEqualTo(wrong < 0.125);
    }

    /** With 2⁴⁸ rows an entry of the Hessian is good to five bits. */
    @Test
    void roundingOfSumsLowersTheCurvature() {
        double known = 1 - 0x1p-5;

        assertThat(single(SQUARED, new Sums(1, 10), 0.6, 0, 1L << 48).bound())
                .isBetween(0.045 / known, 0.045 / known * (1 + 1e-6));
        assertThat(single(SQUARED, new Sums(1, 10), 0.6, 0, 1L << 50)).isEqualTo(CurvatureProof.NONE);
    }

    /** Entries by √(H_aa H_bb) as much: with C = [1 0; 3 1] that is (1 + 0)² + (3 + √10)² times as much. */
    @Test
    void roundingLowersTheCurvatureMoreForDependentColumns() {
        double[] hessian = {1, 3, 3, 10};
        double lost = 0x1p-11 * (1 + (3 + Math.sqrt(10)) * (3 + Math.sqrt(10)));

        CurvatureProof proof =
                new Sums(2, 1).proof(SQUARED, basis(hessian, 2), hessian, new double[] {1, 3}, 0, 1L << 42);

        assertThat(proof.bound()).isCloseTo(0.5 / (1 - lost), within(1e-7));
    }

    /** X(H + E)Xᵀ = I + XEXᵀ, of which the squares of all entries count. */
    @Test
    void aBasisThatDoesNotFitTheHessianProvesLess() {
        double[] hessian = {4, 2, 6, 2, 2, 2, 6, 2, 26};
        ProofBasis basis = basis(hessian, 3);
        double[] x = {0.5, 0, 0, -0.5, 1, 0, -0.5, 0.25, 0.25};
        for (int entry : new int[] {0, 3, 4, 6, 7, 8}) {
            double[] other = hessian.clone();
            int row = entry / 3;
            int column = entry % 3;
            other[entry] += 0.05;
            double squares = 0;
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    double off = 0.05 * x[3 * i + row] * x[3 * j + column];
                    off += row == column ? 0 : 0.05 * x[3 * i + column] * x[3 * j + row];
                    squares += off * off;
                }
            }

            CurvatureProof proof = new Sums(3, 1).proof(SQUARED, basis, other, new double[] {2, 2, 4}, 0, 10);

            assertThat(proof.bound()).isCloseTo(1.125 / (1 - Math.sqrt(squares)), within(1e-6));
        }
    }

    @Test
    void aBasisThatFitsWorseThanAnEighthProvesNothing() {
        ProofBasis basis = basis(new double[] {4}, 1);

        assertThat(new Sums(1, 1)
                        .proof(SQUARED, basis, new double[] {4.48}, new double[] {1}, 0, 10)
                        .bound())
                .isFinite();
        assertThat(new Sums(1, 1).proof(SQUARED, basis, new double[] {4.52}, new double[] {1}, 0, 10))
                .isEqualTo(CurvatureProof.NONE);
        assertThat(new Sums(1, 1).proof(SQUARED, basis, new double[] {Double.NaN}, new double[] {1}, 0, 10))
                .isEqualTo(CurvatureProof.NONE);
    }

    /** X = [1 0; 2²⁰ 2²⁰] makes (1, −1) into (1, 0), of which the second is all that is left of 2²⁰ − 2²⁰. */
    @Test
    void cancellationInTheGradientIsNotTakenAsExact() {
        double[] hessian = {1, -1, -1, 1 + 0x1p-40};
        double[] inverse = {1, 0, 0x1p20, 0x1p20};
        ProofBasis basis = new ProofBasis(inverse, new double[] {0x1p30, 0x1p30}, 0, 1, false, 0);

        CurvatureProof proof = new Sums(2, 1).proof(SQUARED, basis, hessian, new double[] {1, -1}, 0, 10);

        assertThat(proof.gap()).isEqualTo(0.5);
        // Two products and one addition, each of which may be wrong by 2⁻⁵³ of 2²⁰ and 2²⁰.
        assertThat(proof.distance() - 1).isBetween(3 * 0x1p-53 * 0x1p20, 100 * 0x1p-53 * 0x1p21);
    }

    @Test
    void overflowingSumsProveNothing() {
        Sums sums = new Sums(1, 10);
        sums.sums[OVERFLOWS] = 1;

        CurvatureProof proof = single(SQUARED, sums, 0.6, 0, 10);

        assertThat(Arrays.asList(proof.gap(), proof.bound(), proof.distance())).containsOnly(Double.POSITIVE_INFINITY);
    }

    /** The length of rows is a root of a sum of powers, and itself rounded. */
    @Test
    void aRatioThatIsNearlyOneProvesNothing() {
        ProofBasis basis = basis(new double[] {4}, 1);

        assertThat(single(LOGISTIC, new Sums(1, 10).longest(1, basis), 2 * (1 - 0x1p-21), 0, 10)
                        .bound())
                .isInfinite();
    }

    /** An entry of the Hessian may be wrong by (N + 4d + 64)u of the squares of its feature's scale. */
    @Test
    void roundingOfTheHessianWeakensTheProof() {
        ProofBasis basis = new ProofBasis(new double[] {1}, new double[] {0x1p-21}, 0, 1, false, 0);

        CurvatureProof proof = new Sums(1, 1).proof(SQUARED, basis, new double[] {1}, new double[] {1}, 0, 10);

        double lost = (10 + 4 + 64) * 0x1p-53 * 0x1p42;
        assertThat(proof.bound()).isBetween(0.5 / (1 - lost), 0.5 / (1 - lost) * (1 + 1e-7));
    }
}
