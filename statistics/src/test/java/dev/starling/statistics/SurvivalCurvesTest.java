package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Ties;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Kaplan and Meier's curves and the log-rank test, against textbooks' values and other ways to compute them. */
class SurvivalCurvesTest {

    /** Remission times of leukaemia (Freireich and others, 1963), with 6-MP and with a placebo; + where censored. */
    private static final String DRUG = "6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+";

    private static final String PLACEBO = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23";

    private static SurvivalCurves leukaemia() {
        List<String> all = List.of((DRUG + " " + PLACEBO).split(" "));
        double[] stop = all.stream()
                .mapToDouble(time -> Double.parseDouble(time.replace("+", "")))
                .toArray();
        boolean[] events = new boolean[stop.length];
        int[] groups = new int[stop.length];
        for (int i = 0; i < stop.length; i++) {
            events[i] = !all.get(i).endsWith("+");
            groups[i] = i < 21 ? 0 : 1;
        }
        return SurvivalCurves.of(Survival.of(stop, events), groups, List.of("drug", "placebo"), 0.95);
    }

    @Test
    void remissionTimesHaveTheValuesOfTextbooks() {
        SurvivalCurves found = leukaemia();
        SurvivalCurves.Curve drug = found.curves().get(0);

        assertThat(drug.times()).containsExactly(6, 7, 10, 13, 16, 22, 23);
        assertThat(drug.atRisk()).containsExactly(21, 17, 15, 12, 11, 7, 6);
        double[] expected = {0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448};
        for (int k = 0; k < expected.length; k++) {
            assertThat(drug.survival()[k]).isCloseTo(expected[k], offset(5e-4));
        }
        assertThat(drug.median()).isEqualTo(23);
        assertThat(found.curves().get(1).median()).isEqualTo(8);
        assertThat(drug.medianUpper()).isNaN();
        assertThat(found.logRank().orElseThrow().test().statistic()).isCloseTo(16.79, offset(5e-3));
        assertThat(found.logRank().orElseThrow().expected()[0]).isCloseTo(19.25, offset(5e-3));
    }

    /** The log-rank test is the score test of Cox's model, if no two events are at the same time. */
    @Test
    void logRankIsTheScoreTestOfCox() {
        Random random = new Random(3);
        int count = 70;
        double[] stop = random.doubles(count).toArray();
        double[] start = IntStream.range(0, count)
                .mapToDouble(i -> stop[i] * random.nextDouble())
                .toArray();
        boolean[] events = new boolean[count];
        int[] groups = new int[count];
        int[] strata = new int[count];
        double[][] x = new double[count][1];
        for (int i = 0; i < count; i++) {
            events[i] = random.nextInt(4) > 0;
            groups[i] = random.nextInt(2);
            strata[i] = random.nextInt(3);
            x[i][0] = groups[i];
        }
        Survival survival = new Survival(start, stop, events, strata);

        SurvivalCurves found = SurvivalCurves.of(survival, groups, List.of("a", "b"), 0.95);

        double score = CoxTable.of(Dataset.of(x, new double[count]), survival, Ties.BRESLOW, 0.95)
                .score()
                .statistic();
        assertThat(found.logRank().orElseThrow().test().statistic()).isCloseTo(score, offset(1e-10));
    }

    @Test
    void oneGroupHasNoTest() {
        SurvivalCurves found = SurvivalCurves.of(
                Survival.of(new double[] {1, 2, 3}, new boolean[] {true, true, true}),
                new int[3],
                List.of("all"),
                0.95);

        assertThat(found.logRank()).isEmpty();
        assertThat(found.curves().get(0).survival()).containsExactly(2 / 3.0, 1 / 3.0, 0);
        assertThat(found.curves().get(0).lower()[2]).isNaN();
    }
}
