package dev.starling.peer.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What it costs to register a million rows of fifty columns, and to compare them with earlier cohorts. */
@Tag("slow")
class RegisterCostTest {

    private static final int ROWS = 1_000_000;
    private static final int COLUMNS = 50;

    @TempDir
    private Path temporary;

    @Test
    void registersAMillionRowsInSeconds() throws IOException {
        float[] values = new float[ROWS * COLUMNS];
        Random random = new Random(1);
        for (int k = 0; k < values.length; k++) {
            values[k] = random.nextFloat();
        }
        Dataset rows = Dataset.dense(COLUMNS, values, new double[ROWS]);
        Cells numbers = Cells.of(rows, new int[ROWS]);
        long[] ids = new long[ROWS];
        for (int k = 0; k < ROWS; k++) {
            ids[k] = k;
        }
        Path folder = temporary.resolve("register");
        CohortRegister.create(folder);
        double slowest = 0;
        for (int run = 0; run < 3; run++) {
            // In each run others are held out, so that each is remembered anew.
            int[] parts = new int[ROWS];
            for (int k = 0; k < ROWS; k++) {
                parts[k] = k / 100 == run ? -1 : 0;
            }
            Cells cells = new Cells(ids, parts, List.of(), numbers.columns(), numbers.source());
            long start = System.nanoTime();
            try (CohortRegister register = CohortRegister.open(folder)) {
                register.register("run-" + run, List.of("a"), cells, 50, false, true, 1);
            }
            slowest = Math.max(slowest, (System.nanoTime() - start) * 1e-9);
        }
        // Earlier cohorts are kept as one snapshot, so that their number does not matter.
        Cells cells = new Cells(ids, new int[ROWS], List.of(), numbers.columns(), numbers.source());
        long start = System.nanoTime();
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.check("next", List.of("a"), cells, 50, false).refusals())
                    .isEmpty();
        }
        double checked = (System.nanoTime() - start) * 1e-9;
        // Usually 6 and 3 seconds; other programs may use the machine meanwhile.
        assertThat(slowest).isLessThan(40);
        assertThat(checked).isLessThan(20);
    }
}
