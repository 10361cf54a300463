package dev.starling.peer.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.starling.data.Dataset;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
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
            long start = processor();
            try (CohortRegister register = CohortRegister.open(folder)) {
                register.register("run-" + run, List.of("a"), cells, 50, false, true, 1);
            }
            slowest = Math.max(slowest, (processor() - start) * 1e-9);
        }
        // Earlier cohorts are kept as one snapshot, so that their number does not matter.
        Cells cells = new Cells(ids, new int[ROWS], List.of(), numbers.columns(), numbers.source());
        long start = processor();
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.check("next", List.of("a"), cells, 50, false).refusals())
                    .isEmpty();
        }
        double checked = (processor() - start) * 1e-9;
        System.out.printf(Locale.ROOT, "REGISTER %.1f and %.1f seconds of the processor%n", slowest, checked);
        assertThat(slowest).isLessThan(10);
        assertThat(checked).isLessThan(5);
    }

    /** The time that all threads have computed: what others do on the machine meanwhile does not matter. */
    private static long processor() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
