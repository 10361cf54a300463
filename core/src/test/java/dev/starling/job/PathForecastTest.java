package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.settings.LambdaPath.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathForecastTest {

    private static Point point(double lambda) {
        return new Point(lambda, lambda);
    }

    @Test
    void extrapolatesAParabolaInTheLogarithm() {
        PathForecast forecast = new PathForecast(
                List.of(point(0.25), point(0.5), point(1)),
                List.of(new double[] {9, 5}, new double[] {4, 3}, new double[] {1, 1}));

        assertThat(forecast.at(point(0.125))).containsExactly(new double[] {16, 7}, within(1e-12));
        assertThat(forecast.at(point(0.25 / Math.sqrt(2)))).containsExactly(new double[] {12.25, 6}, within(1e-12));
    }

    @Test
    void zeroWeightsStayZeroAndNoWeightChangesItsSign() {
        PathForecast forecast = new PathForecast(
                List.of(point(0.25), point(0.5), point(1)),
                List.of(new double[] {0, 1, 2, 3}, new double[] {1, 3, 0, 2}, new double[] {2, 5, 7, 0}));

        assertThat(forecast.at(point(0.125))).containsExactly(new double[] {0, 0, 2, 4}, within(1e-12));
        assertThat(forecast.at(new Point(0.25, 0))[1]).isCloseTo(-1, within(1e-12));
    }

    @Test
    void oneSolutionForecastsItself() {
        PathForecast forecast = new PathForecast(List.of(point(0.5)), List.of(new double[] {1, 0, -2}));

        assertThat(forecast.at(point(0.1))).containsExactly(1, 0, -2);
    }
}
