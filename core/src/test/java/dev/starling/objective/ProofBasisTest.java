package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.internal.Cholesky;
import org.junit.jupiter.api.Test;

/** What rows are measured with, on matrices whose inverses are known. */
class ProofBasisTest {

    /** CCᵀ with C = [2 0 0; 1 1 0; 3 −1 4]. */
    private static final double[] HESSIAN = {4, 2, 6, 2, 2, 2, 6, 2, 26};

    private static ProofBasis basis(double[] hessian, boolean[] leftOut, boolean leverages) {
        double[] factor = hessian.clone();
        for (int c = 0; c < leftOut.length; c++) {
            if (leftOut[c]) {
                factor[c * leftOut.length + c] = 1;
            }
        }
        Cholesky.factorise(factor, leftOut.length);
        return ProofBasis.of(hessian, factor, leftOut, leverages, 0);
    }

    @Test
    void theInverseIsThatOfTheFactor() {
        ProofBasis basis = basis(HESSIAN, new boolean[3], true);

        // Solution by hand: XC = I.
        assertThat(basis.inverse())
                .containsExactly(new double[] {0.5, 0, 0, -0.5, 1, 0, -0.5, 0.25, 0.25}, within(1e-15));
        assertThat(basis.scales())
                .containsExactly(new double[] {0.5, 1 / Math.sqrt(2), 1 / Math.sqrt(26)}, within(1e-15));
        assertThat(basis.leverages()).isTrue();
        assertThat(basis(HESSIAN, new boolean[3], false).leverages()).isFalse();
    }

    /** Σ X_ba² H_aa, and a little more. */
    @Test
    void theLengthIsThatOfTheInverseInUnitsOfTheScales() {
        double squares = 4 * (0.25 + 0.25 + 0.25) + 2 * (1 + 0.0625) + 26 * 0.0625;

        double length = basis(HESSIAN, new boolean[3], true).length();

        assertThat(length).isBetween(Math.sqrt(squares), Math.sqrt(squares) * (1 + 0x1p-19));
    }

    @Test
    void aFeatureThatIsLeftOutMeasuresNothing() {
        double[] hessian = {4, 0, 6, 0, 0, 0, 6, 0, 25};

        ProofBasis basis = basis(hessian, new boolean[] {false, true, false}, true);

        assertThat(basis.inverse()).containsExactly(new double[] {0.5, 0, 0, 0, 0, 0, -0.375, 0, 0.25}, within(1e-15));
        assertThat(basis.scales()).containsExactly(0.5, 0, 0.2);
        double squares = 1 + 4 * 0.375 * 0.375 + 25 * 0.0625;
        assertThat(basis.length()).isCloseTo(Math.sqrt(squares), within(1e-5));
    }

    /** Leverages sum up to the number of features, so that this keeps their powers from running over. */
    @Test
    void theUnitOfLeveragesGrowsWithTheFeaturesThatAreLeft() {
        double three = basis(HESSIAN, new boolean[3], true).unit();
        double two = basis(new double[] {4, 0, 6, 0, 0, 0, 6, 0, 25}, new boolean[] {false, true, false}, true)
                .unit();
        double none = basis(new double[4], new boolean[] {true, true}, true).unit();

        assertThat(three).isEqualTo(3 * none);
        assertThat(two).isEqualTo(2 * none);
        assertThat(none).isPositive();
    }
}
