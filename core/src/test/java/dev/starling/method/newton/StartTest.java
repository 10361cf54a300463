package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.method.Known;
import dev.starling.method.Solved;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a problem begins with, by what is known of others. */
class StartTest {

    private static final PassLayout LAYOUT = new PassLayout(2, false);
    private static final double[] POINT = {3, 4};
    private static final double[] EXPECTED = {5, 6};

    /** A problem whose rows weigh this much and whose sum has this Hessian. */
    private static Solved solved(double weight, double worn, double... hessian) {
        double[] lessons = new double[LAYOUT.length(PassSums.HESSIAN) + 1];
        Arrays.fill(lessons, 7);
        lessons[NewtonPass.WEIGHT] = weight;
        System.arraycopy(hessian, 0, lessons, LAYOUT.hessian(), 3);
        lessons[lessons.length - 1] = worn;
        return new Solved(Certificate.NONE, POINT, false, Exactness.UNKNOWN, lessons);
    }

    private static Solved withoutHessian() {
        return new Solved(
                Certificate.NONE, POINT, false, Exactness.UNKNOWN, new double[LAYOUT.length(PassSums.GRADIENT)]);
    }

    @Test
    void whereNothingIsKnownItBeginsAnywhere() {
        assertThat(Start.of(new Known(Optional.empty(), Optional.empty(), List.of()), LAYOUT, true))
                .isEmpty();
    }

    @Test
    void whereAPointIsKnownItBeginsThere() {
        Start start = Start.of(new Known(Optional.of(EXPECTED), Optional.empty(), List.of()), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(EXPECTED);
        assertThat(start.totals()).isEmpty();
        assertThat(start.hessian()).isEmpty();
        assertThat(start.worn()).isFalse();
        assertThat(start.lent()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProblemMayGoOnFromTheOneBefore(boolean worn) {
        Solved before = solved(10, worn ? 1 : 0, 1, 2, 3);

        Start start = Start.of(new Known(Optional.of(EXPECTED), Optional.of(before), List.of()), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(POINT);
        assertThat(start.totals()).isSameAs(before.lessons());
        assertThat(start.hessian()).isSameAs(before.lessons());
        assertThat(start.worn()).isEqualTo(worn);
        assertThat(start.lent()).isFalse();
    }

    @Test
    void aProblemDoesNotGoOnFromOneWithoutAHessianNorWhereItMayNot() {
        Known known = new Known(Optional.of(EXPECTED), Optional.of(withoutHessian()), List.of());
        assertThat(Start.of(known, LAYOUT, true).orElseThrow().point()).isSameAs(EXPECTED);

        Known other = new Known(Optional.of(EXPECTED), Optional.of(solved(10, 0, 1, 2, 3)), List.of());
        assertThat(Start.of(other, LAYOUT, false).orElseThrow().point()).isSameAs(EXPECTED);
    }

    /** Of the mean losses, since the rows may weigh differently: (1/2 + 3/4)/2, (2/2 + 6/4)/2, (4/2 + 0)/2. */
    @Test
    void problemsOfAllRowsLendTheMeanOfTheirHessians() {
        List<Solved> all = List.of(solved(2, 0, 1, 2, 4), solved(4, 0, 3, 6, 0));

        Start start = Start.of(new Known(Optional.of(EXPECTED), Optional.empty(), all), LAYOUT, true)
                .orElseThrow();

        assertThat(start.point()).isSameAs(EXPECTED);
        assertThat(start.totals()).isEmpty();
        assertThat(start.hessian()).hasSize(LAYOUT.length(PassSums.HESSIAN));
        assertThat(start.hessian()[NewtonPass.WEIGHT]).isEqualTo(1);
        assertThat(Arrays.copyOfRange(start.hessian(), LAYOUT.hessian(), LAYOUT.hessian() + 3))
                .containsExactly(0.625, 1.25, 1);
        assertThat(start.lent()).isTrue();
        assertThat(start.worn()).isFalse();
        assertThat(Start.of(new Known(Optional.empty(), Optional.empty(), all), LAYOUT, true)
                        .orElseThrow()
                        .point())
                .containsExactly(0, 0);
    }

    @Test
    void aProblemWithALentHessianGoesOnFromTheTotalsBefore() {
        Solved before = withoutHessian();
        List<Solved> all = List.of(solved(2, 0, 1, 2, 4), withoutHessian());

        Start start = Start.of(new Known(Optional.of(EXPECTED), Optional.of(before), all), LAYOUT, false)
                .orElseThrow();

        assertThat(start.point()).isSameAs(POINT);
        assertThat(start.totals()).isSameAs(before.lessons());
        // One that has no Hessian does not count.
        assertThat(start.hessian()[LAYOUT.hessian() + 2]).isEqualTo(2);
        assertThat(start.lent()).isTrue();
    }
}
