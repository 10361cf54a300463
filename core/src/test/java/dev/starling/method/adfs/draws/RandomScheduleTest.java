package dev.starling.method.adfs.draws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
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
    void aRestoredScheduleContinuesLikeTheSavedOne(Sampling sampling) throws IOException {
        RandomSchedule saved = schedule(sampling, 11);
        int[] some = new int[17];
        saved.draw(some, 17);
        saved.stepsBeforeNextRound();
        RandomSchedule restored = SavedStates.copy(saved, schedule(Sampling.RESHUFFLED, 11));

        int[] expected = new int[100];
        int[] actual = new int[100];
        saved.draw(expected, 100);
        restored.draw(actual, 100);
        assertThat(actual).isEqualTo(expected);
        assertThat(restored.stepsBeforeNextRound()).isEqualTo(saved.stepsBeforeNextRound());
    }

    /** All orders of three equal samples are equally likely. */
    @Test
    void everyOrderOfAPassIsEquallyLikely() {
        RandomSchedule schedule = new RandomSchedule(3, 0, 0.1, 3, j -> 1, Sampling.RESHUFFLED);
        Map<String, Integer> counts = new TreeMap<>();
        int passes = 12_000;
        int[] pass = new int[3];
        for (int k = 0; k < passes; k++) {
            schedule.draw(pass, 3);
            counts.merge(Arrays.toString(pass), 1, Integer::sum);
        }

        assertThat(counts).hasSize(6);
        // Five standard deviations of 12,000 draws of one in six.
        counts.values().forEach(count -> assertThat(count).isCloseTo(2000, within(205)));
    }

    @Test
    void samplesOfALongPassAreSpreadOverAllOfItInAnotherOrderEveryTime() {
        int samples = 4096;
        RandomSchedule schedule = new RandomSchedule(3, 0, 0.1, samples, j -> 1, Sampling.RESHUFFLED);
        int[] pass = new int[samples];
        double inFirstHalf = 0;
        int passes = 200;
        for (int k = 0; k < passes; k++) {
            schedule.draw(pass, samples);
            for (int place = 0; place < samples / 2; place++) {
                inFirstHalf += pass[place] < 64 ? 1 : 0;
            }
        }

        // Neighbours come together, so that it is either all of the first run or none: a coin for every pass.
        assertThat(inFirstHalf / (64 * passes)).isCloseTo(0.5, within(5 * 0.5 / Math.sqrt(passes)));
    }

    @Test
    void independentDrawsBegunMidPassContinueFromASavedState() throws IOException {
        RandomSchedule saved = new RandomSchedule(3, 0, 0.1, 100, j -> 1, Sampling.RESHUFFLED);
        int[] drawn = new int[30];
        saved.draw(drawn, 30);
        saved.drawIndependently();
        saved.draw(drawn, 30);
        RandomSchedule restored =
                SavedStates.copy(saved, new RandomSchedule(3, 0, 0.1, 100, j -> 1, Sampling.RESHUFFLED));

        int[] expected = new int[200];
        int[] actual = new int[200];
        saved.draw(expected, 200);
        restored.draw(actual, 200);
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void aStartedScheduleContinuesFromARestoredState() throws IOException {
        RandomSchedule saved = new RandomSchedule(3, 0, 0.1, 5000, j -> 1, Sampling.RESHUFFLED);
        int[] drawn = new int[5000];
        saved.draw(drawn, 3000);
        RandomSchedule begun = new RandomSchedule(3, 0, 0.1, 5000, j -> 1, Sampling.RESHUFFLED);
        begun.draw(drawn, 4500);
        SavedStates.copy(saved, begun);

        int[] expected = new int[7000];
        int[] actual = new int[7000];
        saved.draw(expected, 7000);
        begun.draw(actual, 7000);
        assertThat(actual).isEqualTo(expected);
    }
}
