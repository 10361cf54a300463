package dev.starling.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MethodResultTest {

    private static Curve curve(double... suboptimality) {
        List<Point> points = DoubleStream.of(suboptimality)
                .mapToObj(new java.util.function.DoubleFunction<Point>() {
                    private int time;

                    @Override
                    public Point apply(double value) {
                        return new Point(10.0 * time++, 0, 0, 0, 0, 0, value, value, Double.NaN, Double.NaN);
                    }
                })
                .toList();
        return new Curve("adfs", 1, points, Curve.End.TIME, List.of());
    }

    @Test
    void theTimeToATargetIsTheFirstFromWhichItHoldsToTheEnd() {
        assertThat(curve(1, 0.005, 0.5, 0.009, 0.001).within(1e-2))
                .hasValueSatisfying(point -> assertThat(point.time()).isEqualTo(30));
    }

    @Test
    void aTargetThatIsLostAgainIsNotReached() {
        assertThat(curve(1, 0.005, 0.5).within(1e-2)).isEmpty();
    }

    @Test
    void severalSeedsGiveAMedianAndASpread() {
        MethodResult result = new MethodResult(
                "adfs", List.of(curve(1, 0.1), curve(1, 0.3), curve(1, 0.2), curve(1, 0.5), curve(1, 0.4)));
        MethodResult.Moment second = result.moments().get(1);
        assertThat(second.median().suboptimality()).isEqualTo(0.3);
        assertThat(second.low()).isCloseTo(0.14, org.assertj.core.api.Assertions.within(1e-12));
        assertThat(second.high()).isCloseTo(0.46, org.assertj.core.api.Assertions.within(1e-12));
    }

    @Test
    void thereIsNoMedianTimeWhenMostSeedsMissTheTarget() {
        MethodResult result = new MethodResult("adfs", List.of(curve(1, 0.001), curve(1, 0.3), curve(1, 0.3)));
        assertThat(result.timeTo(1e-2)).isEmpty();
    }

    @Test
    void repeatedPointsAreLeftOut() {
        Point point = new Point(10, 0, 0, 0, 0, 0, 0.5, 0.5, Double.NaN, Double.NaN);
        Curve repeating = new Curve("msda", 1, List.of(point, point, point), Curve.End.TIME, List.of());
        assertThat(new MethodResult("msda", List.of(repeating)).moments()).hasSize(1);
    }
}
