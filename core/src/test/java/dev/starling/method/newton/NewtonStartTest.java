package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a problem begins with, by what is known of others. */
class NewtonStartTest {

    private static final PassLayout LAYOUT = new PassLayout(2, false);
    private static final double[] POINT = {3, 4};
    private static final double[] EXPECTED = {5, 6};

    /** A problem whose rows weigh this much and whose sum has this Hessian. */
    private static Solution solved(double weight, double worn, double... hessian) {
        double[] warmStart = new double[LAYOUT.length(PassSums.HESSIAN) + 1];
        Arrays.fill(warmStart, 7);
        warmStart[PassLayout.WEIGHT] = weight;
        System.arraycopy(hessian, 0, warmStart, LAYOUT.hessian(), 3);
        warmStart[warmStart.length - 1] = worn;
        return new Solution(Certificate.NONE, POINT, false, Exactness.UNKNOWN, warmStart);
    }

    private static Solution withoutHessian() {
        return new Solution(
                Certificate.NONE, POINT, false, Exactness.UNKNOWN, new double[LAYOUT.length(PassSums.GRADIENT)]);
    }

    @Test
    void hasNoStartWithoutPriorKnowledge() {
        assertThat(NewtonStart.of(new PriorKnowledge(Optional.empty(), Optional.empty(), List.of()), LAYOUT, true))
                .isEmpty();
    }

    @Test
    void startsAtAKnownPoint() {
        NewtonStart start = NewtonStart.of(
                        new PriorKnowledge(Optional.of(EXPECTED), Optional.empty(), List.of()), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(EXPECTED);
        assertThat(start.totals()).isEmpty();
        assertThat(start.hessian()).isEmpty();
        assertThat(start.stale()).isFalse();
        assertThat(start.hessianOfAllRows()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProblemMayContinueFromThePreviousOne(boolean worn) {
        Solution before = solved(10, worn ? 1 : 0, 1, 2, 3);

        NewtonStart start = NewtonStart.of(
                        new PriorKnowledge(Optional.of(EXPECTED), Optional.of(before), List.of()), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(POINT);
        assertThat(start.totals()).isSameAs(before.warmStart());
        assertThat(start.hessian()).isSameAs(before.warmStart());
        assertThat(start.stale()).isEqualTo(worn);
        assertThat(start.hessianOfAllRows()).isFalse();
    }

    @Test
    void aProblemMayContinueFromTotalsWithoutAHessian() {
        Solution before = withoutHessian();

        NewtonStart start = NewtonStart.of(
                        new PriorKnowledge(Optional.of(EXPECTED), Optional.of(before), List.of()), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(POINT);
        assertThat(start.totals()).isSameAs(before.warmStart());
        assertThat(start.hessian()).isEmpty();
        assertThat(start.stale()).isFalse();
    }

    @Test
    void aProblemThatDoesNotContinueStartsWhereItIsTold() {
        for (Solution before : List.of(withoutHessian(), solved(10, 0, 1, 2, 3))) {
            PriorKnowledge known = new PriorKnowledge(Optional.of(EXPECTED), Optional.of(before), List.of());
            assertThat(NewtonStart.of(known, LAYOUT, false).orElseThrow().point())
                    .isSameAs(EXPECTED);
        }
    }

    /** Of the mean losses, since the rows may weigh differently: (1/2 + 3/4)/2, (2/2 + 6/4)/2, (4/2 + 0)/2. */
    @Test
    void problemsOfAllRowsLendTheMeanOfTheirHessians() {
        List<Solution> all = List.of(solved(2, 0, 1, 2, 4), solved(4, 0, 3, 6, 0));

        NewtonStart start = NewtonStart.of(
                        new PriorKnowledge(Optional.of(EXPECTED), Optional.empty(), all), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(EXPECTED);
        assertThat(start.totals()).isEmpty();
        assertThat(start.hessian()).hasSize(LAYOUT.length(PassSums.HESSIAN));
        assertThat(start.hessian()[PassLayout.WEIGHT]).isEqualTo(1);
        assertThat(Arrays.copyOfRange(start.hessian(), LAYOUT.hessian(), LAYOUT.hessian() + 3))
                .containsExactly(0.625, 1.25, 1);
        assertThat(start.hessianOfAllRows()).isTrue();
        assertThat(start.stale()).isFalse();
        assertThat(NewtonStart.of(new PriorKnowledge(Optional.empty(), Optional.empty(), all), LAYOUT, true)
                        .orElseThrow()
                        .point())
                .containsExactly(0, 0);
    }

    @Test
    void aProblemWithALentHessianContinuesFromThePreviousTotals() {
        Solution before = withoutHessian();
        List<Solution> all = List.of(solved(2, 0, 1, 2, 4), withoutHessian());

        NewtonStart start = NewtonStart.of(
                        new PriorKnowledge(Optional.of(EXPECTED), Optional.of(before), all), LAYOUT, false)
                .orElseThrow();

        assertThat(start.point()).isSameAs(POINT);
        assertThat(start.totals()).isSameAs(before.warmStart());
        // One that has no Hessian does not count.
        assertThat(start.hessian()[LAYOUT.hessian() + 2]).isEqualTo(2);
        assertThat(start.hessianOfAllRows()).isTrue();
    }
}
