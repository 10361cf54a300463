package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.internal.Cholesky;
import dev.starling.loss.Cox;
import dev.starling.loss.Ties;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import dev.starling.objective.strata.PartialLikelihood;
import dev.starling.runtime.Threads;
import dev.starling.settings.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProportionalHazardsTest {

    private static final int ROWS = 90;
    private static final List<String> NAMES = List.of("age", "ward=b", "ward=c");

    private static Dataset rows() {
        SplittableRandom random = new SplittableRandom(5);
        double[][] x = new double[ROWS][3];
        for (double[] row : x) {
            row[0] = random.nextDouble(40, 80);
            int ward = random.nextInt(3);
            row[1] = ward == 1 ? 1 : 0;
            row[2] = ward == 2 ? 1 : 0;
        }
        return Dataset.of(x, new double[ROWS]).withNames(NAMES);
    }

    /** Many times are the same; three strata. */
    private static Survival survival() {
        SplittableRandom random = new SplittableRandom(6);
        double[] times = new double[ROWS];
        boolean[] events = new boolean[ROWS];
        for (int i = 0; i < ROWS; i++) {
            times[i] = 1 + random.nextInt(25);
            events[i] = random.nextInt(3) > 0;
        }
        double[] start = new double[ROWS];
        return new Survival(
                start, times, events, IntStream.range(0, ROWS).map(i -> i % 3).toArray());
    }

    /**
     * The same test from its definition: rows are split where events happen, each part has the features and g times
     * them, and the score test is that of the likelihood with both, at the estimates and 0.
     */
    @ParameterizedTest
    @EnumSource(Ties.class)
    void isTheScoreTestOfRowsThatAreSplitAtEveryEvent(Ties ties) {
        Survival survival = survival();
        CoxTable cox = CoxTable.of(rows(), survival, ties, 0.95, TimeScale.LOG);
        double[] cuts = IntStream.range(0, ROWS)
                .filter(i -> survival.events()[i])
                .mapToDouble(i -> survival.stop()[i])
                .sorted()
                .distinct()
                .toArray();
        List<double[]> x = new ArrayList<>();
        List<double[]> spans = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            double[] own = new double[3];
            rows().addTo(i, 1, own);
            double from = 0;
            for (double cut : cuts) {
                if (cut <= survival.stop()[i]) {
                    double g = Math.log(cut);
                    x.add(new double[] {own[0], own[1], own[2], g * own[0], g * own[1], g * own[2]});
                    boolean event = survival.events()[i] && survival.stop()[i] == cut;
                    spans.add(new double[] {from, cut, event ? 1 : 0, survival.strata()[i]});
                    from = cut;
                }
            }
        }
        Survival split = new Survival(
                spans.stream().mapToDouble(span -> span[0]).toArray(),
                spans.stream().mapToDouble(span -> span[1]).toArray(),
                booleans(spans),
                spans.stream().mapToInt(span -> (int) span[3]).toArray());
        double[] theta = new double[6];
        for (int k = 0; k < 3; k++) {
            theta[k] = cox.table().coefficients().get(k).estimate().value();
        }
        PartialLikelihood.Sums sums = new PartialLikelihood(
                        Dataset.of(x.toArray(double[][]::new), new double[x.size()]), split, ties)
                .at(theta);

        ProportionalHazards found = cox.proportional().orElseThrow();

        assertThat(found.global().degrees()).isEqualTo(3);
        assertThat(found.global().statistic()).isCloseTo(statistic(sums, 0, 1, 2, 3, 4, 5), within(1e-8));
        assertThat(found.tests().keySet()).containsExactly("age", "ward");
        assertThat(found.tests().get("age").statistic()).isCloseTo(statistic(sums, 0, 1, 2, 3), within(1e-8));
        assertThat(found.tests().get("ward").degrees()).isEqualTo(2);
        assertThat(found.tests().get("ward").statistic()).isCloseTo(statistic(sums, 0, 1, 2, 4, 5), within(1e-8));
    }

    private static boolean[] booleans(List<double[]> spans) {
        boolean[] events = new boolean[spans.size()];
        for (int k = 0; k < events.length; k++) {
            events[k] = spans.get(k)[2] > 0;
        }
        return events;
    }

    private static double statistic(PartialLikelihood.Sums sums, int... kept) {
        return Cholesky.quadratic(
                CoxTable.part(kept, (a, b) -> sums.hessian()[a * 6 + b]),
                Arrays.stream(kept).mapToDouble(a -> sums.gradient()[a]).toArray());
    }

    /**
     * Nodes have strata of their own, so what they add up is what one machine with these strata has. Heavy rows are
     * added up in units of their own, and statistics grow with them.
     */
    @ParameterizedTest
    @CsvSource({"identity, 1, 1", "identity, 3, 1", "log, 3, 1", "log, 3, 1e9"})
    void nodesAddUpTheSameTest(String scale, int nodes, double heaviest) {
        Survival survival = survival();
        double[] weights = IntStream.range(0, ROWS)
                .mapToDouble(i -> heaviest == 1 ? 1 : heaviest / (1 + i % 4))
                .toArray();
        ProportionalHazards alone = CoxTable.of(
                        rows().withWeights(weights), survival, Ties.EFRON, 0.95, TimeScale.named(scale))
                .proportional()
                .orElseThrow();

        LinearModel simulated =
                between(scale, nodes).fit(timed().withWeights(weights), sites()).model();
        ProportionalHazards found = CoxTable.of(simulated, 0.95).proportional().orElseThrow();

        assertThat(found.scale()).isEqualTo(alone.scale());
        assertThat(found.global().statistic()).isCloseTo(alone.global().statistic(), within(1e-8 * heaviest));
        alone.tests()
                .forEach((term, test) -> assertThat(found.tests().get(term).statistic())
                        .as(term)
                        .isCloseTo(test.statistic(), within(1e-8 * heaviest)));
        assertThat(between(scale, nodes)
                        .runner(new Threads())
                        .fit(timed().withWeights(weights), sites())
                        .model()
                        .hash())
                .isEqualTo(simulated.hash());
    }

    @Test
    void ranksAndCurvesOfAllTimesAreRefusedBetweenNodes() {
        assertThatRefused(() -> between("km", 3)).hasMessageContaining("depends on the times of all rows");
    }

    @Test
    void aTimeOfZeroHasNoLogarithm() {
        Survival survival = survival();
        double[] before = new double[ROWS];
        Arrays.fill(before, -1);
        double[] times = survival.stop().clone();
        times[3] = 0;
        Survival zero = new Survival(before, times, survival.events(), survival.strata());

        assertThatRefused(() -> CoxTable.of(rows(), zero, Ties.EFRON, 0.95, TimeScale.LOG))
                .hasMessageContaining("a time is 0.0, which has no logarithm");
    }

    private static Trainer between(String scale, int nodes) {
        return Trainer.of(new Cox())
                .lambda(0)
                .gap(1e-9)
                .nodes(nodes)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .with(Setting.PROPORTIONAL_HAZARDS, TimeScale.named(scale));
    }

    private static long[] sites() {
        return IntStream.range(0, ROWS).mapToLong(i -> i % 3).toArray();
    }

    private static Dataset timed() {
        Survival survival = survival();
        return rows().withLabels(IntStream.range(0, ROWS)
                .mapToDouble(i -> survival.events()[i] ? survival.stop()[i] : -survival.stop()[i])
                .toArray());
    }
}
