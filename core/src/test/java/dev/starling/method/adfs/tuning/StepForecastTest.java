package dev.starling.method.adfs.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tunings predict: S-ADFS by a factor at every step, NS-ADFS like a power of the steps. */
class StepForecastTest {

    private static final double RATE = 1e-3;
    private static final Tuning SMOOTH = new Tuning(5, 1, 1, 1 / RATE, 0, 0.25, RATE, RATE);
    private static final NonSmoothTuning KINKED = new NonSmoothTuning(3, 0.25, 1, 1e-3);

    @Test
    void theErrorShrinksByOneLessTheRateAtEveryStep() {
        assertThat(Math.pow(1 - RATE, SMOOTH.stepsFor(50))).isCloseTo(1.0 / 50, within(1e-12));
        assertThat(SMOOTH.timePerStep()).as("a quarter of the steps cost 5").isEqualTo(0.75 + 0.25 * 5);
    }

    @ParameterizedTest
    @CsvSource({
        // A factor 10 in 1000 steps was seen, and three more are to go.
        "0.1, 1000, 0.01, 2000, 1e-5, 3000",
        // The first sighting is compared with a gap of 1 at the start.
        "1, 0, 0.01, 500, 1e-6, 1000",
    })
    void aGapIsForecastToFallAtItsObservedPace(
            double before, long stepsBefore, double now, long stepsNow, double target, double left) {
        assertThat(SMOOTH.stepsLeft(before, stepsBefore, now, stepsNow, target)).isCloseTo(left, within(1e-9 * left));
    }

    @ParameterizedTest
    @CsvSource({"1, 2000", "100, 20000", "10000, 200000"})
    void withKinksAFactorTakesStepsInProportionToItsRoot(double factor, double steps) {
        assertThat(KINKED.stepsFor(factor)).isCloseTo(steps, within(1e-9));
    }

    @Test
    void restartsComeAfterFiveEpochsAndThenAtDoublingIntervals() {
        assertThat(KINKED.stepsBetweenRestarts(0)).isEqualTo(5000);
        assertThat(KINKED.stepsBetweenRestarts(1)).isEqualTo(10_000);
        assertThat(KINKED.stepsBetweenRestarts(4)).isEqualTo(80_000);
        assertThat(KINKED.stepsBetweenRestarts(200)).as("never").isEqualTo(1L << 62);
    }

    private static List<Conditioning> uniform(int... samples) {
        double infinite = Double.POSITIVE_INFINITY;
        return IntStream.of(samples)
                .mapToObj(m -> new Conditioning(m, m, 2, m, 1, infinite, infinite))
                .toList();
    }

    @Test
    void withKinksARingHasTheClosedForm() {
        Network ring = Topology.named("ring").build(4, 1);
        // The Laplacian of a ring of four has the eigenvalues 0, 2, 2, 4: γ = 1/2, and with 8 samples √(γm) = 2.
        NonSmoothTuning tuning = NonSmoothTuning.of(ring, uniform(8, 3, 5, 8), 7);

        assertThat(tuning.delay()).isEqualTo(7);
        assertThat(tuning.communicationProbability()).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(tuning.largestEigenvalue()).isCloseTo(4.0 / 2, within(1e-12));
        assertThat(tuning.smallestProbability()).isCloseTo(2.0 / 3 / 8, within(1e-12));
    }

    @Test
    void withKinksASingleNodeNeverCommunicates() {
        assertThat(NonSmoothTuning.of(Network.of(1, new int[0][]), uniform(8), 7))
                .isEqualTo(new NonSmoothTuning(7, 0, 1, 1.0 / 8));
    }
}
