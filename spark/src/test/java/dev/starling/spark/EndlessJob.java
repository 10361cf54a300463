package dev.starling.spark;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A fit that never ends by itself, to be cancelled. */
record EndlessJob(SparkContext spark, CompletableFuture<StarlingClassificationModel> model) {

    private static final String GROUP = "endless";

    static EndlessJob start(Dataset<Row> rows) {
        EndlessJob job = new EndlessJob(rows.sparkSession().sparkContext(), new CompletableFuture<>());
        Thread thread = new Thread(() -> job.fit(rows));
        thread.setDaemon(true);
        thread.start();
        return job;
    }

    private void fit(Dataset<Row> rows) {
        spark.setJobGroup(GROUP, "a run that never ends", false);
        try {
            model.complete(new StarlingClassifier()
                    .setMethod("adfs")
                    .setRegParam(1e-9)
                    .setTol(1e-14)
                    .setMaxIter(1_000_000_000)
                    .fit(rows));
        } catch (Throwable e) {
            model.completeExceptionally(e);
        }
    }

    void cancel() {
        spark.cancelJobGroup(GROUP);
    }

    /** Tasks that run now, on all executors. */
    int runningTasks() {
        return Arrays.stream(spark.statusTracker().getExecutorInfos())
                .mapToInt(executor -> executor.numRunningTasks())
                .sum();
    }

    /** Waits for something to become true. */
    void await(String what, BooleanSupplier condition) throws InterruptedException {
        for (int k = 0; k < 600; k++) {
            if (condition.getAsBoolean()) {
                return;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("in 30 seconds it did not come to this: " + what);
    }
}
