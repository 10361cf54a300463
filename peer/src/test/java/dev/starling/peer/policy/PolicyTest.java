package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyTest {

    private static final Dataset ROWS = Generator.classification(400, 6).seed(3).generate();

    @TempDir
    private Path folder;

    private static SiteRules rules(Policy policy) {
        return new SiteRules(policy, ROWS, index -> LocalProblem.of(ROWS, new Logistic(), 1e-2));
    }

    private static SumRequest gradient(long rows, double... point) {
        return new SumRequest("gradient", 0, 1, point, rows, 11);
    }

    private static SumRequest gradient(double first) {
        return gradient(400, first, 0, 0, 0, 0, 0);
    }

    @Test
    void shouldRefuseASumOverFewRows() {
        SiteRules rules = rules(Policy.DEFAULT);
        assertThatThrownBy(() -> rules.require(gradient(49, new double[6]), new double[0]))
                .hasMessageContaining("a sum over 49 of its rows; at least 50");
        assertThatCode(() -> rules.require(gradient(50, new double[6]), new double[0]))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseAFarPoint() {
        SiteRules rules = rules(Policy.DEFAULT);
        // (λ/2) θ² is 4 ln 2 at θ = 23.5.
        assertThatCode(() -> rules.require(gradient(23.5), new double[0])).doesNotThrowAnyException();
        assertThatThrownBy(() -> rules.require(gradient(23.6), new double[0]))
                .hasMessageContaining("more than 4.0 times the objective at 0");
    }

    @Test
    void shouldCountNumbersAndPassesAndNotGoOverThem() {
        SiteRules rules = rules(Policy.DEFAULT);
        // Half of 2,400 stored values are 109 gradients of 11 numbers.
        for (int k = 0; k < 109; k++) {
            int pass = k;
            assertThatCode(() -> rules.require(gradient(1e-9 * pass), new double[0]))
                    .as("pass %d", k)
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> rules.require(gradient(0.1), new double[0]))
                .hasMessageContaining("1210 numbers told, of 1200 that it allows");
    }

    /** Slopes that are all but equal tell of no row; those that single one out do. */
    @Test
    void shouldNoticeSumsThatSingleOutARow() {
        Leverage leverage = new Leverage(100);
        double[] even = new double[100];
        Arrays.fill(even, 0.5);
        assertThat(leverage.with(even)).isLessThan(0.02);
        leverage.add(even);
        double[] single = even.clone();
        single[17] = 1.5;
        assertThat(leverage.with(single)).isGreaterThan(0.9);
    }

    @Test
    void shouldTakeTheStrictestOfAllLimits() {
        Map<String, Double> one = Policy.DEFAULT.limits(10_000, 8);
        Map<String, Double> other = Policy.DEFAULT.limits(600, 8);
        assertThat(Policy.strictest(List.of(one, other))).isEqualTo(new ReleaseLimits(240, 10, 60, 300));
        assertThat(Policy.allAcceptEstimates(List.of(one, other))).isFalse();
        assertThatCode(() -> Policy.requireEnoughSites(List.of(one, other, one)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Policy.requireEnoughSites(List.of(one, other)))
                .hasMessageContaining("two-sites: accept");
    }

    @Test
    void shouldNameColumnsAndClassesOfFewRows() {
        float[] values = ROWS.values().clone();
        for (int i = 9; i < 400; i++) {
            values[6 * i + 2] = 0;
        }
        Dataset few = Dataset.dense(6, values, ROWS.labels());
        assertThatThrownBy(() -> ColumnCheck.require(few, true, Policy.DEFAULT))
                .hasMessageContaining("fewer in 1: column 3 (9)");
        assertThatCode(() -> ColumnCheck.require(ROWS, true, Policy.DEFAULT)).doesNotThrowAnyException();
        double[] labels = ROWS.labels().clone();
        Arrays.fill(labels, 1);
        labels[0] = -1;
        assertThatThrownBy(() -> ColumnCheck.require(ROWS.withLabels(labels), true, Policy.DEFAULT))
                .hasMessageContaining("class -1 (1)");
    }

    @Test
    void shouldCountSmallCells() {
        float[] values = new float[3 * 100];
        for (int i = 0; i < 100; i++) {
            values[3 * i] = 1;
            values[3 * i + 1] = i < 4 ? 1 : 0;
            values[3 * i + 2] = i < 50 ? 1 : 0;
        }
        // Columns 1 and 2, and 2 and 3, share four rows.
        assertThat(ColumnCheck.smallCells(Dataset.dense(3, values, new double[100]), Policy.DEFAULT))
                .isEqualTo(2);
    }

    @Test
    void shouldRefuseARunAfterAFewRowsHaveChanged() throws Exception {
        List<String> sites = List.of("a", "b", "c");
        RunRegister first = RunRegister.open(folder);
        first.require("one", sites, ROWS, Policy.DEFAULT, false);
        first.begin("one", sites, ROWS, 900);
        RunRegister later = RunRegister.open(folder);
        assertThatCode(() -> later.require("two", sites, ROWS, Policy.DEFAULT, false))
                .doesNotThrowAnyException();
        Dataset shuffled = ROWS.picked(IntStream.range(0, 400).map(i -> 399 - i).toArray());
        assertThatCode(() -> later.require("two", sites, shuffled, Policy.DEFAULT, false))
                .doesNotThrowAnyException();
        double[] labels = ROWS.labels().clone();
        labels[7] = -labels[7];
        assertThatThrownBy(() -> later.require("two", sites, ROWS.withLabels(labels), Policy.DEFAULT, false))
                .hasMessageContaining("1 row has changed since run one");
        assertThatThrownBy(() -> later.require(
                        "two", sites, ROWS.picked(IntStream.range(1, 400).toArray()), Policy.DEFAULT, false))
                .hasMessageContaining("1 row has changed");
        later.giveBack(-100);
        assertThatThrownBy(() -> later.require("two", sites, ROWS, Policy.DEFAULT, false))
                .hasMessageContaining("looked at 1000 times");
    }
}
