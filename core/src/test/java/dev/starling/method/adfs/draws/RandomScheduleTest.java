package dev.starling.method.adfs.draws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RandomScheduleTest {

    private static final double[] WEIGHTS = {1, 2, 0, 3, 0.5, 1.5, 4};

    private static RandomSchedule schedule(Sampling sampling, long seed) {
        return new RandomSchedule(seed, 3, 0.2, WEIGHTS.length, j -> WEIGHTS[j], sampling);
    }

    @ParameterizedTest
    @EnumSource(Sampling.class)
    void samplesComeWithTheProbabilitiesGiven(Sampling sampling) {
        RandomSchedule schedule = schedule(sampling, 1);
        int draws = 700_000;
        int[] drawn = new int[draws];
        schedule.draw(drawn, draws);
        int[] counts = new int[WEIGHTS.length];
        for (int j : drawn) {
            counts[j]++;
        }

        assertThat(counts[2]).isZero();
        for (int j = 0; j < counts.length; j++) {
            double probability = WEIGHTS[j] / 12;
            // Five standard deviations of independent draws; reshuffled ones vary less.
            double spread = 5 * Math.sqrt(probability * (1 - probability) / draws);
            assertThat(counts[j] / (double) draws).isCloseTo(probability, within(spread + 1e-12));
        }
    }

    @Test
    void aReshuffledPassOfEqualSamplesLeavesNoneOut() {
        RandomSchedule schedule = new RandomSchedule(5, 0, 0.1, 100, j -> 1, Sampling.RESHUFFLED);
        int[] first = new int[100];
        int[] second = new int[100];
        schedule.draw(first, 37);
        int[] rest = new int[63];
        schedule.draw(rest, 63);
        System.arraycopy(rest, 0, first, 37, 63);
        schedule.draw(second, 100);

        assertThat(first).isNotEqualTo(second);
        for (int[] pass : new int[][] {first, second}) {
            int[] sorted = pass.clone();
            Arrays.sort(sorted);
            assertThat(sorted)
                    .containsExactly(java.util.stream.IntStream.range(0, 100).toArray());
        }
    }

    @Test
    void aReshuffledPassGivesEverySampleItsShareRoundedDownOrUp() {
        RandomSchedule schedule = schedule(Sampling.RESHUFFLED, 9);
        int[] pass = new int[WEIGHTS.length];
        for (int repeat = 0; repeat < 200; repeat++) {
            schedule.draw(pass, pass.length);
            int[] counts = new int[WEIGHTS.length];
            for (int j : pass) {
                counts[j]++;
            }
            for (int j = 0; j < counts.length; j++) {
                double share = WEIGHTS[j] / 12 * WEIGHTS.length;
                assertThat(counts[j]).isBetween((int) Math.floor(share), (int) Math.ceil(share));
            }
        }
    }

    @Test
    void computationsBeforeARoundAreGeometric() {
        RandomSchedule schedule = schedule(Sampling.INDEPENDENT, 4);
        int draws = 200_000;
        double sum = 0;
        int zeros = 0;
        for (int k = 0; k < draws; k++) {
            long steps = schedule.stepsBeforeNextRound();
            sum += steps;
            zeros += steps == 0 ? 1 : 0;
        }

        assertThat(sum / draws).isCloseTo(4.0, within(5 * Math.sqrt(20.0 / draws)));
        assertThat(zeros / (double) draws).isCloseTo(0.2, within(5 * Math.sqrt(0.16 / draws)));
    }

    @Test
    void roundsAreTheSameAtEveryNodeAndSamplesAreNot() {
        RandomSchedule one = new RandomSchedule(7, 0, 0.2, 50, j -> 1, Sampling.INDEPENDENT);
        RandomSchedule other = new RandomSchedule(7, 1, 0.2, 50, j -> 1, Sampling.INDEPENDENT);
        int[] first = new int[20];
        int[] second = new int[20];
        for (int k = 0; k < 50; k++) {
            one.draw(first, 20);
            other.draw(second, k % 20);
            assertThat(one.stepsBeforeNextRound()).isEqualTo(other.stepsBeforeNextRound());
        }
        other.draw(second, 20);
        assertThat(first).isNotEqualTo(second);
    }

    @ParameterizedTest
    @EnumSource(Sampling.class)
    void aRestoredScheduleGoesOnAsTheSavedOneDoes(Sampling sampling) throws IOException {
        RandomSchedule saved = schedule(sampling, 11);
        int[] some = new int[17];
        saved.draw(some, 17);
        saved.stepsBeforeNextRound();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        saved.save(new DataOutputStream(bytes));
        RandomSchedule restored = schedule(Sampling.RESHUFFLED, 11);
        restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        int[] expected = new int[100];
        int[] actual = new int[100];
        saved.draw(expected, 100);
        restored.draw(actual, 100);
        assertThat(actual).isEqualTo(expected);
        assertThat(restored.stepsBeforeNextRound()).isEqualTo(saved.stepsBeforeNextRound());
    }
}
