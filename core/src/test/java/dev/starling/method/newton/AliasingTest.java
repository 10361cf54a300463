package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which columns depend on earlier ones, against elimination in whole numbers. */
class AliasingTest {

    /** XᵀX of whole numbers, its lower half; the upper one has numbers that nobody is to read. */
    private static double[] hessian(int[][] rows, int d) {
        double[] hessian = new double[d * d];
        Arrays.fill(hessian, 1e300);
        for (int a = 0; a < d; a++) {
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int[] row : rows) {
                    sum += row[a] * row[b];
                }
                hessian[a * d + b] = sum;
            }
        }
        return hessian;
    }

    /** By elimination without fractions, the intercept's column first if it is last. */
    private static boolean[] dependent(int[][] rows, int d, boolean interceptIsLast) {
        List<BigInteger[]> kept = new ArrayList<>();
        boolean[] dependent = new boolean[d];
        for (int k = 0; k < d; k++) {
            int column = interceptIsLast ? (k + d - 1) % d : k;
            BigInteger[] vector = Arrays.stream(rows)
                    .map(row -> BigInteger.valueOf(row[column]))
                    .toArray(BigInteger[]::new);
            for (BigInteger[] earlier : kept) {
                int lead = lead(earlier);
                BigInteger own = vector[lead];
                for (int i = 0; i < vector.length; i++) {
                    vector[i] = vector[i].multiply(earlier[lead]).subtract(own.multiply(earlier[i]));
                }
            }
            dependent[column] = lead(vector) < 0;
            if (!dependent[column]) {
                kept.add(vector);
            }
        }
        return dependent;
    }

    private static int lead(BigInteger[] vector) {
        for (int i = 0; i < vector.length; i++) {
            if (vector[i].signum() != 0) {
                return i;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void columnsThatDependOnEarlierOnesAreLeftOut(boolean interceptIsLast) {
        Random random = new Random(5);
        int leftOut = 0;
        for (int run = 0; run < 300; run++) {
            int d = 1 + random.nextInt(7);
            int[][] rows = new int[1 + random.nextInt(9)][d];
            for (int[] row : rows) {
                Arrays.setAll(row, c -> random.nextInt(7) - 3);
                for (int c = 2; c < d; c++) {
                    // Every third column is made of two earlier ones, or is empty.
                    row[c] = c % 3 == 2 ? run % 4 * (row[c - 1] - row[c - 2]) : row[c];
                }
                row[d - 1] = interceptIsLast ? 1 : row[d - 1];
            }
            boolean[] expected = dependent(rows, d, interceptIsLast);

            assertThat(Aliasing.of(hessian(rows, d), d, interceptIsLast)).isEqualTo(expected);
            for (boolean one : expected) {
                leftOut += one ? 1 : 0;
            }
        }
        assertThat(leftOut).isGreaterThan(200);
    }

    @Test
    void aConstantColumnIsLeftOutInFavourOfTheIntercept() {
        int[][] rows = {{2, 1, 1}, {2, 5, 1}, {2, 7, 1}};

        assertThat(Aliasing.of(hessian(rows, 3), 3, true)).containsExactly(true, false, false);
        assertThat(Aliasing.of(hessian(rows, 3), 3, false)).containsExactly(false, false, true);
    }

    /** [1, 1; 1, 1 + p] has the pivots 1 and p. */
    @Test
    void aColumnThatIsIndependentBeyondRoundingIsKept() {
        assertThat(Aliasing.of(new double[] {1, 0, 1, 1 + 0x1p-39}, 2, false)).containsExactly(false, false);
        assertThat(Aliasing.of(new double[] {1, 0, 1, 1 + 0x1p-41}, 2, false)).containsExactly(false, true);
        // What counts is the part of it that is its own.
        assertThat(Aliasing.of(new double[] {1, 0, 0x1p20, 0x1p40 + 2}, 2, false))
                .containsExactly(false, false);
        assertThat(Aliasing.of(new double[] {1, 0, 0x1p20, 0x1p40 + 0.5}, 2, false))
                .containsExactly(false, true);
    }
}
