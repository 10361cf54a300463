package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where sums are, counted by hand; a head of five and five numbers come first. */
class PassLayoutTest {

    private static final int FIRST = 10;

    @Test
    void withoutAnInterceptTheGradientIsFollowedByTheHessian() {
        PassLayout layout = new PassLayout(4, false);

        assertThat(NewtonPass.GRADIENT).isEqualTo(FIRST);
        assertThat(layout.regularised()).isEqualTo(4);
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

        assertThat(layout.regularised()).isEqualTo(3);
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
                .containsExactlyInAnyOrder(PassSums.DIAGONAL, PassSums.HESSIAN);
        assertThat(PassSums.GRADIENT.text()).isEqualTo("gradient");
    }
}
