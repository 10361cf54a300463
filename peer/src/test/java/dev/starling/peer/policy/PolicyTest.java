package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.model.Differences;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SavedStates;
import dev.starling.support.Stored;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PolicyTest {

    private static final Dataset ROWS = Generator.classification(400, 6).seed(3).generate();

    private static SiteRules rules(Policy policy) {
        return new SiteRules(
                policy,
                Settings.of(new Logistic()),
                ROWS,
                index -> LocalProblem.of(ROWS, new Logistic(), 1e-2),
                SlopesAccount.none());
    }

    private static SumRequest gradient(double first) {
        return SumRequest.atPoint(SumKind.GRADIENT, 0, 1, new double[] {first, 0, 0, 0, 0, 0}, 400, 11);
    }

    /** The diagonal of a Hessian tells of curvatures, but not so much that the gradients after it have to be few. */
    @Test
    void countsADiagonalAmongCurvatures() {
        SiteRules rules = rules(Policy.DEFAULT);
        for (int k = 0; k < 10; k++) {
            SumRequest diagonal =
                    SumRequest.atPoint(SumKind.DIAGONAL, 0, 1, new double[] {1e-9 * k, 0, 0, 0, 0, 0}, 400, 17);
            assertThatCode(() -> rules.require(diagonal, new double[0])).doesNotThrowAnyException();
        }
        assertThatThrownBy(() ->
                        rules.require(SumRequest.atPoint(SumKind.HESSIAN, 0, 1, new double[6], 400, 32), new double[0]))
                .hasMessageContaining("11 sums of curvatures; at most 10");
        // More than the 60 passes of a run with Hessians.
        for (int k = 10; k < 80; k++) {
            int pass = k;
            assertThatCode(() -> rules.require(gradient(1e-9 * pass), new double[0]))
                    .as("pass %d", k)
                    .doesNotThrowAnyException();
        }
    }

    /** Slopes that are all but equal tell of no row; those that single one out do. */
    @Test
    void detectsSumsThatSingleOutARow() {
        Leverage leverage = new Leverage(100, 300);
        double[] even = new double[100];
        Arrays.fill(even, 0.5);
        assertThat(leverage.with(even)).isLessThan(0.02);
        leverage.add();
        double[] single = even.clone();
        single[17] = 1.5;
        assertThat(leverage.with(single)).isGreaterThan(0.9);
    }

    /** Sum by sum it is what its definition says, and so it is after a restart. */
    @Test
    void computesLeveragesByTheirDefinition() throws Exception {
        Random random = new Random(1);
        Leverage leverage = new Leverage(30, 300);
        List<double[]> columns = new ArrayList<>();
        for (int k = 0; k < 12; k++) {
            double[] column = random.doubles(30, -1, 1).toArray();
            columns.add(column);
            assertThat(leverage.with(column)).isCloseTo(largest(columns), within(1e-5));
            leverage.add();
            leverage = SavedStates.copy(leverage, new Leverage(30, 300));
        }
    }

    /** By Gauss-Jordan elimination of SᵀS + τ²I beside Sᵀ. */
    private static double largest(List<double[]> columns) {
        int k = columns.size();
        int n = columns.get(0).length;
        double tau = 0.04 * Arrays.stream(columns.get(0)).map(x -> x * x).sum() / n;
        double[][] system = new double[k][k + n];
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < k; b++) {
                for (int j = 0; j < n; j++) {
                    system[a][b] += columns.get(a)[j] * columns.get(b)[j];
                }
            }
            system[a][a] += tau;
            System.arraycopy(columns.get(a), 0, system[a], k, n);
        }
        for (int a = 0; a < k; a++) {
            double pivot = system[a][a];
            for (int c = 0; c < k + n; c++) {
                system[a][c] /= pivot;
            }
            for (int b = 0; b < k; b++) {
                double factor = system[b][a];
                for (int c = 0; b != a && c < k + n; c++) {
                    system[b][c] -= factor * system[a][c];
                }
            }
        }
        double largest = 0;
        for (int j = 0; j < n; j++) {
            double leverage = 0;
            for (int a = 0; a < k; a++) {
                leverage += columns.get(a)[j] * system[a][k + j];
            }
            largest = Math.max(largest, leverage);
        }
        return largest;
    }

    /** A site with more rows than there is room for looks at every so many-th, and goes on looking. */
    @Test
    void detectsASingledOutRowAmongManyRows() {
        int rows = 200_000;
        Leverage leverage = new Leverage(rows, 300);
        double[] even = new double[rows];
        Arrays.fill(even, 0.5);
        for (int k = 0; k < 50; k++) {
            assertThat(leverage.with(even)).isLessThan(0.01);
            leverage.add();
        }
        double[] single = even.clone();
        single[0] = 100;
        assertThat(leverage.with(single)).isGreaterThan(0.9);
    }

    @Test
    void takesTheStrictestOfAllLimits() {
        Map<String, Double> one = Policy.DEFAULT.limits(10_000, 8, true, 0);
        Map<String, Double> other = Policy.DEFAULT.limits(600, 8, true, 0);
        assertThat(Policy.strictest(List.of(one, other))).isEqualTo(new ReleaseLimits(240, 10, 60, 300, 50));
        assertThat(Policy.allAcceptEstimates(List.of(one, other))).isFalse();
        assertThatCode(() -> Policy.requireEnoughSites(List.of(one, other, one)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Policy.requireEnoughSites(List.of(one, other)))
                .hasMessageContaining("two-sites: accept");
    }

    @Test
    void namesColumnsAndClassesOfFewRows() {
        double[] values = Stored.values(ROWS);
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
    void countsSmallCells() {
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

    /** 400 rows of 6 values, of which half may be told: 1,200. */
    @Test
    void statesInAdvanceWhatARunWouldDisclose() {
        Settings settings = Settings.of(new Logistic()).with(Setting.SCALING, Scaling.STANDARDIZE);
        Disclosure tells = Disclosure.of(Policy.DEFAULT, settings, ROWS, 3, 120, 0, 0);
        assertThat(tells)
                .isEqualTo(new Disclosure(
                        3,
                        true,
                        "newton",
                        false,
                        400,
                        2400,
                        50,
                        4,
                        6 + 2 + 2 + 14,
                        0,
                        0,
                        Differences.NONE,
                        false,
                        false,
                        0,
                        0,
                        1200 / 11,
                        60,
                        10,
                        false,
                        15,
                        32,
                        1200,
                        0,
                        120));
        assertThat(String.join("\n", tells.words(Policy.DEFAULT)))
                .contains(
                        "is masked: the other 2 sites learn only totals over all 3",
                        "every sum covers at least 50 of the site's 400 rows",
                        "before training, 4 sums with 24 numbers in all",
                        "during training with newton, at most 109 sums at a point, of at most 15 numbers each; or, with"
                                + " Hessians, at most 60, of which at most 10 include one, of at most 32 numbers each",
                        "at most 1200 numbers in all, while the site stores 2400 values",
                        "120 sums at a point about these people were released in earlier runs, of 1000");
        Settings judged = settings.with(Setting.HOLDOUT, 0.2).with(Setting.CLASS_WEIGHTS, ClassWeighting.BALANCED);
        assertThat(String.join(
                        "\n",
                        Disclosure.of(Policy.DEFAULT, judged, ROWS, 3, 0, 0, 0).words(Policy.DEFAULT)))
                .contains(
                        "before training, 5 sums with 26 numbers in all: which columns and classes it has, how many values, how"
                                + " many rows of each class, means and deviations",
                        "after training, 3 sums with 354 numbers");
        Settings chosen = settings.withPath(LambdaPath.of(10)).withFolds(Folds.of(5));
        assertThat(String.join(
                        "\n",
                        Disclosure.of(Policy.DEFAULT, chosen, ROWS, 3, 0, 0, 0).words(Policy.DEFAULT)))
                .contains("2 sums with at most 270 numbers in all about folds");
        Dataset small = ROWS.picked(IntStream.range(0, 40).toArray());
        Disclosure few = Disclosure.of(Policy.DEFAULT, settings, small, 3, 0, 0, 0);
        assertThat(few.numbers()).isEqualTo(120);
        assertThat(few.curvatures()).isEqualTo(120 / 32);
        assertThat(few.sums()).isEqualTo(120 / 11);
        assertThat(Disclosure.of(Policy.DEFAULT, settings.with(Setting.METHOD, "adfs"), ROWS, 3, 0, 0, 0)
                        .words(Policy.DEFAULT))
                .anyMatch(text -> text.contains("neighbours see estimates, from which rows can be computed"));
    }
}
