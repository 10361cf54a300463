package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Where sums are, counted by hand; a head of five and five numbers come first. */
class PassLayoutTest {

    private static final int FIRST = 10;

    @Test
    void withoutAnInterceptTheGradientIsFollowedByTheHessian() {
        PassLayout layout = new PassLayout(4, false);

        assertThat(PassLayout.GRADIENT).isEqualTo(FIRST);
        assertThat(layout.regularised(new double[4])).hasSize(4);
        assertThat(layout.hessian()).isEqualTo(FIRST + 4);
        assertThat(layout.proof()).isEqualTo(FIRST + 4);
        assertThat(layout.length(PassSums.GRADIENT)).isEqualTo(FIRST + 4);
        assertThat(layout.length(PassSums.DIAGONAL)).isEqualTo(FIRST + 4 + 4);
        assertThat(layout.length(PassSums.HESSIAN)).isEqualTo(FIRST + 4 + 10);
        assertThat(layout.length(PassSums.PROOF)).isEqualTo(FIRST + 4 + 3);
        assertThat(layout.numbers(PassSums.GRADIENT)).isEqualTo(5 + 4);
        assertThat(layout.inSpan()).isFalse();
        assertThat(layout.curved()).isEqualTo(4);
    }

    @Test
    void withAnInterceptTheRisingPartAndItsRoundingComeBetween() {
        PassLayout layout = new PassLayout(4, true);

        assertThat(layout.regularised(new double[] {1, 2, 3, 4})).containsExactly(1, 2, 3);
        assertThat(layout.rising()).isEqualTo(FIRST + 4);
        assertThat(layout.risingSpread()).isEqualTo(FIRST + 8);
        assertThat(layout.hessian()).isEqualTo(FIRST + 9);
        assertThat(layout.proof()).isEqualTo(FIRST + 4);
        assertThat(layout.length(PassSums.GRADIENT)).isEqualTo(FIRST + 9);
        assertThat(layout.length(PassSums.HESSIAN)).isEqualTo(FIRST + 9 + 10);
        assertThat(layout.length(PassSums.PROOF)).isEqualTo(FIRST + 4 + 3);
        assertThat(layout.numbers(PassSums.HESSIAN)).isEqualTo(5 + 9 + 10);
    }

    @Test
    void withSeveralOutputsEachHasAnInterceptOfItsOwn() {
        PassLayout layout = PassLayout.ofOutputs(3, 2, true);

        assertThat(layout.regularised(new double[] {1, 2, 3, 4, 5, 6})).containsExactly(1, 2, 4, 5);
        assertThat(layout.prices(0.5)).containsExactly(0.5, 0.5, 0, 0.5, 0.5, 0);
        assertThat(layout.rising()).isEqualTo(FIRST + 6);
        assertThat(layout.hessian()).isEqualTo(FIRST + 13);
    }

    @Test
    void inTheSpanOfTheRowsAHessianHasAsManyDimensionsAsThereAreRows() {
        PassLayout layout = PassLayout.inSpan(20, false, 3);

        assertThat(layout.inSpan()).isTrue();
        assertThat(layout.curved()).isEqualTo(3);
        assertThat(layout.combinations()).isEqualTo(3);
        assertThat(layout.length(PassSums.HESSIAN)).isEqualTo(FIRST + 20 + 6);
        assertThat(layout.length(PassSums.SPAN)).isEqualTo(FIRST + 20 + 60);
    }

    @Test
    void inTheSpanOfTheRowsAnInterceptHasADimensionOfItsOwn() {
        PassLayout layout = PassLayout.inSpan(20, true, 3);

        assertThat(layout.curved()).isEqualTo(4);
        assertThat(layout.combinations()).isEqualTo(3);
        assertThat(layout.length(PassSums.HESSIAN)).isEqualTo(FIRST + 41 + 10);
        assertThat(layout.length(PassSums.SPAN)).isEqualTo(FIRST + 41 + 60);
    }

    @Test
    void onlyDiagonalsAndHessiansTellOfSecondDerivatives() {
        assertThat(PassSums.values())
                .filteredOn(PassSums::isCurved)
                .containsExactlyInAnyOrder(PassSums.DIAGONAL, PassSums.HESSIAN, PassSums.COLUMNS);
        assertThat(PassSums.GRADIENT.text()).isEqualTo("gradient");
    }

    @Test
    void everyPairOfOutputsHasATriangleOfItsOwn() {
        PassLayout layout = PassLayout.ofOutputs(2, 3);

        assertThat(layout.parameters()).isEqualTo(6);
        assertThat(layout.hessian()).isEqualTo(FIRST + 6);
        assertThat(layout.block(0, 0)).isEqualTo(FIRST + 6);
        assertThat(layout.block(1, 0)).isEqualTo(FIRST + 6 + 3);
        assertThat(layout.block(1, 1)).isEqualTo(FIRST + 6 + 6);
        assertThat(layout.block(2, 1)).isEqualTo(FIRST + 6 + 12);
        assertThat(layout.length(PassSums.HESSIAN)).isEqualTo(FIRST + 6 + 18);
        assertThat(layout.diagonal(PassSums.HESSIAN, 0)).isEqualTo(FIRST + 6);
        assertThat(layout.diagonal(PassSums.HESSIAN, 3)).isEqualTo(layout.block(1, 1) + 2);
        assertThat(layout.diagonal(PassSums.DIAGONAL, 3)).isEqualTo(FIRST + 6 + 3);
    }

    /** The lower triangle of a matrix of 2 × 2 symmetric blocks, written out. */
    @Test
    void loadsAndStoresTheBlocksOfAHessian() {
        PassLayout layout = PassLayout.ofOutputs(2, 2);
        double[] sums = new double[layout.length(PassSums.HESSIAN)];
        double[] packed = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.arraycopy(packed, 0, sums, layout.hessian(), packed.length);
        double[] matrix = new double[16];

        layout.load(sums, 0.5, matrix);

        double[] expected = {2, 0, 0, 0, 4, 6, 0, 0, 8, 10, 14, 0, 10, 12, 16, 18};
        assertThat(matrix).containsExactly(expected);
        double[] stored = new double[sums.length];
        layout.store(new double[] {2, 4, 6, 8, 10, 14, 10, 12, 16, 18}, 0.5, stored);
        assertThat(stored).containsExactly(sums);
    }

    @Test
    void refusesBlocksOfDifferentSizes() {
        assertThatThrownBy(() -> new PassLayout(5, false, 5, 2)).hasMessageContaining("not 2 blocks of one size");
        assertThatThrownBy(() -> new PassLayout(6, false, 3, 2)).hasMessageContaining("not 2 blocks of one size");
        assertThatThrownBy(() -> new PassLayout(6, false).require(new double[12]))
                .hasMessage("a parameter of 12 numbers, expected 6");
    }
}
