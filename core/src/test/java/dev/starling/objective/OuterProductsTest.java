package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OuterProductsTest {

    private static final int AT = 3;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theDiagonalIsThatOfTheMatrix(boolean dense) {
        Dataset data =
                Generator.classification(40, 9).density(0.5).seed(2).generate().laidOut(dense);
        int[] rows = {0, 3, 7, 11, 19, 23, 29, 31, 37};
        double[] scales = {1, 0.5, 0, 2, 0.25, 3, 1, 0.1, 0.7};
        double[] matrix = new double[AT + 9 * 10 / 2];
        double[] diagonal = new double[AT + 9];
        Arrays.fill(diagonal, 0, AT, 5);

        OuterProducts products = new OuterProducts(data);
        products.add(rows.length, rows, scales, matrix, AT);
        products.addDiagonal(rows.length, rows, scales, diagonal, AT);

        assertThat(Arrays.copyOf(diagonal, AT)).containsOnly(5);
        for (int c = 0; c < 9; c++) {
            assertThat(diagonal[AT + c]).isCloseTo(matrix[AT + c * (c + 1) / 2 + c], within(1e-12));
        }
    }
}
