package dev.starling.connect;

import com.sun.management.OperatingSystemMXBean;
import dev.starling.connect.ConnectServer.Client;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.spark.sql.functions;

/**
 * The same request for MLlib's estimators to a Connect server, with and without the plugin, on the same cached rows, in
 * turn: seconds of {@code fit}, with those of processors, which the last columns compare, in brackets, and the
 * objective that the model's summary reports.
 *
 * <p>MLlib runs as it is, and once until it hardly moves, or 400 iterations; a fit that takes too long is cancelled.
 * Arguments: how often to measure, then a LIBSVM file with labels 1 and 2; {@code bench/connect} runs it.
 */
public final class ConnectBenchmark {

    private static Map<String, Object> params(boolean standardised) {
        return Map.of("regParam", 1e-4, "standardization", standardised);
    }

    private static Map<String, Object> tight(boolean standardised) {
        return Map.of("regParam", 1e-4, "standardization", standardised, "tol", 1e-9, "maxIter", 400);
    }

    /**
     * Fits of Starling before the first that counts, in which Spark's own code is compiled; one of MLlib's has as many
     * jobs.
     */
    private static final int WARM_UP = 30;

    /** A fit that takes more processor seconds is cancelled. */
    private static final double MOST_SECONDS = 100;

    private static final long WATCH_MILLIS = 200;

    private ConnectBenchmark() {}

    /** Seconds of the clock and of processors, and the objective in the end. */
    private record Fit(double seconds, double processor, double objective) {}

    private static double processorSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    private static Fit fit(Client client, String estimator, Map<String, Object> params) {
        long start = System.nanoTime();
        double spent = processorSeconds();
        String model = client.fit(estimator, params, "rows");
        double seconds = (System.nanoTime() - start) * 1e-9;
        double processor = processorSeconds() - spent;
        double[] history = client.numbers(model, "summary", "objectiveHistory");
        return new Fit(seconds, processor, history[history.length - 1]);
    }

    /** A fit of a client's, unless it takes too long. */
    private static Optional<Fit> boundedFit(ConnectServer server, Supplier<Fit> fit) {
        double start = processorSeconds();
        CompletableFuture<Fit> ended = CompletableFuture.supplyAsync(fit);
        try {
            while (true) {
                try {
                    return Optional.of(ended.get(WATCH_MILLIS, TimeUnit.MILLISECONDS));
                } catch (TimeoutException e) {
                    if (processorSeconds() - start > MOST_SECONDS) {
                        server.spark().sparkContext().cancelAllJobs();
                    }
                }
            }
        } catch (ExecutionException e) {
            // Cancelled here, or given up by the client.
            server.spark().sparkContext().cancelAllJobs();
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String seconds(List<Fit> fits) {
        return fits.stream()
                .map(fit -> String.format(Locale.ROOT, "%.2f (%.2f)", fit.seconds(), fit.processor()))
                .collect(Collectors.joining(", "));
    }

    private static double median(List<Fit> fits) {
        double[] sorted = fits.stream().mapToDouble(Fit::processor).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Prints the table. */
    public static void main(String[] args) {
        int repeats = Integer.parseInt(args[0]);
        try (ConnectServer server = new ConnectServer(System.getProperty("starling.master", "local[2]"))) {
            server.spark()
                    .read()
                    .format("libsvm")
                    .load(args[1])
                    .withColumn("label", functions.col("label").minus(1))
                    .repartition(2)
                    .cache()
                    .createOrReplaceGlobalTempView("rows");
            server.spark().table("global_temp.rows").count();
            System.out.println(
                    "| estimator | features | MLlib, seconds | above the best | MLlib with tol 1e-9 and maxIter 400, seconds"
                            + " | above the best | Starling, seconds | times as fast |");
            System.out.println("|---|---|---|---|---|---|---|---|");
            for (String estimator : List.of("classification.LogisticRegression", "classification.LinearSVC")) {
                for (boolean standardised : new boolean[] {true, false}) {
                    compare(server, estimator, standardised, repeats);
                }
            }
        }
    }

    private static void compare(ConnectServer server, String estimator, boolean standardised, int repeats) {
        Client starling = server.withStarling();
        Client mllib = server.withMllib();
        List<Fit> usual = new ArrayList<>();
        List<Fit> ours = new ArrayList<>();
        for (int k = 0; k < WARM_UP; k++) {
            fit(starling, estimator, params(standardised));
        }
        fit(mllib, estimator, params(standardised));
        for (int k = 0; k < repeats; k++) {
            ours.add(fit(starling, estimator, params(standardised)));
            usual.add(fit(mllib, estimator, params(standardised)));
        }
        Optional<Fit> tight = boundedFit(server, () -> fit(mllib, estimator, tight(standardised)));
        double best = ours.get(0).objective();
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.1e | %s | %s | %s | %.1f, %s |%n",
                estimator.replaceAll(".*\\.", ""),
                standardised ? "standardised" : "as they are",
                seconds(usual),
                usual.get(0).objective() / best - 1,
                tight.map(fit -> seconds(List.of(fit))).orElse("cancelled after (" + (int) MOST_SECONDS + ")"),
                tight.map(fit -> String.format(Locale.ROOT, "%.1e", fit.objective() / best - 1))
                        .orElse("–"),
                seconds(ours),
                median(usual) / median(ours),
                tight.map(fit -> String.format(Locale.ROOT, "%.1f", fit.processor() / median(ours)))
                        .orElse("–"));
    }
}
