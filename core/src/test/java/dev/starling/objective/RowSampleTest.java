package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples that passes over every k-th row visit. */
class RowSampleTest {

    private static final int ROWS = 8000;
    private static final int STRIDE = 8;

    /** Rows that have values in columns 1 and 2, the first a few times and the second nearly always. */
    private static Dataset rows(boolean dense, int rare, double value) {
        double[] labels =
                IntStream.range(0, ROWS).mapToDouble(i -> i % 3 == 0 ? -1 : 1).toArray();
        if (dense) {
            double[] values = new double[3 * ROWS];
            for (int i = 0; i < ROWS; i++) {
                values[3 * i + 1] = isRare(i, rare) ? value : 0;
                values[3 * i + 2] = 1 + i % 5;
            }
            return Dataset.dense(3, values, labels);
        }
        int[] starts = new int[ROWS + 1];
        int[] columns = new int[2 * ROWS];
        double[] values = new double[2 * ROWS];
        int at = 0;
        for (int i = 0; i < ROWS; i++) {
            if (isRare(i, rare)) {
                columns[at] = 1;
                values[at++] = value;
            }
            columns[at] = 2;
            values[at++] = 1 + i % 5;
            starts[i + 1] = at;
        }
        return Dataset.sparse(3, starts, Arrays.copyOf(columns, at), Arrays.copyOf(values, at), labels);
    }

    private static boolean isRare(int row, int rare) {
        return row % (ROWS / rare) == 3 % (ROWS / rare);
    }

    private static List<Integer> samples(RowSample sample) {
        return IntStream.range(0, sample.size()).map(sample::sample).boxed().toList();
    }

    private static List<Integer> everyEighth() {
        return IntStream.range(0, ROWS / STRIDE).map(k -> k * STRIDE).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allRowsWithValuesInARareColumnAreThereAndCountAsManyAsOfEveryEighth(boolean dense) {
        LocalProblem problem = LocalProblem.of(rows(dense, 40, 30), new Logistic(), 1e-4);

        RowSample sample = RowSample.withRareColumns(STRIDE, problem);

        assertThat(samples(sample))
                .isSorted()
                .doesNotHaveDuplicates()
                .containsAll(everyEighth())
                .containsAll(IntStream.range(0, ROWS)
                        .filter(i -> isRare(i, 40))
                        .boxed()
                        .toList())
                .hasSize(ROWS / STRIDE + 40);
        assertThat(sample.isEven()).isFalse();
        for (int k = 0; k < sample.size(); k++) {
            assertThat(sample.share(k)).isEqualTo(isRare(sample.sample(k), 40) ? 1.0 / STRIDE : 1);
        }
    }

    /** The values there are too small to matter beside the regulariser, too many, or in every sample anyway. */
    @Test
    void aSampleIsEvenWhereNoColumnNeedsMore() {
        for (Dataset data : List.of(rows(false, 40, 0.01), rows(false, 4000, 30), rows(true, 4000, 30))) {
            RowSample sample = RowSample.withRareColumns(STRIDE, LocalProblem.of(data, new Logistic(), 1e-4));

            assertThat(samples(sample)).isEqualTo(everyEighth());
            assertThat(sample.isEven()).isTrue();
        }
        LocalProblem all = LocalProblem.of(rows(false, 40, 30), new Logistic(), 1e-4);
        assertThat(samples(RowSample.withRareColumns(1, all)))
                .isEqualTo(IntStream.range(0, ROWS).boxed().toList());
    }

    /** By definition: what rows of the rare column add up to is an eighth of their sum, to the last digits. */
    @Test
    void sumsAreThoseOfTheRowsTimesTheirShares() {
        LocalProblem problem = LocalProblem.of(rows(false, 40, 30), new Logistic(), 1e-4);
        PassLayout layout = new PassLayout(3, false);
        RowTerm kept = new RowTerm(problem, layout, Term.FEWEST_ROWS);
        kept.keepRareColumns();
        RowTerm even = new RowTerm(problem, layout, Term.FEWEST_ROWS);
        double[] theta = {0, 0.01, -0.1};
        double[] sums = new double[layout.length(PassSums.HESSIAN)];

        kept.sum(PassSums.HESSIAN, theta, STRIDE, false, sums);

        double weight = 0;
        double gradient = 0;
        double curvature = 0;
        for (int i = 0; i < ROWS; i++) {
            boolean rare = isRare(i, 40);
            double share = rare ? 1.0 / STRIDE : i % STRIDE == 0 ? 1 : 0;
            double margin = problem.margin(i, theta);
            double x = rare ? 30 : 0;
            weight += share;
            gradient += share * problem.loss().derivative(margin, problem.label(i)) * x;
            curvature += share * problem.loss().curvature(margin, problem.label(i)) * x * x;
        }
        assertThat(sums[PassLayout.WEIGHT]).isEqualTo(weight);
        assertThat(sums[PassLayout.GRADIENT + 1]).isCloseTo(gradient, within(1e-10));
        assertThat(sums[layout.hessian() + 2]).isCloseTo(curvature, within(1e-9));
        assertThat(kept.visits(STRIDE)).isEqualTo(even.visits(STRIDE) + 40);
        assertThat(kept.visits(1)).isEqualTo(ROWS);
    }
}
