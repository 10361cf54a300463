package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The gap of a net, against its definition at a thousand scales, and with rounding that is made large. */
class NetGapTest {

    private final Random random = new Random(4);

    /** P − D ≤ (1−α) mean ℓ + Σ (λ/2 θ² + λ₁|θ| − αuθ) + ‖soft(αu, λ₁)‖²/(2λ). */
    private static double gap(NetGap.At at, double[] pull, double scale) {
        double gap = (1 - scale) * at.loss();
        for (int c = 0; c < pull.length; c++) {
            double theta = at.theta()[c];
            double price = at.prices()[c];
            double beyond = Math.max(0, Math.abs(scale * pull[c]) - price);
            gap += at.ridge() / 2 * theta * theta + price * Math.abs(theta) - scale * pull[c] * theta;
            if (beyond > 0) {
                gap += beyond * beyond / (2 * at.ridge());
            }
        }
        return gap;
    }

    private double[] vector(int d, double size) {
        return random.doubles(d, -size, size).toArray();
    }

    private NetGap.At random(int d, double ridge, double spread, double unsure) {
        double[] prices = random.doubles(d, 0, 0.5).map(p -> p < 0.1 ? 0 : p).toArray();
        double[] theta = Arrays.stream(vector(d, 1))
                .map(entry -> Math.abs(entry) < 0.3 ? 0 : entry)
                .toArray();
        return new NetGap.At(vector(d, 1), spread, theta, prices, ridge, random.nextDouble(), unsure);
    }

    @Test
    void isTheSmallestGapThatAnyScaleProves() {
        int scaled = 0;
        for (int run = 0; run < 200; run++) {
            NetGap.At at = random(1 + run % 4, run % 2 == 0 ? 3 : 0.01, 0, 0);
            double least = Double.POSITIVE_INFINITY;
            for (int k = 0; k <= 1000; k++) {
                least = Math.min(least, gap(at, at.pull(), k / 1000.0));
            }
            double plain = gap(at, at.pull(), 1);

            NetGap found = at.gap(0, 0);

            // The parabola through the best scale is no further below than half a step of the thousand takes it.
            double size = Arrays.stream(at.pull()).map(u -> u * u).sum();
            assertThat(found.gap()).isBetween(least - size / at.ridge() / 1e6, least + 1e-12 * (1 + least));
            assertThat(found.most()).isBetween(found.gap(), found.gap() + 1e-9 * (1 + plain));
            scaled += found.gap() < plain - 1e-9 ? 1 : 0;
        }
        assertThat(scaled).isBetween(50, 190);
    }

    /** Wherever within its spread the exact vector is, what it proves is no more than what is claimed. */
    @Test
    void coversEveryVectorWithinRounding() {
        for (int run = 0; run < 400; run++) {
            double ridge = run % 2 == 0 ? 2 : 0.05;
            NetGap.At at = random(1 + run % 3, ridge, 0.05, 0);
            NetGap found = at.gap(0, 0);
            double best = scaleOf(at, found.gap());
            double worst = found.gap();
            for (int k = 0; k < 200; k++) {
                double[] off = vector(at.pull().length, 1);
                double length = Math.sqrt(Arrays.stream(off).map(u -> u * u).sum());
                double[] other = at.pull().clone();
                Arrays.setAll(other, c -> other[c] + 0.05 * off[c] / length);
                worst = Math.max(worst, gap(at, other, best));
            }

            assertThat(found.most()).isGreaterThanOrEqualTo(worst - 1e-8);
            assertThat(found.most()).isLessThanOrEqualTo(worst + 3 * (worst - found.gap()) + 0.2 / ridge * 0.05);
        }
    }

    /** The scale that a gap was proven with: 1 if that proves as much, otherwise the best there is. */
    private static double scaleOf(NetGap.At at, double gap) {
        if (Math.abs(gap(at, at.pull(), 1) - gap) < 1e-12) {
            return 1;
        }
        double low = 0;
        double high = 1;
        for (int k = 0; k < 200; k++) {
            double left = low + (high - low) / 3;
            double right = high - (high - low) / 3;
            if (gap(at, at.pull(), left) < gap(at, at.pull(), right)) {
                high = right;
            } else {
                low = left;
            }
        }
        return (low + high) / 2;
    }

    @Test
    void withoutARidgeNoEntryExceedsTheL1Term() {
        double[] pull = {0.5, -2, 0.1};
        double[] prices = {0.4, 1, 0.4};
        double[] theta = {0.25, -0.5, 0};
        NetGap.At at = new NetGap.At(pull, 0, theta, prices, 0, 0.75, 0);

        // 1/2 leaves −1 of −2.
        double scale = 0.5;
        double expected = (1 - scale) * 0.75 + 0.4 * 0.25 + 0.5 - scale * (0.5 * 0.25 + 2 * 0.5);

        assertThat(at.gap(0, 0).gap()).isCloseTo(expected, within(1e-14));
        assertThat(at.gap(0, 0).most()).isBetween(expected, expected + 1e-11);
        // Slopes that are balanced for an intercept are scaled as well.
        assertThat(at.gap(0.3, 0.4).gap()).isCloseTo(expected + scale * 0.3, within(1e-14));
        assertThat(at.gap(0.3, 0.4).most()).isCloseTo(expected + scale * 0.4, within(1e-11));
    }

