package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Columns that hardly any row has a value in, scaled to deviation 1, so that the few values are large. */
class RareColumnsTest {

    private static final int ROWS = 200_000;
    private static final int COMMON = 12;

    /** How often each of the rare columns has a value. */
    private static final int[] TIMES = {5, 20, 60};

    private static Dataset rows(boolean rare) {
        Random random = new Random(7);
        double[] rule = random.doubles(COMMON, -1, 1).toArray();
        int[] starts = new int[ROWS + 1];
        int[] columns = new int[ROWS * (COMMON + 1)];
        double[] values = new double[columns.length];
        double[] labels = new double[ROWS];
        int at = 0;
        for (int i = 0; i < ROWS; i++) {
            double score = random.nextGaussian();
            for (int j = 0; j < COMMON; j++) {
                columns[at] = j;
                values[at] = random.nextGaussian();
                score += rule[j] * values[at++];
            }
            labels[i] = score > 0 ? 1 : -1;
            for (int k = 0; rare && k < TIMES.length; k++) {
                if (i % (ROWS / TIMES[k]) == 3 + 16 * k) {
                    columns[at] = COMMON + k;
                    values[at++] = Math.sqrt((double) ROWS / TIMES[k]);
                    labels[i] = k == 1 ? -1 : 1;
                    break;
                }
            }
            starts[i + 1] = at;
        }
        return Dataset.sparse(
                COMMON + TIMES.length, starts, Arrays.copyOf(columns, at), Arrays.copyOf(values, at), labels);
    }

    private static double passes(Dataset rows) {
        Fit fit = Trainer.logistic()
                .lambda(1e-4)
                .gap(1e-9)
                .nodes(1)
                .intercept(true)
                .fit(rows);
        assertThat(fit.isCertified()).isTrue();
        return fit.model().provenance().certificate().epochs();
    }

    /** Samples that leave rare columns to chance take nine passes more. */
    @Test
    void takeHardlyMorePassesThanRowsWithoutThem() {
        assertThat(passes(rows(true))).isLessThan(passes(rows(false)) + 6);
    }
}
