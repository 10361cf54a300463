package dev.starling.connect;

import com.sun.management.OperatingSystemMXBean;
import dev.starling.connect.ConnectServer.Client;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.functions;

/**
 * The same request for MLlib's estimators to a Connect server, with and without the plugin, on the same cached rows, in
 * turn: seconds of {@code fit}, with those of processors, which the last columns compare, in brackets, and the
 * objective that the model's summary reports.
 *
 * <p>MLlib runs once as it is, and once until it hardly moves, or 400 iterations. Arguments: how often to measure, then
 * a LIBSVM file with labels 1 and 2; {@code bench/connect} runs it.
 */
public final class ConnectBenchmark {

    private static Map<String, Object> params(boolean standardised) {
        return Map.of("regParam", 1e-4, "standardization", standardised);
    }

    private static Map<String, Object> tight(boolean standardised) {
        return Map.of("regParam", 1e-4, "standardization", standardised, "tol", 1e-9, "maxIter", 400);
    }

    /** Fits of Starling before the first that counts; one of MLlib's makes as many passes as these. */
    private static final int WARM_UP = 5;

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
            Client starling = server.withStarling();
            Client mllib = server.withMllib();
            for (String estimator : List.of("classification.LogisticRegression", "classification.LinearSVC")) {
                for (boolean standardised : new boolean[] {true, false}) {
                    compare(starling, mllib, estimator, standardised, repeats);
                }
            }
        }
    }

    private static void compare(Client starling, Client mllib, String estimator, boolean standardised, int repeats) {
        List<Fit> usual = new ArrayList<>();
        List<Fit> tight = new ArrayList<>();
        List<Fit> ours = new ArrayList<>();
        for (int k = 0; k < WARM_UP; k++) {
            fit(starling, estimator, params(standardised));
        }
        fit(mllib, estimator, params(standardised));
        for (int k = 0; k < repeats; k++) {
            ours.add(fit(starling, estimator, params(standardised)));
            usual.add(fit(mllib, estimator, params(standardised)));
            tight.add(fit(mllib, estimator, tight(standardised)));
        }
        double best = ours.get(0).objective();
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.1e | %s | %.1e | %s | %.1f, %.1f |%n",
                estimator.replaceAll(".*\\.", ""),
                standardised ? "standardised" : "as they are",
                seconds(usual),
                usual.get(0).objective() / best - 1,
                seconds(tight),
                tight.get(0).objective() / best - 1,
                seconds(ours),
                median(usual) / median(ours),
                median(tight) / median(ours));
    }
}