    @Test
    void withoutARidgeTheScaleIsSmallEnoughDespiteRounding() {
        NetGap.At at =
                new NetGap.At(new double[] {0.9, -0.2}, 0.3, new double[] {2, 0}, new double[] {0.6, 0.6}, 0, 1, 0.01);
        double scale = 0.5;

        NetGap found = at.gap(0, 0);

        assertThat(found.gap()).isCloseTo(gap(at, at.pull(), 0.6 / 0.9), within(1e-13));
        // The exact vector may be 0.6, of which scaled 0.3 times 2 is all that it takes from the price.
        double worst = gap(at, new double[] {0.6, -0.2}, scale) + (1 - scale) * 0.01;
        assertThat(found.most()).isBetween(worst, worst + 1e-11);
        // It is rounded down, for an entry just beyond its price proves nothing at all.
        NetGap.At edge = new NetGap.At(new double[] {3}, 0, new double[] {0}, new double[] {1}, 0, 1, 0);
        assertThat(1 - edge.gap(0, 0).gap()).isLessThan(1.0 / 3).isGreaterThan(1.0 / 3 * (1 - 1e-14));
    }

    @Test
    void withoutARidgeEntriesWithinTheL1TermAreNotScaled() {
        NetGap.At at =
                new NetGap.At(new double[] {0.5, -0.6}, 0, new double[] {0, -1}, new double[] {0.5, 0.75}, 0, 1, 0);

        assertThat(at.gap(0, 0).gap()).isCloseTo(0.15, within(1e-14));
    }

    /** At θ = 0, u = 2, λ₁ = 1/2 and λ = 1 the best scale has 2α − 1/2 = loss/2, less what balancing shrinks. */
    @Test
    void slopesShrunkByBalancingAreNotScaledAgain() {
        double[] pull = {2};
        NetGap.At at = new NetGap.At(pull, 0, new double[] {0}, new double[] {0.5}, 1, 1, 0);

        NetGap found = at.gap(0.4, 0.5);

        double scale = (0.6 / 2 + 0.5) / 2;
        double expected = gap(at, pull, scale) + scale * 0.4;
        assertThat(found.gap()).isCloseTo(expected, within(1e-9));
        assertThat(found.most()).isCloseTo(gap(at, pull, scale) + scale * 0.5, within(1e-9));
        assertThat(found.gap()).isLessThan(gap(at, pull, 1) + 0.4);
    }

    @Test
    void errorsOfTheLossCountAsFarAsItIsScaled() {
        NetGap.At sure = new NetGap.At(new double[] {2}, 0, new double[] {0}, new double[] {0.5}, 1, 1, 0);
        NetGap.At unsure = new NetGap.At(new double[] {2}, 0, new double[] {0}, new double[] {0.5}, 1, 1, 0.1);
        double scale = (0.5 + 0.5) / 2;

        assertThat(unsure.gap(0, 0).gap()).isEqualTo(sure.gap(0, 0).gap());
        assertThat(unsure.gap(0, 0).most() - sure.gap(0, 0).most()).isCloseTo((1 - scale) * 0.1, within(1e-9));
    }

    /** A point far out: a ridge of 1, a price of 2⁴⁰ that its weight pays and gets back, and nothing left over. */
    @Test
    void cancellationIsNotTakenAsExact() {
        double large = 0x1p40;
        NetGap.At at = new NetGap.At(new double[] {large + 1}, 0, new double[] {1}, new double[] {large}, 1, 0x1p41, 0);

        NetGap found = at.gap(0, 0);

        assertThat(found.gap()).isZero();
        assertThat(found.most()).isBetween(0.0, 1e-25);

        // Half the loss is scaled away: some 2⁴⁰ less some 2⁴⁰, each rounded at least once.
        NetGap.At scaled =
                new NetGap.At(new double[] {4 * large}, 0, new double[] {0}, new double[] {large}, large, large, 0);
        NetGap less = scaled.gap(0, 0);
        assertThat(less.gap()).isCloseTo(gap(scaled, scaled.pull(), (0.25 + 1) / 4), within(1e-3 * large));
        assertThat(less.most() - less.gap()).isBetween(Rounding.UNIT * large, 1e-11 * large);
    }

    /** Where λθ is u − λ₁ and u is beyond λ₁ whatever rounding did, that costs no more than its square. */
    @Test
    void atTheOptimumRoundingCountsQuadratically() {
        NetGap.At at =
                new NetGap.At(new double[] {1.5, -1.5}, 0.1, new double[] {1, -1}, new double[] {0.5, 0.5}, 1, 10, 0);

        assertThat(at.gap(0, 0).gap()).isZero();
        assertThat(at.gap(0, 0).most()).isCloseTo(0.005, within(1e-14));
    }

    /** Prices of 2⁴⁰ that are paid and got back, without a ridge and half scaled away. */
    @Test
    void roundingOfPenaltyAndConjugateIsAdded() {
        double large = 0x1p40;
        NetGap.At at =
                new NetGap.At(new double[] {2 * large}, 0, new double[] {1}, new double[] {large}, 0, 0x1p-10, 0);

        NetGap found = at.gap(0, 0);

        assertThat(found.gap()).isCloseTo(0, within(0.01));
        assertThat(found.most() - found.gap()).isBetween(Rounding.UNIT * 2 * large, 1e-11 * large);
    }

    /** With u = 2, λ = 1 and the loss 3.9 the scale is 0.975, and the greater part of the gap is beyond the price. */
    @Test
    void roundingOfEntriesBeyondTheL1TermIsAdded() {
        NetGap.At at = new NetGap.At(new double[] {2}, 0, new double[] {0}, new double[] {0}, 1, 3.9, 0);

        NetGap found = at.gap(0, 0);

        assertThat(found.gap()).isCloseTo(0.025 * 3.9 + 1.95 * 1.95 / 2, within(1e-9));
        assertThat(found.most() - found.gap()).isBetween(Rounding.UNIT * 2 * found.gap(), 1e-11);
    }
}
